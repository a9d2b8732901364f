"""What is measured on: lessons with what they rest on, sessions, and what was put before agents."""

import datetime
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from remem_protocol import Event, Lesson, Prediction, format_time, parse_time


@dataclass(frozen=True)
class Shown:
    """Lessons that were put before an agent at a time, or would have been in a session held out.

    One for each call of a hook that was logged, also those with nothing to say: they tell which
    sessions hooks reached. `session` None stands for a file that every session reads from `at` on.
    """

    at: str
    session: str | None
    held_out: bool = False
    lessons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Happened:
    """A source of a lesson."""

    id: str
    at: str
    session: str | None


@dataclass(frozen=True)
class Rested:
    """A lesson and those of its sources that are remembered here, by (at, id)."""

    lesson: Lesson
    sources: tuple[Happened, ...]


@dataclass(frozen=True)
class Sitting:
    """A session of the person's own that was read. Times in seconds since 1970."""

    id: str
    project: str | None
    started: float
    ended: float

    @cached_property
    def day(self) -> str:
        """The day (UTC) on which it began."""
        return day_of(self.started)

    def share(self, start: float, end: float) -> float:
        """Return the part of its time that lies in `start` <= t < `end`, from 0 to 1."""
        if start <= self.started and self.ended < end:
            return 1.0
        if self.ended <= self.started:
            return float(start <= self.started < end)
        within = min(end, self.ended) - max(start, self.started)
        return max(0.0, within) / (self.ended - self.started)


class Sittings:
    """Sessions by their id and by their project, each list in the order of their beginnings."""

    def __init__(self, sittings: Iterable[Sitting]) -> None:
        self.all = sorted(sittings, key=lambda sitting: (sitting.started, sitting.id))
        self.by_id = {sitting.id: sitting for sitting in self.all}
        self._of: defaultdict[str | None, list[Sitting]] = defaultdict(list)
        for sitting in self.all:
            self._of[sitting.project].append(sitting)

    def of(self, project: str | None) -> list[Sitting]:
        """Return the sessions of a project; None is every project."""
        return self.all if project is None else self._of.get(project, [])


@dataclass(frozen=True)
class Given:
    """What the store knows. `night` is the last one, None before the first.

    `names` maps lessons' old ids to the present ones; `answers` are hand-backs and corrections.
    `sittings` are the person's own: a subagent has no hooks, and nobody corrects it. `unread`
    counts those that were read since the night: whether something in them repeats a lesson, the
    next one finds out.
    """

    lessons: tuple[Rested, ...]
    sittings: tuple[Sitting, ...]
    predictions: tuple[Prediction, ...]
    names: Mapping[str, str]
    answers: Iterable[Event]
    night: str | None
    unread: int = 0


@dataclass(frozen=True)
class Span:
    """The time that is looked at, in seconds since 1970; both ends belong to it."""

    since: float
    until: float


def seconds(time: str) -> float:
    """Return a time of the wire in seconds since 1970."""
    return parse_time(time).timestamp()


def time_of(moment: float) -> str:
    """Return a moment in seconds since 1970 as the wire spells it."""
    return format_time(datetime.datetime.fromtimestamp(moment, datetime.UTC))


def day_of(moment: float) -> str:
    """Return the day (UTC) of a moment in seconds since 1970."""
    return time_of(moment)[:10]
