"""Opening the one SQLite file, and short transactions on it.

Several agents' programs open the same file at once, so: WAL, a long busy timeout, and writes
only inside `transaction`, which takes the write lock at its start (a lock taken half-way can't
wait). A busy file is not a damaged one, and an older program refuses a newer file.
"""

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

from remem_core.errors import BusyError, NewerStoreError, StoreError
from remem_core.paths import APPLICATION_ID

Connection = sqlite3.Connection  # for those who hand one on: sqlite3 is named in this folder alone

SCHEMA_VERSION = 3
BUSY_SECONDS = 30.0
_RETRY_SECONDS = 0.02


def connect(path: Path) -> sqlite3.Connection:
    """Open the store, made or brought up to date first where it must be.

    Raises NewerStoreError, BusyError or StoreError.
    """
    with store_errors(path):
        create_private(path)
        db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            _configure(db, path)
        except BaseException:
            db.close()
            raise
        return db


@contextlib.contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Hold the write lock for a block: all of it is stored, or none."""
    with store_errors(None):
        db.execute("begin immediate")
        try:
            yield db
        except BaseException:
            if db.in_transaction:
                db.execute("rollback")
            raise
        db.execute("commit")


@contextlib.contextmanager
def moment(db: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Read as of one moment for a block, whatever others write meanwhile."""
    with store_errors(None):
        db.execute("begin")
        try:
            yield db
        finally:
            db.execute("rollback")


@contextlib.contextmanager
def store_errors(path: Path | None) -> Iterator[None]:
    """Turn SQLite's errors into ours, with what the owner can do about it."""
    where = f"{path}: " if path else ""
    try:
        yield
    except sqlite3.OperationalError as error:
        text = str(error)
        if "locked" in text or "busy" in text:
            raise BusyError(
                f"{where}other programs kept the memory busy for {BUSY_SECONDS:.0f} s; try again"
            ) from error
        if "full" in text:
            raise StoreError(
                f"{where}the disk is full; nothing was lost, free some space"
            ) from error
        if "disk I/O" in text:  # SQLite's words also for a shared memory file that found no room
            raise StoreError(
                f"{where}the disk is full or failing ({text}); what was stored is kept,"
                " free some space"
            ) from error
        if "readonly" in text or "unable to open" in text:
            raise StoreError(f"{where}cannot be written ({text}); see `remem doctor`") from error
        raise StoreError(f"{where}{text}") from error
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{where}{error}; see `remem doctor`") from error
    except OSError as error:
        raise StoreError(f"{where}{error.strerror or error}") from error


def create_private(path: Path) -> None:
    """Make the file 0600 before SQLite does: transcripts hold what nobody else should read."""
    if not path.exists():
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def _configure(db: sqlite3.Connection, path: Path) -> None:
    version = int(db.execute("pragma user_version").fetchone()[0])
    if version > SCHEMA_VERSION:
        raise NewerStoreError(
            f"{path} has schema {version}, this remem knows {SCHEMA_VERSION}; upgrade remem"
        )
    _use_wal(db)
    db.execute("pragma synchronous = normal")
    db.execute("pragma foreign_keys = on")
    db.execute("pragma secure_delete = on")  # what is forgotten does not linger in free pages
    if version < SCHEMA_VERSION:
        from remem_core.store.migrations import migrate

        with transaction(db):
            migrate(db)
            db.execute(f"pragma application_id = {APPLICATION_ID}")
            db.execute(f"pragma user_version = {SCHEMA_VERSION}")


def _use_wal(db: sqlite3.Connection) -> None:
    """Switch to WAL; two programs that do so at once get "locked" without any waiting."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            if db.execute("pragma journal_mode").fetchone()[0] != "wal":
                db.execute("pragma journal_mode = wal")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_SECONDS)
