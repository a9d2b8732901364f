"""Everything a memory holds as records of the protocol, in the order of an export (MEM-071)."""

import sqlite3
from collections.abc import Iterator
from typing import Any

from sqlite_utils import Database

from remem_core.store.rows import columns_of, record_of
from remem_protocol import (
    Alias,
    Episode,
    ExportHeader,
    LedgerEntry,
    Lesson,
    Prediction,
    Record,
    SessionEntry,
    Tombstone,
    Veto,
)

# (record, table, order): `at` of an episode is its event's. SQLite compares texts as UTF-8 bytes.
ORDER: tuple[tuple[type[Any], str, str], ...] = (
    (Tombstone, "tombstones", "key"),
    (Veto, "vetoes", "hash"),
    (SessionEntry, "sessions", "started, id"),
    (Episode, "episodes", "at, id"),
    (Lesson, "lessons", "created, id"),
    (Prediction, "predictions", "made, id"),
    (Alias, "aliases", "old"),
    (LedgerEntry, "ledger", "seq"),
)


def export(db: sqlite3.Connection) -> Iterator[Record]:
    """Yield the header and every record, as of one moment; inside the caller's transaction."""
    yield ExportHeader(records=count(db))
    tables = Database(db, execute_plugins=False)
    for kind, table, order in ORDER:
        columns = ", ".join(columns_of(kind))
        for row in tables.query(f"select {columns} from {table} order by {order}"):
            yield record_of(kind, row)


def count(db: sqlite3.Connection) -> dict[str, int]:
    """Return type → how many records of it there are, without the types of which there are none.

    An older store may have no table for a type yet.
    """
    there = {name for (name,) in db.execute("select name from sqlite_master where type = 'table'")}
    counted = {
        _tag(record): int(db.execute(f"select count(*) from {table}").fetchone()[0])
        for record, table, _ in ORDER
        if table in there
    }
    return {tag: number for tag, number in counted.items() if number}


def _tag(record: type[Any]) -> str:
    return str(record.__struct_config__.tag)
