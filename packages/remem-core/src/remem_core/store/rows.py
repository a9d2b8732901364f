"""Records of the protocol as rows of their tables, and back."""

import json
import sqlite3
from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

from remem_core.lessons.changes import Kept
from remem_protocol import Alias, Lesson, Prediction, Record, SessionEntry, Veto

R = TypeVar("R")

_TABLES: dict[type[Any], tuple[str, str]] = {
    Lesson: ("lessons", "id"),
    Prediction: ("predictions", "id"),
    Alias: ("aliases", "old"),
    Veto: ("vetoes", "hash"),
    SessionEntry: ("sessions", "id"),
}
_LISTS = ("sources", "origins")


def columns_of(record: type[Any]) -> list[str]:
    """Return the columns of a record's table: its fields without the version."""
    return [name for name in record.__struct_fields__ if name != "v"]


def record_of(kind: type[Any], row: dict[str, Any]) -> Record:
    """Return the record of a row; raise ValueError where it is none."""
    for name in _LISTS:
        if name in row:
            row[name] = json.loads(row[name])
    made: Record = msgspec.convert(row | {"type": str(kind.__struct_config__.tag)}, kind)
    return made


def select(
    db: sqlite3.Connection, kind: type[R], condition: str, values: Iterable[Any] = ()
) -> list[R]:
    """Return the records of a kind's table `t` under what follows `from`: joins, where, order."""
    columns = columns_of(kind)
    named = ", ".join(f"t.{name}" for name in columns)
    found = db.execute(f"select {named} from {_TABLES[kind][0]} t {condition}", tuple(values))
    return [record_of(kind, dict(zip(columns, row, strict=True))) for row in found]  # type: ignore[misc]


def find(db: sqlite3.Connection, kind: type[R], key: str) -> R | None:
    """Return the record of a key, None where there is none."""
    found = select(db, kind, f"where t.{_TABLES[kind][1]} = ?", (key,))
    return found[0] if found else None


def put(db: sqlite3.Connection, record: Kept | SessionEntry) -> None:
    """Store a record in place of the one of its key, inside the caller's transaction."""
    table, key = _TABLES[type(record)]
    columns = columns_of(type(record))
    values = [getattr(record, name) for name in columns]
    # Not "insert or replace": that would pass the triggers for what goes by.
    db.execute(
        f"insert into {table} ({', '.join(columns)}) values ({', '.join('?' * len(columns))})"
        f" on conflict ({key}) do update set"
        f" {', '.join(f'{name} = excluded.{name}' for name in columns if name != key)}",
        [json.dumps(value) if isinstance(value, tuple) else value for value in values],
    )


def remove(db: sqlite3.Connection, record: Kept) -> None:
    """Delete the record of this one's key, inside the caller's transaction."""
    table, key = _TABLES[type(record)]
    db.execute(f"delete from {table} where {key} = ?", (getattr(record, key),))
