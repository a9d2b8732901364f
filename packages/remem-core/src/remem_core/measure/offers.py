"""Asking and acting, week by week: the owner's tally, never shown to agents."""

import datetime
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from remem_core.delegation import Row, Tally
from remem_core.measure.given import Span, seconds
from remem_protocol import Event, parse_time


@dataclass(frozen=True)
class Week:
    """One week by its Monday (UTC): kinds of action, the most frequent first."""

    monday: str
    rows: tuple[Row, ...]


def by_week(answers: Iterable[Event], span: Span) -> tuple[Week, ...]:
    """Return the weeks in which an agent asked, or was stopped, the oldest first."""
    weeks: defaultdict[str, Tally] = defaultdict(Tally)
    for event in answers:
        if span.since <= seconds(event.at) <= span.until:
            weeks[_monday(event.at)].add(event)
    told = (Week(monday, tally.rows()) for monday, tally in sorted(weeks.items()))
    return tuple(week for week in told if week.rows)


def _monday(at: str) -> str:
    day = parse_time(at).date()
    return (day - datetime.timedelta(days=day.weekday())).isoformat()
