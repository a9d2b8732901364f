"""Walking an agent's folders for its files: links are followed once, no loop catches it."""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

OPENING_BYTES = 256 * 1024
_NOT_ENTERED = frozenset({".git", "node_modules", "tool-results", "file-history", "checkpoints"})


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


def recognised_below(
    path: Path, suffixes: frozenset[str], recognises: Callable[[bytes], bool]
) -> Iterator[Path]:
    """Find the files below a folder that a reader recognises, whatever they are called.

    Folders of programs' own data are not entered. A file is itself.
    """

    def is_wanted(file: Path) -> bool:
        return file.suffix in suffixes and recognises(opening_of(file))

    return files_below(path, is_wanted, lambda folder: folder.name not in _NOT_ENTERED)


def opening_of(file: Path) -> bytes:
    """Read what a file is recognised by; nothing of one that can't be read."""
    try:
        with file.open("rb") as opened:
            return opened.read(OPENING_BYTES)
    except OSError:
        return b""


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
