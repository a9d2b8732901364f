"""A lesson's course: how often it was repeated before it was in mind, and with it in mind.

In mind is a lesson from when it was first said to an agent, or since it stands in the files that
agents read. Its first source is what was learned; each later one is a repeat. The baseline goes
from the first source to that moment. From it on, a session has the lesson in mind if hooks reached
it and it was not held out, or if the lesson stands in files; repeats in other sessions are counted
apart. A session that spans a moment counts on both sides, by its time. A lesson that was closed or
put aside is followed until then.

Assumed: that files were written since the lesson is there, and that every agent reads them. Where
that is not so, sessions without the lesson count as with it, and its effect looks smaller.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from remem_core.measure.given import (
    Happened,
    Rested,
    Sitting,
    Sittings,
    Span,
    day_of,
    seconds,
    time_of,
)
from remem_core.measure.interval import Interval, events_needed, rate_ratio
from remem_core.measure.log import Log

KINDS = ("correction", "error", "surprise")


@dataclass(frozen=True)
class Rate:
    """Repeats, in how many sessions (parts of one add up) and on how many days with one.

    `per_session` and `per_day` are None where there were none.
    """

    repeats: int = 0
    sessions: float = 0.0
    days: int = 0
    per_session: float | None = None
    per_day: float | None = None


@dataclass(frozen=True)
class Course:
    """What is known of one lesson. `in_mind` says since when, None for not yet.

    `apart` counts repeats in sessions that did not have it then, `unplaced` those in no session
    of the person's own that was read. `before_ids` and `after_ids` are the rates' episodes.
    """

    lesson: str
    text: str
    kind: str
    project: str | None
    in_mind: str | None
    before: Rate
    after: Rate
    apart: int
    unplaced: int
    before_ids: tuple[str, ...]
    after_ids: tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """The rates of all lessons of a kind that came in mind, before and after.

    A session counts once for each lesson that could have been repeated in it. `ratio` is None
    until it could tell anything: that takes `needed` repeats (None: sessions on both sides).
    """

    kind: str
    lessons: int
    before: Rate
    after: Rate
    ratio: Interval | None
    needed: int | None


def rate(repeats: int, sessions: float, days: int) -> Rate:
    """Return a rate of counts."""
    sessions = round(sessions, 6)  # parts add up to whole sessions in whatever order
    return Rate(
        repeats,
        sessions,
        days,
        per_session=repeats / sessions if sessions else None,
        per_day=repeats / days if days else None,
    )


def follow(rested: Rested, sittings: Sittings, log: Log, span: Span) -> Course:
    """Return a lesson's course through the sessions of its project, or of all if it has none."""
    lesson = rested.lesson
    first = seconds(rested.sources[0].at)
    ends = [seconds(end) for end in (lesson.valid_until, lesson.archived) if end is not None]
    window = Span(max(first, span.since), min([span.until, *ends]))
    mind = log.in_mind(lesson.id)
    repeats = _Repeats()
    for source in rested.sources[1:]:
        if window.since <= seconds(source.at) <= window.until:
            sitting = sittings.by_id.get(source.session or "")
            there = sitting is not None and lesson.project in (None, sitting.project)
            repeats.add(source, lesson.id, log, sitting.id if sitting and there else None)
    before, after = _exposed(lesson.id, sittings.of(lesson.project), log, window)
    return Course(
        lesson=lesson.id,
        text=lesson.text,
        kind=lesson.kind,
        project=lesson.project,
        in_mind=None if mind is None else time_of(mind),
        before=rate(len(repeats.before), *before),
        after=rate(len(repeats.after), *after),
        apart=repeats.apart,
        unplaced=repeats.unplaced,
        before_ids=tuple(repeats.before),
        after_ids=tuple(repeats.after),
    )


def compare(kind: str, courses: Sequence[Course]) -> Change:
    """Return what changed for the lessons of a kind that came in mind."""
    came = [c for c in courses if c.kind == kind and c.in_mind is not None]
    before, after = _sum([c.before for c in came]), _sum([c.after for c in came])
    needed = events_needed(after.sessions, before.sessions)
    enough = needed is not None and before.repeats + after.repeats >= needed
    ratio = (
        rate_ratio(after.repeats, after.sessions, before.repeats, before.sessions)
        if enough
        else None
    )
    return Change(kind, len(came), before, after, ratio, needed)


def _sum(rates: Sequence[Rate]) -> Rate:
    return rate(
        sum(r.repeats for r in rates),
        math.fsum(r.sessions for r in rates),
        sum(r.days for r in rates),
    )


@dataclass
class _Repeats:
    before: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    apart: int = 0
    unplaced: int = 0

    def add(self, source: Happened, lesson: str, log: Log, sitting: str | None) -> None:
        """Count a repeat, given the session that it is in, None for none that was read."""
        at, mind = seconds(source.at), log.in_mind(lesson)
        if sitting is None:
            self.unplaced += 1
        elif mind is None or at < mind:
            self.before.append(source.id)
        elif (there := log.in_mind_in(lesson, sitting)) is not None and at >= there:
            self.after.append(source.id)
        else:
            self.apart += 1


def _exposed(
    lesson: str, sittings: Sequence[Sitting], log: Log, window: Span
) -> tuple[tuple[float, int], tuple[float, int]]:
    """Return (sessions, days) in which it could be repeated, before it was in mind and with it."""
    mind = log.in_mind(lesson)
    baseline = Span(window.since, window.until if mind is None else min(mind, window.until))
    before, after = _Exposure(), _Exposure()
    for sitting in sittings:
        if sitting.ended < window.since:
            continue
        if sitting.started > window.until:
            break
        if sitting.started < baseline.until:
            before.add(sitting, baseline)
        if mind is not None and sitting.ended >= mind:
            there = log.in_mind_in(lesson, sitting.id)
            if there is not None:
                after.add(sitting, Span(max(there, window.since), window.until))
    return before.total(), after.total()


@dataclass
class _Exposure:
    shares: list[float] = field(default_factory=list)
    days: set[str] = field(default_factory=set)

    def add(self, sitting: Sitting, span: Span) -> None:
        if share := sitting.share(span.since, span.until):
            self.shares.append(share)
            whole = span.since <= sitting.started
            self.days.add(sitting.day if whole else day_of(span.since))

    def total(self) -> tuple[float, int]:
        return math.fsum(self.shares), len(self.days)
