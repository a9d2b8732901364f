"""An unfinished night: which pass it is at, and what that pass decided and has not done yet.

A pass decides on the store as it is, and its decisions are journalled before the first is done:
so a night that was killed goes on with the very same changes. A decision is dropped in the
transaction that does it.
"""

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, cast

import msgspec

from remem_core.batches import batches
from remem_core.lessons.changes import Change
from remem_core.store.connection import transaction
from remem_core.store.mentions import ids_in

BATCH = 500
State = Literal["deciding", "decided", "done"]
_ENCODE = msgspec.json.Encoder().encode
_DECODE = msgspec.json.Decoder(Change).decode


@dataclass(frozen=True)
class Run:
    """A night that began at `now` and is not over: the pass that it is at, and how far.

    `deciding`: the pass has to be run (again); `decided`: all its changes are in the journal, but
    for those that were done; `done`: the next pass is to come. `name` is "" before the first.
    """

    now: str
    name: str
    state: State


def current(db: sqlite3.Connection) -> Run | None:
    """Return the night that is not over."""
    row = db.execute("select now, pass, state from sleep_run").fetchone()
    return None if row is None else Run(row[0], row[1], cast(State, row[2]))


def begin(db: sqlite3.Connection, now: str) -> Run:
    """Begin a night; return the one that is not over instead, if there is one."""
    with transaction(db):
        db.execute("insert or ignore into sleep_run values (1, ?, '', 'done')", (now,))
        run = current(db)
    assert run is not None
    return run


def write(db: sqlite3.Connection, name: str, changes: Iterable[Change]) -> int:
    """Journal all that a pass decides, in short transactions; return how many changes.

    Until the last of them is in, the pass counts as not decided, and what is there of it goes
    when it is run again.
    """
    with transaction(db):
        db.execute("delete from sleep_journal")
        db.execute("update sleep_run set pass = ?, state = 'deciding'", (name,))
    count = 0
    for batch in batches(changes, BATCH):
        count += len(batch)
        with transaction(db):
            db.executemany(
                "insert into sleep_journal (change) values (?)",
                [(_ENCODE(change),) for change in batch],
            )
    with transaction(db):
        db.execute("update sleep_run set state = 'decided'")
    return count


def pending(db: sqlite3.Connection, *, limit: int = BATCH) -> list[tuple[int, Change]]:
    """Return (number, change) of what was decided and is not done, the first ones in order."""
    rows = db.execute(
        "select seq, change from sleep_journal, sleep_run where state = 'decided'"
        " order by seq limit ?",
        (limit,),
    )
    return [(seq, _DECODE(line)) for seq, line in rows]


def drop(db: sqlite3.Connection, numbers: Sequence[int]) -> None:
    """Drop what is done, inside the transaction that does it."""
    db.executemany("delete from sleep_journal where seq = ?", [(seq,) for seq in numbers])


def finish_pass(db: sqlite3.Connection) -> None:
    """Say that a pass is done, with what is left of its journal dropped."""
    with transaction(db):
        db.execute("delete from sleep_journal")
        db.execute("update sleep_run set state = 'done'")


def finish(db: sqlite3.Connection) -> None:
    """Say that the night is over."""
    with transaction(db):
        clear(db)


def clear(db: sqlite3.Connection) -> None:
    """Drop a night that is not over, inside the caller's transaction."""
    db.execute("delete from sleep_journal")
    db.execute("delete from sleep_run")


def drop_mentions(db: sqlite3.Connection, gone: Collection[str]) -> None:
    """Drop the changes that mention any of these ids, inside the caller's transaction."""
    rows = db.execute("select seq, change from sleep_journal").fetchall()
    drop(db, [seq for seq, line in rows if not ids_in(bytes(line).decode()).isdisjoint(gone)])


def is_empty(db: sqlite3.Connection) -> bool:
    """Tell whether nothing is left to be done."""
    return db.execute("select 1 from sleep_journal limit 1").fetchone() is None
