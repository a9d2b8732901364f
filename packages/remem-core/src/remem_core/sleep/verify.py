"""The pass that asks of each open prediction whether what it said has happened (MEM-040)."""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from remem_core.lessons.changes import Change, revised
from remem_core.sleep.numbers import CAP, CONFIRMED, MISSED
from remem_core.sleep.view import Held
from remem_protocol import Lesson, Prediction

# (project or None for any, from, to) → whether the person worked with an agent then
Worked = Callable[[str | None, str, str], bool]


def verify(
    open_: Iterable[tuple[Prediction, Held | None]], worked: Worked, now: str
) -> Iterator[Change]:
    """Yield a RESOLVE for each prediction that came true, or whose time is over.

    Only what happened after it was made, and until it was due, bears it out. A lesson weakens
    when its prediction fails, unless nobody worked in that time. `None` is a lesson that is gone.
    """
    for prediction, held in open_:
        happened = [
            s for s in (held.sources if held else ()) if prediction.made < s.at <= prediction.due
        ]
        if happened:
            lesson = held.lesson if held else None
            yield _resolved(prediction, lesson, "confirmed", CONFIRMED, now)
        elif now > prediction.due:
            lesson = held.lesson if held else None
            tried = lesson is not None and worked(lesson.project, prediction.made, prediction.due)
            yield _resolved(prediction, lesson if tried else None, "failed", 0.0, now)


def _resolved(
    prediction: Prediction, lesson: Lesson | None, outcome: str, gain: float, now: str
) -> Change:
    after = msgspec.structs.replace(prediction, resolved=now, outcome=outcome)
    why = f"{outcome}: {prediction.text}"
    if lesson is None:
        return _change(prediction, (prediction,), (after,), now, why)
    grown = min(CAP, lesson.strength + gain) if gain else lesson.strength * MISSED
    told = revised(lesson, strength=max(grown, 0.0), updated=now if gain else lesson.updated)
    return _change(prediction, (prediction, lesson), (after, told), now, why)


def _change(prediction: Prediction, before: tuple, after: tuple, now: str, why: str) -> Change:  # type: ignore[type-arg]
    return Change(
        verb="RESOLVE", subject=prediction.id, at=now, before=before, after=after, why=why
    )
