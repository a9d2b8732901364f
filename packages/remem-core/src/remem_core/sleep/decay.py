"""The pass that lets fade what nobody came back to: archived, never deleted (MEM-012)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from remem_core.batches import batches
from remem_core.lessons.changes import Change, revised
from remem_core.sleep.numbers import FADE_BATCH, FADED, HALF_LIFE_DAYS
from remem_core.sleep.view import Held
from remem_protocol import parse_time


@dataclass(frozen=True)
class Fading:
    """An episode's strength and when it was last touched: told, stored or recalled."""

    id: str
    strength: float
    touched: str


def faded_strength(strength: float, touched: str, now: str) -> float:
    """Return strength · 2^(−days since the last touch / 45); not more than before it."""
    days = (parse_time(now) - parse_time(touched)).total_seconds() / 86_400
    return float(strength * 2.0 ** (-max(0.0, days) / HALF_LIFE_DAYS))


def decay(episodes: Iterable[Fading], lessons: Iterable[Held], now: str) -> Iterator[Change]:
    """Yield what is archived: lessons first, then episodes in batches by id.

    Episodes that a living lesson rests on are not among the given ones.
    """
    for held in lessons:
        lesson = held.lesson
        if faded_strength(lesson.strength, max(lesson.updated, held.latest), now) < FADED:
            yield Change(
                verb="ARCHIVE",
                subject=lesson.id,
                at=now,
                before=(lesson,),
                after=(revised(lesson, archived=now),),
                why="nothing of it for a long time",
            )
    gone = sorted(e.id for e in episodes if faded_strength(e.strength, e.touched, now) < FADED)
    for batch in batches(gone, FADE_BATCH):
        yield Change(
            verb="ARCHIVE", subject="", at=now, faded=tuple(batch), why="faded: never recalled"
        )
