"""What the owner said never to, and lifting that again: asked on every way in (MEM-053)."""

import json
import sqlite3
from collections.abc import Collection

from remem_core.store import rows
from remem_protocol import Lesson, Veto


def any_holds(db: sqlite3.Connection) -> bool:
    """Tell whether there is any veto that was not lifted."""
    return db.execute("select 1 from vetoes where lifted is null limit 1").fetchone() is not None


def veto_of(
    db: sqlite3.Connection, lesson: Lesson, *, without: Collection[str] = ()
) -> Veto | None:
    """Return the veto that a lesson falls under by its words or by a source of it.

    `without` are hashes of vetoes that do not count.
    """
    found = rows.select(db, Veto, _HOLDS, (lesson.hash, json.dumps(lesson.sources)))
    return next((veto for veto in found if veto.hash not in without), None)


_HOLDS = (
    "where t.lifted is null and (t.hash = ? or t.hash in (select v.hash from veto_sources v"
    " join json_each(?) s on s.value = v.episode)) order by t.at, t.hash"
)
