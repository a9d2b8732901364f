"""The crontab, which is a file to plan with and two commands to read and write."""

import subprocess
from pathlib import Path
from typing import Final

from remem_agents.setup.errors import SetupError

# Stands for the crontab wherever a file's path does.
CRONTAB: Final = Path("crontab")
_SECONDS: Final = 10


def read_crontab() -> bytes | None:
    """Return the crontab, None where there is none."""
    done = _crontab("-l")
    return done.stdout if done.returncode == 0 else None


def write_crontab(data: bytes | None) -> None:
    """Replace the crontab, or remove it; raise SetupError (failed)."""
    done = _crontab("-r") if data is None else _crontab("-", data)
    if done.returncode != 0:
        words = done.stderr.decode("utf-8", "replace").strip()
        raise SetupError("failed", f"crontab: {words}")


def _crontab(argument: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(
            ["crontab", argument], input=data, capture_output=True, timeout=_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SetupError("failed", f"crontab: {error}") from None
