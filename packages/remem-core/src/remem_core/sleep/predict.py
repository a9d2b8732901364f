"""The pass in which each lesson says what will happen again, so that it can be found wrong."""

import datetime
from collections.abc import Iterable, Iterator

from remem_core.lessons.changes import Change
from remem_core.lessons.identity import prediction_id
from remem_core.lessons.wording import expected
from remem_core.sleep.numbers import DUE_DAYS, PREDICTS
from remem_core.sleep.view import Held
from remem_protocol import Prediction, format_time, parse_time


def predict(lessons: Iterable[Held], now: str) -> Iterator[Change]:
    """Yield a PREDICT for each given lesson that is strong enough; none of them has one open.

    A candidate of another memory may predict whatever its strength: coming true is how it earns
    trust here.
    """
    due = format_time(parse_time(now) + datetime.timedelta(days=DUE_DAYS))
    for held in lessons:
        lesson = held.lesson
        if lesson.kind == "note" or (lesson.strength < PREDICTS and lesson.trust != "candidate"):
            continue
        made = Prediction(
            id=prediction_id(lesson.id, now),
            lesson=lesson.id,
            text=expected(lesson.kind, held.sources) if held.sources else lesson.text,
            made=now,
            due=due,
        )
        yield Change(
            verb="PREDICT", subject=made.id, at=now, after=(made,), why=f"by lesson {lesson.id}"
        )
