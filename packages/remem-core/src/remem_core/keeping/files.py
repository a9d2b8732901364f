"""Private files, written whole: what snapshots and repairs do on disk beside SQLite."""

import hashlib
import os
import tempfile
from pathlib import Path
from typing import Protocol

_BLOCK = 1 << 20


class Readable(Protocol):
    """Anything that gives bytes."""

    def read(self, size: int, /) -> bytes: ...


def new_part(folder: Path) -> Path:
    """Return a new empty file, readable by the owner alone, for something unfinished."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=folder, prefix=".", suffix=".part")
    os.close(descriptor)
    return Path(name)


def claim_name(path: Path) -> bool:
    """Make an empty file of a name that nobody has; False where somebody has it."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    return True


def write_blocks(source: Readable, target: Path, *, limit: int) -> None:
    """Write at most `limit` bytes: a packed file can promise little and be big."""
    with target.open("wb") as file:
        while limit > 0 and (block := source.read(min(_BLOCK, limit))):
            limit -= len(block)
            file.write(block)


def replace_whole(part: Path, path: Path) -> None:
    """Give a finished file its name, on disk before it is seen."""
    descriptor = os.open(part, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    part.replace(path)


def sha256_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def store_files(path: Path) -> list[Path]:
    """Return a store's file and those that SQLite keeps beside it, where they are there."""
    files = [Path(f"{path}{suffix}") for suffix in ("", "-wal", "-shm", "-journal")]
    return [file for file in files if file.exists()]


def remove_store(path: Path) -> None:
    """Remove a store's file and those beside it."""
    for file in store_files(path):
        file.unlink(missing_ok=True)
