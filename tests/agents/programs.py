"""The real agents, from the npm registry, in the versions whose behaviour we know."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

# Program → (package, version). A newer one may behave differently: raise it, run, read what fails.
PINNED = {
    "claude": ("@anthropic-ai/claude-code", "2.1.197"),
    "codex": ("@openai/codex", "0.171.0"),
    "gemini": ("@google/gemini-cli", "0.61.0"),
}
INSTALL_SECONDS = 900


def cache() -> Path:
    """Return the folder that they are kept in between runs."""
    given = os.environ.get("REMEM_AGENT_CACHE")
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "remem-tests" / "agents"


def obtain(name: str) -> Path:
    """Return the program, installed first where it is not yet; skip the test where it can't be."""
    package, version = PINNED[name]
    folder = cache() / f"{name}-{version}"
    program = folder / "node_modules" / ".bin" / name
    if not program.exists():
        _install(f"{package}@{version}", folder)
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    if version not in told.stdout:
        pytest.skip(f"{name} {version} does not start: {(told.stderr or told.stdout)[-300:]}")
    return program.resolve()


def _install(package: str, folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip(f"no npm on PATH to install {package} with")
    folder.mkdir(parents=True, exist_ok=True)
    argv = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), package]
    done = subprocess.run(
        argv, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False
    )
    if done.returncode:
        pytest.skip(f"npm could not install {package}: {done.stderr[-500:]}")
