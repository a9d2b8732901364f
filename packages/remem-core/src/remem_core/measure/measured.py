"""All that is measured, in one value."""

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from remem_core.measure.accuracy import Accuracy, accuracy, together
from remem_core.measure.arms import Arms, compare_arms
from remem_core.measure.course import KINDS, Change, Course, compare, follow
from remem_core.measure.given import Given, Shown, Sittings, Span, seconds
from remem_core.measure.log import sort_log
from remem_core.measure.offers import Week, by_week
from remem_protocol import Prediction


@dataclass(frozen=True)
class Followed:
    """A lesson's course and what became of its predictions."""

    course: Course
    predictions: Accuracy


@dataclass(frozen=True)
class Measured:
    """What the memory changed from `since` (None: ever) until `until`, as far as is known `now`.

    That is the last night: what came later is linked to no lesson yet. `kinds` has a change for
    each kind, `lessons` what is known of each one. `sessions` took place on `days` days in that
    time; `unread` ones came after the night. `hooks` says whether any hook was ever logged.
    """

    now: str
    since: str | None
    until: str
    sessions: int
    days: int
    unread: int
    hooks: bool
    arms: Arms
    kinds: tuple[Change, ...]
    predictions: Accuracy
    lessons: tuple[Followed, ...]
    offers: tuple[Week, ...]


def measure(given: Given, shown: Iterable[Shown], *, since: str | None, now: str) -> Measured:
    """Measure what is given; times are the wire's. The order of anything makes no difference."""
    until = now if given.night is None else min(now, given.night)
    span = Span(-math.inf if since is None else seconds(since), seconds(until))
    log = sort_log(shown, given.names, span.until)
    rested = sorted((r for r in given.lessons if r.sources), key=lambda r: r.lesson.id)
    sittings = Sittings(given.sittings)
    predictions = _by_lesson(given)
    followed = []
    for one in rested:
        told = predictions.get(one.lesson.id, [])
        came_true = accuracy(told, sittings.of(one.lesson.project), span)
        followed.append(Followed(follow(one, sittings, log, span), came_true))
    within = [s for s in sittings.all if s.ended >= span.since and s.started <= span.until]
    courses = [one.course for one in followed]
    return Measured(
        now=now,
        since=since,
        until=until,
        sessions=len(within),
        days=len({s.day for s in within}),
        unread=given.unread,
        hooks=bool(log.told or log.held_out),
        arms=compare_arms(rested, sittings.by_id.keys(), log, span),
        kinds=tuple(compare(kind, courses) for kind in KINDS),
        predictions=together(one.predictions for one in followed),
        lessons=tuple(sorted(followed, key=_rank)),
        offers=by_week(given.answers, span),
    )


def _by_lesson(given: Given) -> dict[str, list[Prediction]]:
    found: defaultdict[str, list[Prediction]] = defaultdict(list)
    for prediction in given.predictions:
        found[given.names.get(prediction.lesson, prediction.lesson)].append(prediction)
    return found


def _rank(one: Followed) -> tuple[bool, int, str]:
    """Return what sorts lessons: those in mind first, then the most often repeated."""
    course = one.course
    return course.in_mind is None, -course.before.repeats - course.after.repeats, course.lesson
