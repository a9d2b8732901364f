"""Copies of the whole store: made while others use it, checked, and laid back over the present.

Restoring compares rows under the write lock of the one file that everybody has open. Replacing
the file instead would leave other programs writing into one that has no name any more, and
SQLite's own backup into a live file can not be one transaction with the tombstones, the vetoes
and the ledger entry that must come with it (MEM-064, MEM-065).
"""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from remem_core.paths import APPLICATION_ID
from remem_core.store import erasing, journal, records, tombstones
from remem_core.store.connection import connect, create_private, store_errors, transaction
from remem_protocol import Record


def copy_to(db: sqlite3.Connection, path: Path) -> None:
    """Write the store as of this moment to a new file, private and in one piece."""
    with store_errors(path):
        create_private(path)
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as copy:
            db.backup(copy)
            close_whole(copy)


def close_whole(copy: sqlite3.Connection) -> None:
    """Close a store so that its one file is all of it, with no log beside."""
    with store_errors(None):
        copy.execute("pragma journal_mode = delete")
        copy.close()


def faults(path: Path) -> list[str]:
    """Return what is wrong with a file as a store of ours; nothing is written to it."""
    try:
        with look(path) as db:
            if db.execute("pragma application_id").fetchone()[0] != APPLICATION_ID:
                return ["not a memory of remem"]
            found = [row[0] for row in db.execute("pragma quick_check(3)")]
            return [] if found == ["ok"] else found
    except sqlite3.DatabaseError as error:
        return [str(error)]


def schema_of(path: Path) -> int:
    """Return the schema of a file that is a store."""
    with store_errors(path), look(path) as db:
        return int(db.execute("pragma user_version").fetchone()[0])


def counts_of(path: Path) -> dict[str, int]:
    """Return type → how many records of it a store holds."""
    with store_errors(path), look(path) as db:
        return records.count(db)


@contextlib.contextmanager
def look(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a file that nobody writes to, for reading alone; it is not trusted to run anything."""
    db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        db.execute("pragma trusted_schema = off")
        yield db
    finally:
        db.close()


@contextlib.contextmanager
def beside(db: sqlite3.Connection, path: Path) -> Iterator[None]:
    """Have another store beside this one as `past`, for reading."""
    with store_errors(path):
        db.execute("attach ? as past", (str(path),))
    try:
        yield
    finally:
        db.execute("detach past")


def clear_for(db: sqlite3.Connection) -> None:
    """Remove what `past` does not hold or tells otherwise, and make equal what both hold.

    Inside the caller's transaction. Vectors and words of what both hold stay as they are.
    """
    db.execute("delete from episodes where id not in (select id from past.episodes)")
    columns = ", ".join(name for name in _columns(db) if name not in ("n", "id", "twin"))
    db.execute(
        "delete from vectors where n in (select e.n from episodes e join past.episodes p"
        " on p.id = e.id where p.event <> e.event)"
    )
    db.execute(
        f"update episodes set ({columns}) ="
        f" (select {columns} from past.episodes p where p.id = episodes.id)"
        f" where exists (select 1 from past.episodes p where p.id = episodes.id"
        f" and ({_prefixed('p', columns)}) is not ({_prefixed('episodes', columns)}))"
    )
    for table in ("sessions", "lessons", "predictions", "aliases", "files"):
        db.execute(f"delete from {table}")
    db.execute("insert into files select * from past.files")
    journal.clear(db)  # what a night had decided was about what is no more


def missing(db: sqlite3.Connection, past: sqlite3.Connection) -> Iterator[Record]:
    """Yield the records of a past store that this one has not; a ledger only to one without."""
    has_ledger = db.execute("select 1 from ledger limit 1").fetchone() is not None
    for record in records.export(past):
        tag = record.__struct_config__.tag
        if tag == "export" or (tag == "ledger" and has_ledger):
            continue
        if (
            tag == "episode"
            and db.execute(
                "select 1 from episodes where id = ?", (getattr(record, "id", None),)
            ).fetchone()
        ):
            continue
        yield record


def settle(db: sqlite3.Connection) -> None:
    """Let what a missing note had superseded be valid again (MEM-086)."""
    db.execute(
        "update episodes set superseded_by = null,"
        " valid_until = json_extract(event, '$.valid_until')"
        " where superseded_by not in (select id from episodes)"
    )


def record_restore(db: sqlite3.Connection, why: str, *, now: str) -> None:
    """Write RESTORE to the ledger, which itself is never laid back (MEM-065)."""
    db.execute(
        "insert into ledger (at, verb, subject, why) values (?, 'RESTORE', '', ?)",
        (now, why),
    )


def holds_buried(db: sqlite3.Connection, path: Path) -> bool:
    """Tell whether a past store holds what this one's tombstones keep out."""
    with beside(db, path), store_errors(path):
        found = erasing.buried(db, "past")
    return bool(found.rows or found.sessions)


def scrub_copy(db: sqlite3.Connection, path: Path) -> None:
    """Take out of a copy what the store's tombstones keep out, to the last byte."""
    copy = connect(path)
    with contextlib.closing(copy):
        with transaction(copy):
            tombstones.bury(copy, tombstones.all_of(db))
            erasing.erase(copy, erasing.buried(copy), now=None)
        erasing.scrub(copy)
        close_whole(copy)


def _columns(db: sqlite3.Connection) -> list[str]:
    return [name for _, name, *_ in db.execute("pragma table_info(episodes)")]


def _prefixed(table: str, columns: str) -> str:
    return ", ".join(f"{table}.{name}" for name in columns.split(", "))


@contextlib.contextmanager
def reader_of(db: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Open the same file again, to read what is committed while this one holds the write lock."""
    path = db.execute("pragma database_list").fetchone()[2]
    with contextlib.closing(sqlite3.connect(f"{Path(path).as_uri()}?mode=ro", uri=True)) as reader:
        yield reader
