"""All of a measure: what is told of predictions and offers, and that order makes no difference."""

import random
from collections.abc import Sequence
from typing import TypeVar

import pytest
from hypothesis import given as suppose
from hypothesis import settings
from hypothesis import strategies as st
from invented import BARGE, FERRY, at, foretold, lesson, measured, of, said, sitting, source

from remem_core.measure.accuracy import Accuracy
from remem_protocol import Correction, Handback

T = TypeVar("T")
DAILY = [sitting(f"s{day}", day) for day in range(100)]


def test_predictions_are_counted_with_an_interval_and_the_open_ones_apart() -> None:
    outcomes = ["confirmed"] * 8 + ["failed"] * 2 + [None]
    made = [foretold("tide", day, outcome) for day, outcome in enumerate(outcomes)]
    told = measured([lesson("tide", source("s0", 0))], DAILY, predictions=made)
    accuracy = of(told, "tide").predictions
    assert told.predictions == accuracy
    assert (accuracy.confirmed, accuracy.failed, accuracy.open) == (8, 2, 1)
    assert accuracy.share is not None
    assert accuracy.share.low == pytest.approx(0.4901625, abs=1e-6)


def test_prediction_that_failed_while_nobody_worked_is_apart() -> None:
    made = [foretold("tide", 20, "failed"), foretold("tide", 60, "failed")]
    worked = [*(s for s in DAILY if s.started < DAILY[40].started),
              *(sitting(f"b{day}", day, project=BARGE) for day in range(100))]  # fmt: skip
    told = measured([lesson("tide", source("s0", 0))], worked, predictions=made)
    assert (told.predictions.failed, told.predictions.idle) == (1, 1)


def test_predictions_of_a_lesson_that_is_no_more_are_not_counted() -> None:
    made = [foretold("gone", 20, "failed")]
    told = measured([lesson("tide", source("s0", 0))], DAILY, predictions=made)
    assert told.predictions == Accuracy()


def test_offers_are_counted_by_week_and_kind() -> None:
    def asked(day: int, action: str) -> Handback:
        return Handback(at=at(day), source="owner", act="offer", answer="approved", action=action)

    stopped = Correction(
        at=at(8), source="owner", said="stop", cause="refusal",
        agent_did="[calls] Bash(git push origin main)",
    )  # fmt: skip
    answers = [asked(8, "Shall I commit it?"), stopped, asked(1, "Should I delete the old berth?")]
    first, second = measured([], DAILY, answers=answers).offers
    assert [first.monday, second.monday] == ["2026-01-05", "2026-01-12"]
    assert [(row.asked, row.told, row.stopped) for row in first.rows] == [(1, 1, 0)]
    assert sum(row.asked for row in second.rows) == 1
    assert sum(row.stopped for row in second.rows) == 1
    assert [week.monday for week in measured([], DAILY, answers=answers, since=at(7)).offers] == [
        "2026-01-12"
    ]


def test_nothing_at_all_is_not_enough_data() -> None:
    told = measured([], [], night=None)
    assert (told.arms.verdict, told.sessions, told.hooks) == ("not-enough-data", 0, False)
    assert [change.ratio for change in told.kinds] == [None, None, None]


def test_lessons_in_mind_come_first_and_the_most_repeated_of_them() -> None:
    lessons = [
        lesson("never", source("s1", 1), source("s2", 2), source("s3", 3)),
        lesson("once", source("s1", 1)),
        lesson("twice", source("s1", 1), source("s2", 2)),
    ]
    shown = [said("once", "s50", 50), said("twice", "s50", 50)]
    told = measured(lessons, DAILY, shown)
    texts = [one.course.text for one in told.lessons]
    assert texts == [f"The person said: “{name}”" for name in ("twice", "once", "never")]


NAMES = ["tide", "buoy", "rope"]
days = st.integers(0, 99)
sources_ = st.lists(st.tuples(st.sampled_from("sx"), days), min_size=1, max_size=12, unique=True)
calls = st.lists(st.tuples(days, st.sampled_from([*NAMES, ""]), st.booleans()), max_size=30)


@settings(max_examples=60, deadline=None)
@suppose(st.lists(sources_, min_size=3, max_size=3), calls, st.integers(0, 2**16))
def test_order_of_what_is_given_makes_no_difference(
    rests_on: list[list[tuple[str, int]]], called: list[tuple[int, str, bool]], seed: int
) -> None:
    lessons = [
        lesson(name, *(source(f"{kind}{day}", day) for kind, day in found), project=project)
        for name, found, project in zip(NAMES, rests_on, [FERRY, BARGE, None], strict=True)
    ]
    shown = [said(name, f"s{day}", day, 5, held_out=held_out) for day, name, held_out in called]
    shown.append(said("rope", None, 40))
    made = [foretold(name, day, "failed") for name in NAMES for day in (10, 80)]
    rng = random.Random(seed)

    def shuffled(things: Sequence[T]) -> list[T]:
        return rng.sample(things, len(things))

    assert measured(lessons, DAILY, shown, predictions=made) == measured(
        shuffled(lessons), shuffled(DAILY), shuffled(shown), predictions=shuffled(made)
    )


@settings(max_examples=60, deadline=None)
@suppose(sources_, calls)
def test_every_repeat_is_in_one_place(
    found: list[tuple[str, int]], called: list[tuple[int, str, bool]]
) -> None:
    shown = [said(name, f"s{day}", day, 5, held_out=held_out) for day, name, held_out in called]
    one = lesson("tide", *(source(f"{kind}{day}", day) for kind, day in found))
    course = of(measured([one], DAILY, shown), "tide").course
    counted = course.before.repeats + course.after.repeats + course.apart + course.unplaced
    assert counted == len(found) - 1
