"""The control arm: sessions in which a lesson bore on the work, told it or held out, compared.

Which arm a session is of a hash of its id decides, before anything is judged, so the two differ by
chance and by what is said to them alone. What is counted, in both alike, are the repeats of a
lesson after the moment at which it was said or would have been. Two intervals, because each is
blind to something: the exact one of the ratio takes repeats for independent, resampling days takes
many days to be right. A difference is told only when both agree.

Lessons that stand in agents' files reach both arms: this measures what being told at the moment
adds to that.
"""

import random
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from remem_core.measure.given import Happened, Rested, Span, day_of, seconds
from remem_core.measure.interval import (
    Interval,
    difference_by_group,
    events_needed,
    rate_ratio,
)
from remem_core.measure.log import Log

Verdict = Literal["fewer", "more", "no-difference-seen", "not-enough-data"]
# With fewer groups to draw from, such intervals are too narrow (A. C. Cameron, J. B. Gelbach and
# D. L. Miller, Review of Economics and Statistics 90, 2008, on 5 to 30).
DAYS_NEEDED = 10
SEED = 1


@dataclass(frozen=True)
class Arm:
    """Sessions of one arm. `repeated` counts those with a repeat, `per_session` is of repeats."""

    sessions: int = 0
    repeats: int = 0
    repeated: int = 0
    per_session: float | None = None


@dataclass(frozen=True)
class Day:
    """What both arms did on a day: the day on which a lesson first bore on a session's work."""

    day: str
    told: Arm
    held_out: Arm


@dataclass(frozen=True)
class Arms:
    """Both arms. `ratio` is told : held out, `difference` told − held out in repeats a session.

    `needed` is the number of repeats from which the ratio could tell anything, None while an arm
    is empty. `unread` sessions are in the log and not among those that were read.
    """

    told: Arm
    held_out: Arm
    verdict: Verdict
    ratio: Interval | None
    difference: Interval | None
    needed: int | None
    by_day: tuple[Day, ...]
    unread: int


@dataclass(frozen=True)
class _Session:
    day: str
    held_out: bool
    repeats: int


def compare_arms(lessons: Sequence[Rested], known: Collection[str], log: Log, span: Span) -> Arms:
    """Compare those of the known sessions on whose work a lesson bore within a time."""
    bore = _by_session(lessons, log, span)
    read = {id_: at for id_, at in bore.items() if id_ in known}
    sources = {rested.lesson.id: rested.sources for rested in lessons}
    counted = [_count(id_, read[id_], sources, log, span) for id_ in sorted(read)]
    days = _by_day(counted)
    told, held_out = _arm(counted, held_out=False), _arm(counted, held_out=True)
    needed = events_needed(told.sessions, held_out.sessions)
    enough = needed is not None and told.repeats + held_out.repeats >= needed
    ratio = difference = None
    if enough and len(days) >= DAYS_NEEDED:
        ratio = rate_ratio(told.repeats, told.sessions, held_out.repeats, held_out.sessions)
        difference = difference_by_group(
            [(d.told.repeats, d.told.sessions, d.held_out.repeats, d.held_out.sessions)
             for d in days],
            random.Random(SEED),
        )  # fmt: skip
    return Arms(
        told=told,
        held_out=held_out,
        verdict=_verdict(ratio, difference),
        ratio=ratio,
        difference=difference,
        needed=needed,
        by_day=days,
        unread=len(bore) - len(read),
    )


def _by_session(lessons: Sequence[Rested], log: Log, span: Span) -> dict[str, dict[str, float]]:
    """Return session → lesson → when it bore on its work, of the lessons that are known."""
    known = {rested.lesson.id for rested in lessons}
    found: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for (session, lesson), at in log.bore.items():
        of_an_arm = session in log.told or session in log.held_out
        if lesson in known and of_an_arm and span.since <= at <= span.until:
            found[session][lesson] = at
    return found


def _count(
    session: str,
    bore: dict[str, float],
    sources: dict[str, tuple[Happened, ...]],
    log: Log,
    span: Span,
) -> _Session:
    repeats = {
        source.id
        for lesson, at in bore.items()
        for source in sources[lesson]
        if source.session == session and at <= seconds(source.at) <= span.until
    }
    return _Session(day_of(min(bore.values())), session in log.held_out, len(repeats))


def _by_day(counted: Iterable[_Session]) -> tuple[Day, ...]:
    days: defaultdict[str, list[_Session]] = defaultdict(list)
    for session in counted:
        days[session.day].append(session)
    return tuple(
        Day(day, _arm(of_day, held_out=False), _arm(of_day, held_out=True))
        for day, of_day in sorted(days.items())
    )


def _arm(counted: Iterable[_Session], *, held_out: bool) -> Arm:
    repeats = [session.repeats for session in counted if session.held_out == held_out]
    return Arm(
        sessions=len(repeats),
        repeats=sum(repeats),
        repeated=sum(count > 0 for count in repeats),
        per_session=sum(repeats) / len(repeats) if repeats else None,
    )


def _verdict(ratio: Interval | None, difference: Interval | None) -> Verdict:
    if ratio is None or difference is None:
        return "not-enough-data"
    assert ratio.low is not None
    assert difference.low is not None
    assert difference.high is not None
    if ratio.high is not None and ratio.high < 1 and difference.high < 0:
        return "fewer"
    if ratio.low > 1 and difference.low > 0:
        return "more"
    return "no-difference-seen"
