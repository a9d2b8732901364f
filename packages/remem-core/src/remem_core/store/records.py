"""Everything a memory holds as records of the protocol, in the order of an export (MEM-071)."""

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

import msgspec
from sqlite_utils import Database

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
_LISTS = ("sources", "origins")


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


def columns_of(record: type[Any]) -> list[str]:
    """Return the columns of a record's table: its fields without the version."""
    return [name for name in record.__struct_fields__ if name != "v"]


def record_of(kind: type[Any], row: dict[str, Any]) -> Record:
    """Return the record of a row; raise ValueError where it is none."""
    for name in _LISTS:
        if name in row:
            row[name] = json.loads(row[name])
    made: Record = msgspec.convert(row | {"type": _tag(kind)}, kind)
    return made


def _tag(record: type[Any]) -> str:
    return str(record.__struct_config__.tag)
