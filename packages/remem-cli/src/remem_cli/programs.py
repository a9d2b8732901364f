"""Which programs agents are told to start, as absolute paths: theirs is not the owner's PATH."""

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem_protocol import OutOfScopeError

if TYPE_CHECKING:
    from remem_agents.setup.definitions import Commands

# Folders of programs that `uvx` and `pipx run` made for one run, and will clear away.
_PASSING: Final = ("/archive-v0/", "/uv/cache/", "/.cache/pipx/", "/builds-v0/")


def host_commands(env: Mapping[str, str]) -> "Commands":
    """Return the commands for agents' configurations.

    Raise OutOfScopeError where this program will not be there tomorrow.
    """
    import remem_agents
    from remem_agents.setup.definitions import Commands

    place = Path(sys.executable).absolute().as_posix()
    if any(folder in place for folder in _PASSING):
        raise OutOfScopeError(
            f"{place} is there for this run only; install remem, e.g. `uv tool install remem-cli`"
        )
    hook = Path(remem_agents.__file__).absolute().parent / "hook.py"
    ours = _ourselves(env)
    return Commands(
        # Isolated and without site-packages: it is started at every prompt.
        hook=[sys.executable, "-I", "-S", str(hook)],
        serve=[*ours, "serve"],
        sleep=[*ours, "sleep"],
        ingest=[*ours, "ingest", "--quiet"],
    )


def _ourselves(env: Mapping[str, str]) -> list[str]:
    """Return how this very installation is started."""
    suffix = ".exe" if sys.platform == "win32" else ""
    beside = Path(sys.executable).absolute().parent / f"remem{suffix}"
    if beside.exists():
        return [str(beside)]
    found = shutil.which("remem", path=env.get("PATH"))
    return [found] if found else [sys.executable, "-m", "remem_cli"]
