"""Walking an agent's folders for its files: links are followed once, no loop catches it."""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path


def home_of(env: Mapping[str, str]) -> Path:
    """Find the person's home folder."""
    return Path(env["HOME"]) if env.get("HOME") else Path.home()


def files_below(
    path: Path,
    is_wanted: Callable[[Path], bool],
    is_entered: Callable[[Path], bool] = lambda folder: True,
) -> Iterator[Path]:
    """Find the wanted files below a folder, in order of their paths; a file is itself.

    Links are followed, but each real folder and each real file is visited once.
    """
    if path.is_dir():
        yield from _below(path, is_wanted, is_entered, set())
    elif path.exists():
        yield path


def _below(
    folder: Path,
    is_wanted: Callable[[Path], bool],
    is_entered: Callable[[Path], bool],
    visited: set[str],
) -> Iterator[Path]:
    if not _first_visit(folder, visited):
        return
    try:
        entries = sorted(folder.iterdir())
    except OSError:  # a folder we may not read hides its sessions, not everybody else's
        return
    for entry in entries:
        if entry.is_dir():
            if is_entered(entry):
                yield from _below(entry, is_wanted, is_entered, visited)
        elif is_wanted(entry) and _first_visit(entry, visited):
            yield entry


def _first_visit(path: Path, visited: set[str]) -> bool:
    real = os.path.realpath(path)
    if real in visited:
        return False
    visited.add(real)
    return True
