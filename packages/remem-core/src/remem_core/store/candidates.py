"""Candidates (EVT-045): corrections too unsure to be counted or recalled, kept in the archive.

There they are forgotten, exported and replaced like everything else, and come back by themselves
when a better reading of the session is sure of them.
"""

import sqlite3
from collections.abc import Sequence

from remem_core.store.fold import FoldCounts
from remem_protocol import Correction, Event


def release(db: sqlite3.Connection, events: Sequence[Event]) -> list[str]:
    """Before events are folded: bring back what is a candidate no longer.

    Returns the ids of the candidates that are not stored yet.
    """
    found = [event for event in events if isinstance(event, Correction)]
    db.executemany(
        "update episodes set archived = null where id = ? and archived is not null"
        " and json_extract(event, '$.candidate')",
        [(event.id,) for event in found if not event.candidate],
    )
    stored = "select 1 from episodes where id = ?"
    candidates = [event.id for event in found if event.candidate]
    return [i for i in candidates if db.execute(stored, (i,)).fetchone() is None]


def set_aside(
    db: sqlite3.Connection, events: Sequence[Event], fresh: Sequence[str], got: FoldCounts, now: str
) -> None:
    """After events were folded: archive the candidates, and don't count the `fresh` ones."""
    db.executemany(
        "update episodes set archived = ? where id = ? and archived is null"
        " and json_extract(event, '$.candidate')",
        [(now, e.id) for e in events if isinstance(e, Correction) and e.candidate],
    )
    stored = "select 1 from episodes where id = ?"
    for id_ in set(fresh):
        if db.execute(stored, (id_,)).fetchone() is not None:
            got.new -= 1
            got.by_kind["correction"] -= 1
