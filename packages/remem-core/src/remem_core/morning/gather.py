"""From the store and a night's ledger rows to a Morning.

A lesson is told as it is now, through the read path: what was vetoed or forgotten since the night
is not told again (MEM-053).
"""

import datetime
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from remem_core.delegation import Row, Tally
from remem_core.lessons.changes import lessons_of
from remem_core.morning.report import (
    Closed,
    Expected,
    Few,
    Joined,
    Morning,
    Predictions,
    Told,
    Week,
)
from remem_core.store import ledger, tallying
from remem_core.store import lessons as stored
from remem_core.store.connection import Connection
from remem_protocol import Lesson, Prediction, format_time, parse_time

LEARNED, SHOWN = 5, 3  # of what is new, and of each other list: what is read in a minute
WEEKS = 12
DELEGATION_DAYS = 30


@dataclass(frozen=True)
class _Row:
    """What the night did to a subject under one verb."""

    before: ledger.State
    after: ledger.State


Made = dict[str, _Row]  # subject → the night's last row of one verb


def gather(db: Connection, *, now: str, since_seq: int) -> Morning:
    """Return what a night that began after a row of the ledger has changed, as of `now`."""
    night = _night(db, since_seq)
    living = stored.lessons(db, at=now, project=stored.ALL)
    everything = stored.lessons(db, at=now, project=stored.ALL, archived=True, closed=True)
    telling = _Telling(db, {lesson.id: lesson for lesson in everything})
    new, narrowed = night["CREATE"], night["REFINE"]
    otherwise = new | narrowed | night["CORROBORATE"] | night["MERGE"]  # told by that already
    holds = {lesson.id for lesson in living}
    return Morning(
        now=now,
        since=since_seq,
        learned=telling.few((k for k in new if k in holds), _first_line, LEARNED),
        again=telling.few(
            (k for k in night["CORROBORATE"] if k not in new | narrowed), _first_line
        ),
        narrowed=telling.few((k for k in narrowed if k not in new), _both_ends),
        merged=_merged(telling, night["MERGE"]),
        parted=telling.few((k for r in night["SPLIT"].values() for k in _lessons(r)), _first_line),
        reworded=telling.few((k for k in night["REWORD"] if k not in otherwise), _first_line),
        closed=_closed(telling, night["CORRECT"]),
        put_aside=telling.few((k for k in night["ARCHIVE"] if k), _first_line),
        faded=sum(len(row.after.faded) for row in night["ARCHIVE"].values()),
        predictions=_predictions(db, night),
        delegation=_delegation(db, now),
        weeks=_weeks(db, now),
        basis=tallying.basis(db, now),
        lessons=len(living),
    )


def _night(db: Connection, since_seq: int) -> dict[str, Made]:
    """Return what each verb did. Events that were folded, and what the owner did, are left out."""
    night: dict[str, Made] = {verb: {} for verb in _VERBS}
    for entry in ledger.later_than(db, since_seq):
        before, after = ledger.state_of(entry.before), ledger.state_of(entry.after)
        if entry.verb not in night or before is None or after is None:
            continue
        made = night[entry.verb]
        if not entry.subject and entry.subject in made:  # episodes fade batch by batch
            after = ledger.State(faded=made[""].after.faded + after.faded)
        made[entry.subject] = _Row(before, after)
    return night


_VERBS = (
    "CREATE", "CORROBORATE", "REFINE", "CORRECT", "MERGE", "SPLIT", "ARCHIVE", "PREDICT", "RESOLVE",
    "REWORD",
)  # fmt: skip


def _lessons(row: _Row) -> dict[str, Lesson]:
    return lessons_of(row.after.records)


def _first_line(lesson: Lesson) -> str:
    return lesson.text.partition("\n")[0]


def _both_ends(lesson: Lesson) -> str:
    """Return how a lesson begins, and the words that narrowed it, which stand last."""
    lines = lesson.text.splitlines()
    return f"{lines[0]} – {lines[-1]}" if len(lines) > 1 else lesson.text


class _Telling:
    """Tells lessons with what they rest on, the most often seen first."""

    def __init__(self, db: Connection, known: dict[str, Lesson]) -> None:
        self._db = db
        self._known = known

    def few(
        self, ids: Iterable[str], words: Callable[[Lesson], str], limit: int = SHOWN
    ) -> Few[Told]:
        """Return the first few of those that may be told."""
        chosen, more = self.choose(ids, limit)
        return Few(tuple(self.tell(lesson, words) for lesson in chosen), more)

    def choose(self, ids: Iterable[str], limit: int = SHOWN) -> tuple[list[Lesson], int]:
        """Return the lessons to tell, and how many more there are: only the former are read."""
        found = [self._known[id_] for id_ in dict.fromkeys(ids) if id_ in self._known]
        found.sort(key=lambda lesson: lesson.id)
        found.sort(key=lambda lesson: (lesson.seen, lesson.updated), reverse=True)
        return found[:limit], max(0, len(found) - limit)

    def find(self, id_: str | None) -> Lesson | None:
        """Return the lesson of an id or an old name, None where it may not be told."""
        return self._known.get(stored.current_id(self._db, id_)) if id_ else None

    def tell(self, lesson: Lesson, words: Callable[[Lesson], str] = _first_line) -> Told:
        sources = stored.sources(self._db, lesson.sources)
        return Told(
            id=lesson.id,
            text=words(lesson),
            kind=lesson.kind,
            wording=lesson.wording,
            seen=lesson.seen,
            sessions=len({s.session for s in sources if s.session is not None}),
            projects=tuple(sorted({s.project for s in sources if s.project is not None})),
            first=sources[0].at if sources else lesson.created,
            last=sources[-1].at if sources else lesson.updated,
        )


def _merged(telling: _Telling, made: Made) -> Few[Joined]:
    chosen, more = telling.choose(made)
    joined = (Joined(telling.tell(k), len(lessons_of(made[k.id].before.records))) for k in chosen)
    return Few(tuple(joined), more)


def _closed(telling: _Telling, made: Made) -> Few[Closed]:
    chosen, more = telling.choose(made)
    closed = []
    for lesson in chosen:
        later = telling.find(lesson.superseded_by)
        closed.append(Closed(telling.tell(lesson), telling.tell(later) if later else None))
    return Few(tuple(closed), more)


def _predictions(db: Connection, night: dict[str, Made]) -> Predictions:
    known = stored.predictions(db)
    resolved = [p for p in known if p.outcome is not None]
    open_ = sorted((p for p in known if p.outcome is None), key=lambda p: (p.due, p.id))
    settled = [p for p in resolved if p.id in night["RESOLVE"]]
    settled.sort(key=lambda p: (p.outcome != "failed", p.id))
    return Predictions(
        made=_few_expected(p for p in open_ if p.id in night["PREDICT"]),
        settled=_few_expected(settled),
        open=len(open_),
        next_due=open_[0].due if open_ else None,
        resolved=len(resolved),
        came_true=sum(p.outcome == "confirmed" for p in resolved),
    )


def _few_expected(predictions: Iterable[Prediction]) -> Few[Expected]:
    told = [Expected(p.text, p.lesson, p.due, p.outcome) for p in predictions]
    return Few(tuple(told[:SHOWN]), max(0, len(told) - SHOWN))


def _delegation(db: Connection, now: str) -> tuple[Row, ...]:
    tally = Tally()
    for event in tallying.answers(db, _days_before(now, DELEGATION_DAYS), now):
        tally.add(event)
    return tally.rows()


def _weeks(db: Connection, now: str) -> tuple[Week, ...]:
    """Return the last weeks, the current one last."""
    today = parse_time(now)
    midnight = today.replace(hour=0, minute=0, second=0, microsecond=0)
    monday = midnight - datetime.timedelta(days=today.weekday(), weeks=WEEKS - 1)
    since, until = format_time(monday), format_time(monday + datetime.timedelta(weeks=WEEKS))
    surprises = tallying.surprises_by_day(db, since, until)
    repeats = tallying.repeats_by_day(db, since, until)
    weeks = []
    for start in (monday + datetime.timedelta(weeks=n) for n in range(WEEKS)):
        days = [format_time(start + datetime.timedelta(days=d))[:10] for d in range(7)]
        counts = (sum(by_day.get(day, 0) for day in days) for by_day in (surprises, repeats))
        weeks.append(Week(days[0], *counts))
    return tuple(weeks)


def _days_before(now: str, days: int) -> str:
    return format_time(parse_time(now) - datetime.timedelta(days=days))
