"""Which vectors are nearest: exact up to some size, by sign bits with exact rescoring above it.

A process that asks often keeps the vectors as one float32 matrix, up to `MATRIX_ROWS` of them.
A cold start, and a store beyond that, compares sign bits (48 bytes a vector, read from the
sidecar) and takes the exact cosine of the nearest thousand from the store itself. At 50,000 that
found the exact ten at every question measured, at a million 98 % of them.
"""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

from remem_core.store import sidecar, vectors
from remem_core.store.sidecar import Bits
from remem_core.store.vectors import Matrix, Rows

MATRIX_ROWS = 50_000
SIDECAR_ROWS = 4_096  # fewer are read from the store in a few milliseconds
RESCORED, RESCORED_SHARE = 1_000, 1_000  # a thousand, and one more for each thousand vectors
_CHECKED = 8
# Vectors that are mostly zeros (word counts) have no signs to speak of.
_DENSE = 0.5


class Near(Protocol):
    """A question's vector against the index."""

    def best(self, count: int, among: Sequence[int] | None = None) -> list[int]:
        """Return the episodes of the highest cosines, best first; `among` limits to these."""
        ...

    def cosines(self, rows: Sequence[int]) -> dict[int, float]:
        """Return episode → exact cosine, for those that have a vector."""
        ...


class VectorIndex:
    """One space's vectors in this process. It sees what other processes write."""

    def __init__(
        self,
        space: str,
        dimensions: int,
        cache: Path | None = None,
        *,
        matrix_rows: int = MATRIX_ROWS,
        sidecar_rows: int = SIDECAR_ROWS,
    ) -> None:
        self.space = space
        self.dimensions = dimensions
        self._cache = cache
        self._matrix_rows = matrix_rows
        self._sidecar_rows = sidecar_rows
        self._width = -(-dimensions // 64)
        self._asked = 0
        self._clear()

    def _clear(self) -> None:
        self._last = 0
        self._seen: tuple[int, int] | None = None
        self._rows: Rows = np.empty(0, np.int64)
        self._order: Rows = np.empty(0, np.int64)
        self._bits: Bits = np.empty((0, self._width), np.uint64)
        self._matrix: Matrix | None = np.empty((0, self.dimensions), np.float32)

    def __len__(self) -> int:
        return len(self._rows)

    def refresh(self, db: sqlite3.Connection) -> None:
        """Take in what this or another process stored since the last call."""
        seen = (int(db.execute("pragma data_version").fetchone()[0]), db.total_changes)
        if seen == self._seen:
            return
        count, last = vectors.extent(db, self.space)
        if not len(self) and count >= self._sidecar_rows:
            self._load(db, count, last)
        before = len(self)
        if last > self._last:
            self._read(db)
        if len(self) != count:  # something was deleted or replaced
            self._clear()
            before = 0
            self._read(db)
        if len(self) - before >= self._sidecar_rows and self._cache is not None:
            sidecar.save(self._cache, self._rows, self._bits, self._last)
        self._seen = seen

    def ask(self, db: sqlite3.Connection, vector: Matrix) -> Near:
        """Compare a unit vector with all of them."""
        self._asked += 1
        if self._matrix is None and self._asked > 1 and len(self) <= self._matrix_rows:
            self._clear()  # a second question: this process is one that asks often
            self._read(db)
        if self._matrix is not None:
            return _Exact(self, self._matrix @ vector)
        return _ByBits(db, self, vector)

    def nearest_bits(self, vector: Matrix, count: int, among: Sequence[int] | None) -> Rows:
        """Return the episodes whose signs differ least from a vector's, in no order."""
        places = np.arange(len(self)) if among is None else self.places(among)
        bits = self._bits if among is None else self._bits[places]
        differing = np.bitwise_count(bits ^ _signs(vector[None], self._width)).sum(axis=1)
        if len(places) > count:
            places = places[np.argpartition(differing, count)[:count]]
        return self._rows[places]

    def _load(self, db: sqlite3.Connection, count: int, last: int) -> None:
        """Start from the sidecar, when it is of this store and not beyond it."""
        if self._cache is None or (kept := sidecar.load(self._cache, self._width)) is None:
            return
        rows, bits, upto = kept
        if upto > last or len(rows) > count or not len(rows):
            return
        chosen = np.linspace(0, len(rows) - 1, _CHECKED).astype(int)
        found, matrix = vectors.fetch(db, self.space, self.dimensions, rows[chosen].tolist())
        truth = dict(zip(found.tolist(), _signs(matrix, self._width), strict=True))
        if all(np.array_equal(truth.get(int(rows[i]), ()), bits[i]) for i in chosen):
            self._rows, self._bits, self._last, self._matrix = rows, bits, upto, None
            self._order = np.argsort(rows, kind="stable")

    def _read(self, db: sqlite3.Connection) -> None:
        """Take in what was written after the last vector seen; keep the matrix while it fits."""
        rows, bits = [self._rows], [self._bits]
        matrix = None if self._matrix is None else [self._matrix]
        total = len(self)
        for last, more, block in vectors.written_after(db, self.space, self.dimensions, self._last):
            self._last = last
            total += len(more)
            rows.append(more)
            bits.append(_signs(block, self._width))
            dense = np.count_nonzero(block) > _DENSE * block.size
            if matrix is not None and dense and total > self._matrix_rows:
                matrix = None
            elif matrix is not None:
                matrix.append(block)
        self._rows, self._bits = np.concatenate(rows), np.concatenate(bits)
        self._matrix = None if matrix is None else np.concatenate(matrix)
        self._order = np.argsort(self._rows, kind="stable")

    def places(self, rows: Sequence[int]) -> Rows:
        """Return where in this index the given episodes stand; those without vector nowhere."""
        wanted = np.asarray(rows, np.int64)
        if not len(self) or not len(wanted):
            return np.empty(0, np.int64)
        at = np.searchsorted(self._rows, wanted, sorter=self._order)
        places: Rows = self._order[np.minimum(at, len(self) - 1)]
        found: Rows = places[self._rows[places] == wanted]
        return found

    @property
    def rows(self) -> Rows:
        """The episodes in the order of the index."""
        return self._rows


class _Exact:
    """Every cosine, from the matrix."""

    def __init__(self, index: VectorIndex, cosines: Matrix) -> None:
        self._index = index
        self._cosines = cosines

    def best(self, count: int, among: Sequence[int] | None = None) -> list[int]:
        """Return the episodes of the highest cosines, best first."""
        index = self._index
        places = np.arange(len(index)) if among is None else index.places(among)
        if not len(places):
            return []
        values = self._cosines[places]
        top = np.argpartition(-values, min(count, len(values)) - 1)[:count]
        best = places[top[np.argsort(-values[top], kind="stable")]]
        return [int(n) for n in index.rows[best]]

    def cosines(self, rows: Sequence[int]) -> dict[int, float]:
        """Return episode → cosine."""
        places = self._index.places(rows)
        found = zip(self._index.rows[places].tolist(), self._cosines[places].tolist(), strict=True)
        return dict(found)


class _ByBits:
    """The nearest by sign bits, their cosines from the store."""

    def __init__(self, db: sqlite3.Connection, index: VectorIndex, vector: Matrix) -> None:
        self._db = db
        self._index = index
        self._vector = vector

    def best(self, count: int, among: Sequence[int] | None = None) -> list[int]:
        """Return the episodes of the highest cosines among the nearest by bits, best first."""
        rescored = RESCORED + len(self._index) // RESCORED_SHARE
        rows = self._index.nearest_bits(self._vector, rescored, among)
        found = self.cosines(rows.tolist())
        return sorted(found, key=lambda n: (-found[n], n))[:count]

    def cosines(self, rows: Sequence[int]) -> dict[int, float]:
        """Return episode → cosine."""
        index = self._index
        found, matrix = vectors.fetch(self._db, index.space, index.dimensions, rows)
        return dict(zip(found.tolist(), (matrix @ self._vector).tolist(), strict=True))


def _signs(matrix: Matrix, width: int) -> Bits:
    """Return one row of 64-bit words a vector: bit set where it is above zero."""
    packed = np.packbits(matrix > 0, axis=1)
    full = np.zeros((len(matrix), width * 8), np.uint8)
    full[:, : packed.shape[1]] = packed
    return full.view(np.uint64)
