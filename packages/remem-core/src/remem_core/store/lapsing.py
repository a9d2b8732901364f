"""Lessons that lose what they rest on to a better reading of a session: they go, and sleep makes
them again of what is left. The ledger keeps what they were.
"""

import json
import sqlite3
from collections.abc import Sequence

from remem_core.lessons.changes import Change, Kept
from remem_core.store import ledger, lessons, rows
from remem_protocol import Lesson


def lapse(db: sqlite3.Connection, episodes: Sequence[str], *, now: str) -> int:
    """Remove the lessons that rest on episodes, inside the caller's transaction; return how many.

    An episode that is no surprise after all must not go on speaking through a lesson (MEM-088).
    """
    resting = db.execute(
        "select distinct lesson from lesson_sources"
        " where episode in (select value from json_each(?)) order by lesson",
        (json.dumps(list(episodes)),),
    ).fetchall()
    for (id_,) in resting:
        gone: list[Kept] = [
            *rows.select(db, Lesson, "where t.id = ?", (id_,)),
            *lessons.hanging(db, id_),
        ]
        for record in gone:
            rows.remove(db, record)
        why = "what it rests on is not found by a better reading"
        change = Change(verb="FORGET", subject=id_, at=now, before=tuple(gone), why=why)
        ledger.enter(db, change)
    return len(resting)
