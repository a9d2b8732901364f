"""Counts over time that a report rests on: what faded counts, candidates (EVT-045) don't."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from remem_core.store.lessons import PAGE, SURPRISES, VISIBLE
from remem_core.store.reading import decode_event_text
from remem_protocol import Event

_SURPRISE = f"e.kind in {SURPRISES} and json_extract(e.event, '$.candidate') is null"


@dataclass(frozen=True)
class Basis:
    """What is remembered of sessions; `first` and `last` are days, "" where there are none."""

    surprises: int
    sessions: int
    days: int
    first: str
    last: str


def basis(db: sqlite3.Connection, until: str) -> Basis:
    """Return what all that was learned until a time rests on."""
    (surprises,) = db.execute(
        f"select count(*) from episodes e where {_SURPRISE} and e.at < ?", (until,)
    ).fetchone()
    sessions, days, first, last = db.execute(
        "select count(*), count(distinct substr(started, 1, 10)),"
        " coalesce(min(substr(started, 1, 10)), ''), coalesce(max(substr(started, 1, 10)), '')"
        " from sessions where started < ?",
        (until,),
    ).fetchone()
    return Basis(surprises, sessions, days, first, last)


def surprises_by_day(db: sqlite3.Connection, since: str, until: str) -> dict[str, int]:
    """Return day → surprises that happened on it; `until` is exclusive."""
    found = db.execute(
        f"select substr(e.at, 1, 10), count(*) from episodes e where {_SURPRISE}"
        " and e.at >= ? and e.at < ? group by 1 order by 1",
        (since, until),
    )
    return {str(day): int(count) for day, count in found}


def repeats_by_day(db: sqlite3.Connection, since: str, until: str) -> dict[str, int]:
    """Return day → surprises that a lesson rests on beside its first one."""
    found = db.execute(_REPEATS, (since, until))
    return {str(day): int(count) for day, count in found}


_REPEATS = f"""
with told as (
    select e.id, e.at,
        row_number() over (partition by s.lesson order by e.at, e.id) as nth
    from lesson_sources s
    join lessons t on t.id = s.lesson
    join episodes e on e.id = s.episode
    where {VISIBLE}
)
select substr(at, 1, 10), count(distinct id) from told
where nth > 1 and at >= ? and at < ? group by 1 order by 1
"""


def answers(db: sqlite3.Connection, since: str, until: str) -> Iterator[Event]:
    """Yield the hand-backs and corrections of a time, by (at, id); `until` is exclusive."""
    last = (since, "")
    while found := db.execute(_ANSWERS, (*last, until, PAGE)).fetchall():
        for at, id_, line in found:
            last = (at, id_)
            yield decode_event_text(line)


_ANSWERS = """
select at, id, event from episodes where kind in ('handback', 'correction')
and (at, id) > (?, ?) and at < ? order by at, id limit ?
"""
