"""Vectors beside the episodes: a cache, one a row and embedding space, rebuilt when missing."""

import sqlite3
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from remem_core.store.reading import decode_event_text
from remem_core.telling import embedded

Matrix = npt.NDArray[np.float32]


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
    for n in rows:
        found = db.execute("select event from episodes where n = ?", (n,)).fetchone()
        if found is not None:
            out.append((n, embedded(decode_event_text(found[0]))))
    return out


def put(db: sqlite3.Connection, space: str, rows: Sequence[int], matrix: Matrix) -> None:
    """Store vectors inside the caller's transaction; an episode that is gone gets none."""
    db.executemany(
        "insert or replace into vectors (n, space, v) select n, ?, ? from episodes where n = ?",
        [(space, vector.tobytes(), n) for n, vector in zip(rows, matrix, strict=True)],
    )


class VectorIndex:
    """One space's vectors in the process, as one matrix; it sees what others write.

    Rows are in no meaningful order. A refresh reads only what is new, or everything after a
    deletion.
    """

    def __init__(self, space: str, dimensions: int) -> None:
        self.space = space
        self.dimensions = dimensions
        self._clear()

    def _clear(self) -> None:
        self._last = 0
        self._seen: tuple[int, int] | None = None
        self._rows: npt.NDArray[np.int64] = np.empty(0, np.int64)
        self._matrix: Matrix = np.empty((0, self.dimensions), np.float32)
        self._place: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def refresh(self, db: sqlite3.Connection) -> None:
        """Take in what this or another process stored since the last call."""
        seen = (int(db.execute("pragma data_version").fetchone()[0]), db.total_changes)
        if seen == self._seen:
            return
        count, last = db.execute(
            "select count(*), coalesce(max(r), 0) from vectors where space = ?", (self.space,)
        ).fetchone()
        if last > self._last or count != len(self):
            self._read(db, after=self._last)
            if len(self) != count:  # something was deleted or replaced
                self._clear()
                self._read(db, after=0)
        self._seen = seen

    def _read(self, db: sqlite3.Connection, *, after: int) -> None:
        found = db.execute(
            "select r, n, v from vectors where space = ? and r > ? order by r",
            (self.space, after),
        ).fetchall()
        if not found:
            return
        rows = np.array([n for _, n, _ in found], np.int64)
        block = np.frombuffer(b"".join(v for _, _, v in found), np.float32)
        self._last = found[-1][0]
        self._rows = np.concatenate([self._rows, rows])
        self._matrix = np.concatenate([self._matrix, block.reshape(len(rows), self.dimensions)])
        self._place = {int(n): i for i, n in enumerate(self._rows)}

    def cosines(self, query: Matrix) -> Matrix:
        """Return the cosine of each vector with a unit query vector, in the index's order."""
        return self._matrix @ query

    def best(self, cosines: Matrix, count: int, among: Sequence[int] | None = None) -> list[int]:
        """Return the episodes' rows of the highest cosines, best first.

        `among` limits to these rows.
        """
        places = np.arange(len(self)) if among is None else self._places(among)
        if not len(places):
            return []
        values = cosines[places]
        top = np.argpartition(-values, min(count, len(values)) - 1)[:count]
        ordered = top[np.argsort(-values[top], kind="stable")]
        return [int(n) for n in self._rows[places[ordered]]]

    def cosine_of(self, cosines: Matrix, row: int) -> float | None:
        """Return one episode's cosine, None while it has no vector."""
        place = self._place.get(row)
        return None if place is None else float(cosines[place])

    def _places(self, rows: Sequence[int]) -> npt.NDArray[np.int64]:
        found = [self._place[n] for n in rows if n in self._place]
        return np.array(found, np.int64)
