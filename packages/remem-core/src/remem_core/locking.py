"""One at a time, across programs: a lock that the system takes back when its holder ends."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import filelock

from remem_core.errors import BusyError


@contextlib.contextmanager
def alone(lock: Path, busy: str) -> Iterator[None]:
    """Hold the lock of a file for a block. Raises BusyError with the words `busy` at once."""
    held = filelock.FileLock(lock, timeout=0, mode=0o600)
    try:
        held.acquire()
    except filelock.Timeout:
        raise BusyError(busy) from None
    try:
        yield
    finally:
        held.release()
