"""An invented ferry office over a hundred days: its sessions, its lessons, what hooks said."""

import datetime
from collections.abc import Sequence
from typing import Any

from remem_core.measure import Measured, Shown, measure
from remem_core.measure.given import Given, Happened, Rested, Sitting, seconds
from remem_core.measure.measured import Followed
from remem_protocol import Event, Lesson, Prediction, content_id, format_time

FERRY, BARGE = "git:example.org/ana/ferry", "git:example.org/ana/barge"
START = datetime.datetime(2026, 1, 5, 9, 0, tzinfo=datetime.UTC)  # a Monday


def at(day: float, minute: float = 0.0) -> str:
    """Return the time on a day of the office's year, minutes after nine."""
    return format_time(START + datetime.timedelta(days=day, minutes=minute))


NIGHT = at(100)


def named(name: str) -> str:
    """Return an id."""
    return content_id("remem/1/test", [name])


def sitting(
    name: str, day: float, minutes: float = 60.0, project: str | None = FERRY, minute: float = 0.0
) -> Sitting:
    """Return a session that begins at nine, or some minutes later."""
    return Sitting(
        name, project, seconds(at(day, minute)), seconds(at(day, minute + minutes))
    )  # fmt: skip


def source(session: str | None, day: float, minute: float = 30.0) -> Happened:
    """Return a source of a lesson."""
    return Happened(named(f"{session} {day} {minute}"), at(day, minute), session)


def lesson(
    name: str,
    *sources: Happened,
    kind: Any = "correction",
    project: str | None = FERRY,
    **more: Any,
) -> Rested:
    """Return a lesson that rests on these."""
    made = Lesson(
        id=named(name), text=f"The person said: “{name}”", kind=kind, project=project, strength=1.0,
        seen=len(sources), sources=tuple(s.id for s in sources), created=at(10), updated=at(10),
        hash=named(f"hash {name}"), **more,
    )  # fmt: skip
    return Rested(made, tuple(sorted(sources, key=lambda s: (s.at, s.id))))


def said(
    name: str, session: str | None, day: float, minute: float = 0.0, *, held_out: bool = False
) -> Shown:
    """Return that a lesson was said in a session, or held back; "" is a silent call."""
    lessons = (named(name),) if name else ()
    return Shown(at(day, minute), session, held_out, lessons)


def foretold(name: str, made: float, outcome: Any = None) -> Prediction:
    """Return what a lesson predicted for the two weeks after a day."""
    return Prediction(
        id=named(f"{name} {made}"), lesson=named(name), text="again", made=at(made),
        due=at(made + 14), resolved=at(made + 14) if outcome else None, outcome=outcome,
    )  # fmt: skip


def measured(
    lessons: Sequence[Rested],
    sittings: Sequence[Sitting],
    shown: Sequence[Shown] = (),
    *,
    since: str | None = None,
    now: str = NIGHT,
    night: str | None = NIGHT,
    predictions: Sequence[Prediction] = (),
    names: dict[str, str] | None = None,
    answers: Sequence[Event] = (),
) -> Measured:
    """Measure."""
    given = Given(tuple(lessons), tuple(sittings), tuple(predictions), names or {}, answers, night)
    return measure(given, shown, since=since, now=now)


def of(told: Measured, name: str) -> Followed:
    """Return what is told of one lesson."""
    return next(one for one in told.lessons if one.course.lesson == named(name))
