"""Vectors by which sources of lessons are linked: a cache beside those that recall compares."""

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from remem_core.lessons.sources import Source, read_source
from remem_core.store.connection import transaction
from remem_core.store.lessons import PAGE, SURPRISES

Vector = npt.NDArray[np.float32]


def pending(db: sqlite3.Connection, space: str) -> Iterator[Source]:
    """Yield what a lesson may rest on and has no vector in a space, a page at a time."""
    last = -1
    while found := db.execute(_PENDING, (last, space, PAGE)).fetchall():
        for n, line in found:
            last = n
            if (source := read_source(line)) is not None:
                yield source


_PENDING = (
    f"select n, event from episodes e where kind in {SURPRISES} and n > ? and not exists"
    " (select 1 from vectors v where v.space = ? and v.n = e.n) order by n limit ?"
)


def fetch(db: sqlite3.Connection, space: str, ids: Sequence[str]) -> dict[str, Vector]:
    """Return id → vector of those episodes that have one in a space."""
    found = db.execute(
        "select e.id, v.v from episodes e join vectors v on v.n = e.n and v.space = ?"
        " where e.id in (select value from json_each(?))",
        (space, json.dumps(list(ids))),
    )
    return {id_: np.frombuffer(blob, np.float32) for id_, blob in found}


def put(db: sqlite3.Connection, space: str, ids: Sequence[str], matrix: Vector) -> None:
    """Store vectors, a row each; an episode that is gone gets none."""
    with contextlib.nullcontext() if db.in_transaction else transaction(db):
        db.executemany(
            "insert or replace into vectors (n, space, v)"
            " select n, ?, ? from episodes where id = ?",
            [(space, row.tobytes(), id_) for id_, row in zip(ids, matrix, strict=True)],
        )
