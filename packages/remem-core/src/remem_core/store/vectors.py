"""Vectors beside the episodes: a cache, one a row and embedding space, rebuilt when missing."""

import sqlite3
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from remem_core.store.reading import decode_event_text, events_of
from remem_core.telling import embedded

Matrix = npt.NDArray[np.float32]
Rows = npt.NDArray[np.int64]
BLOCK = 8_192


def pending(
    db: sqlite3.Connection, space: str, *, limit: int, before: int | None = None
) -> list[tuple[int, str]]:
    """Return (row, text to embed) of episodes without a vector in a space, newest first."""
    rows = db.execute(
        "select n, event from episodes e where n < coalesce(?, 9e18) and not exists"
        " (select 1 from vectors v where v.space = ? and v.n = e.n) order by n desc limit ?",
        (before, space, limit),
    )
    return [(n, embedded(decode_event_text(line))) for n, line in rows]


def count_pending(db: sqlite3.Connection, space: str) -> int:
    """Return how many episodes have no vector in a space."""
    row = db.execute(
        "select count(*) from episodes e where not exists"
        " (select 1 from vectors v where v.space = ? and v.n = e.n)",
        (space,),
    ).fetchone()
    return int(row[0])


def texts(db: sqlite3.Connection, rows: Sequence[int]) -> list[tuple[int, str]]:
    """Return (row, text to embed) of given episodes that are still there."""
    out = []
    for start in range(0, len(rows), 500):
        part = rows[start : start + 500]
        events = events_of(db, part)
        out += [(n, embedded(events[n])) for n in part if n in events]
    return out


def put(db: sqlite3.Connection, space: str, rows: Sequence[int], matrix: Matrix) -> None:
    """Store vectors inside the caller's transaction; an episode that is gone gets none."""
    db.executemany(
        "insert or replace into vectors (n, space, v) select n, ?, ? from episodes where n = ?",
        [(space, vector.tobytes(), n) for n, vector in zip(rows, matrix, strict=True)],
    )


def extent(db: sqlite3.Connection, space: str) -> tuple[int, int]:
    """Return (how many vectors a space has, the number of the last one written)."""
    count, last = db.execute(
        "select count(*), coalesce(max(r), 0) from vectors where space = ?", (space,)
    ).fetchone()
    return int(count), int(last)


def written_after(
    db: sqlite3.Connection, space: str, dimensions: int, last: int
) -> Iterator[tuple[int, Rows, Matrix]]:
    """Yield (number of the last one, rows, vectors) of what was written later, in that order.

    In blocks, because a large store has more vectors than should be held twice.
    """
    while True:
        found = db.execute(
            # The plus keeps SQLite from the index by space, all of which it would sort for a block.
            "select r, n, v from vectors where +space = ? and r > ? order by r limit ?",
            (space, last, BLOCK),
        ).fetchall()
        if not found:
            return
        last = found[-1][0]
        rows = np.array([n for _, n, _ in found], np.int64)
        yield last, rows, _stack([v for _, _, v in found], dimensions)


def fetch(
    db: sqlite3.Connection, space: str, dimensions: int, rows: Sequence[int]
) -> tuple[Rows, Matrix]:
    """Return (rows, vectors) of those of the given episodes that have one, in no order."""
    found: list[tuple[int, bytes]] = []
    for start in range(0, len(rows), 500):
        part = rows[start : start + 500]
        marks = ", ".join("?" * len(part))
        found += db.execute(
            f"select n, v from vectors where space = ? and n in ({marks})", (space, *part)
        )
    return np.array([n for n, _ in found], np.int64), _stack([v for _, v in found], dimensions)


def _stack(blobs: list[bytes], dimensions: int) -> Matrix:
    return np.frombuffer(b"".join(blobs), np.float32).reshape(len(blobs), dimensions)
