"""What is measured on, read as of one moment: vetoed lessons are not among it (MEM-053)."""

import sqlite3
from collections import defaultdict

from remem_core.measure.given import Given, Happened, Rested, Sitting, seconds
from remem_core.store import connection, lessons, tallying

# What sleep alone does; a night that changed nothing leaves no row.
_BY_NIGHT = "('CORROBORATE', 'REFINE', 'CORRECT', 'MERGE', 'SPLIT', 'PREDICT', 'RESOLVE')"


def given(db: sqlite3.Connection, *, since: str | None, now: str, night: str | None) -> Given:
    """Return all there is to measure on.

    `night` is the last night as the morning's report has it; the ledger may know of a later one.
    Hand-backs and corrections are those from `since` on.
    """
    with connection.moment(db):
        night = _last_night(db, night)
        # A lesson that ended is followed until then; one that is to come has no past.
        kept = lessons.lessons(db, at=now, project=lessons.ALL, archived=True, closed=True)
        rests_on = _sources(db)
        read, unread = _sittings(db, night or now)
        return Given(
            lessons=tuple(Rested(k, tuple(rests_on.get(k.id, ()))) for k in kept),
            sittings=tuple(read),
            predictions=tuple(lessons.predictions(db)),
            names=dict(db.execute("select old, new from aliases").fetchall()),
            answers=list(tallying.answers(db, since or "", now)),
            night=night,
            unread=unread,
        )


def _last_night(db: sqlite3.Connection, told: str | None) -> str | None:
    found = db.execute(
        f"select at from ledger where verb in {_BY_NIGHT} order by at desc limit 1"
    ).fetchone()
    return max((at for at in (told, found and str(found[0])) if at), default=None)


def _sources(db: sqlite3.Connection) -> dict[str, list[Happened]]:
    """Return lesson → its sources by (at, id), those that are still remembered."""
    found = db.execute(
        "select s.lesson, e.id, e.at, e.session from lesson_sources s"
        " join episodes e on e.id = s.episode order by e.at, e.id"
    )
    rests_on: defaultdict[str, list[Happened]] = defaultdict(list)
    for lesson, id_, at, session in found:
        rests_on[lesson].append(Happened(id_, at, session))
    return rests_on


def _sittings(db: sqlite3.Connection, night: str) -> tuple[list[Sitting], int]:
    """Return the person's sessions that were read by a night, and how many were read since."""
    found = db.execute(
        "select id, project, started, ended, updated from sessions"
        " where person_turns > 0 and parent is null"
    )
    read, unread = [], 0
    for id_, project, started, ended, updated in found:
        if updated <= night:
            read.append(Sitting(id_, project, seconds(started), seconds(ended)))
        else:
            unread += 1
    return read, unread
