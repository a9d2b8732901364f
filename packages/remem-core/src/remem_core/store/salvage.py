"""Reading what can still be read of a damaged store, row by row, past the pages that can not."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from remem_core.store import records, rows
from remem_protocol import Record

_STEP = 256
_HIGHEST = 1 << 30


@contextlib.contextmanager
def damaged_store(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a store that may be damaged, to read."""
    db = sqlite3.connect(path, isolation_level=None)
    try:
        with contextlib.suppress(sqlite3.DatabaseError):
            db.execute("pragma query_only = on")
            db.execute("pragma cell_size_check = on")  # a broken page is an error, not a guess
        yield db
    finally:
        db.close()


def readable(db: sqlite3.Connection) -> Iterator[Record | None]:
    """Yield every record that can be read, in the order of an export; None for one that can not.

    Rows are looked up by their number, so one broken page costs the rows on it alone.
    """
    for kind, table, _ in records.ORDER:
        columns = rows.columns_of(kind)
        for row in _rows(db, table, columns):
            yield None if row is None else _record(kind, dict(zip(columns, row, strict=True)))


def _record(kind: type[Any], row: dict[str, Any]) -> Record | None:
    try:
        return rows.record_of(kind, row)
    except (ValueError, TypeError):
        return None


def _rows(
    db: sqlite3.Connection, table: str, columns: list[str]
) -> Iterator[tuple[Any, ...] | None]:
    select = f"select {', '.join(columns)} from {table} where rowid"
    for low in range(1, _last(db, table) + 1, _STEP):
        try:
            yield from db.execute(
                f"{select} between ? and ? order by rowid", (low, low + _STEP - 1)
            ).fetchall()
        except sqlite3.DatabaseError:
            yield from _one_by_one(db, f"{select} = ?", low)


def _one_by_one(db: sqlite3.Connection, select: str, low: int) -> Iterator[tuple[Any, ...] | None]:
    for row in range(low, low + _STEP):
        try:
            yield from db.execute(select, (row,)).fetchall()
        except sqlite3.DatabaseError:
            yield None


def _last(db: sqlite3.Connection, table: str) -> int:
    """Return the highest row number: asked for, else searched for, past broken pages."""
    try:
        return int(db.execute(f"select coalesce(max(rowid), 0) from {table}").fetchone()[0])
    except sqlite3.DatabaseError:
        pass
    last, row = 0, 1
    while row < _HIGHEST:  # a broken page answers with an error, nothing further on with no row
        try:
            found = db.execute(f"select 1 from {table} where rowid >= ? limit 1", (row,))
            if found.fetchone() is None:
                break
            last = 2 * row
        except sqlite3.DatabaseError as error:
            if "malformed" not in str(error):
                break  # no such table, no database at all
        row *= 2
    return last
