"""Sessions told and held out: what counts as a repeat, and when a difference may be told."""

import pytest
from invented import NIGHT, lesson, measured, named, said, sitting, source

from remem_core.measure import Measured, Shown
from remem_core.measure.given import Happened, Rested, Sitting


def office(
    told_share: float, held_share: float, days: int = 40, each: int = 2
) -> tuple[list[Rested], list[Sitting], list[Shown]]:
    """Return days with as many sessions in each arm, exactly these shares of them with a repeat."""
    sittings, shown, sources = [], [], [source("first", 0)]
    for day in range(1, days + 1):
        for n in range(each):
            for arm, share in (("t", told_share), ("h", held_share)):
                name = f"{arm}{day}-{n}"
                sittings.append(sitting(name, day))
                shown.append(said("tide", name, day, 5, held_out=arm == "h"))
                nth = (day - 1) * each + n
                if int((nth + 1) * share + 1e-9) > int(nth * share + 1e-9):
                    sources.append(source(name, day))
    return [lesson("tide", *sources)], sittings, shown


def test_known_rates_give_known_numbers() -> None:
    sittings = [sitting(name, day) for day in range(4) for name in (f"t{day}", f"h{day}")]
    shown = [said("tide", s.id, n // 2, held_out=s.id[0] == "h") for n, s in enumerate(sittings)]
    sources = [source("first", 0), source("t1", 1), source("h1", 1), source("h1", 1, 40.0)]
    arms = measured([lesson("tide", *sources)], sittings, shown).arms
    assert (arms.told.sessions, arms.told.repeats, arms.told.per_session) == (4, 1, 0.25)
    assert (arms.held_out.sessions, arms.held_out.repeats, arms.held_out.repeated) == (4, 2, 1)
    assert [day.held_out.repeats for day in arms.by_day] == [0, 2, 0, 0]


def test_effect_is_found() -> None:
    arms = measured(*office(0.1, 0.6)).arms
    assert arms.verdict == "fewer"
    assert arms.ratio is not None
    assert arms.ratio.high is not None
    assert arms.ratio.high < 0.6
    assert arms.difference is not None
    assert arms.difference.high is not None
    assert arms.difference.high < -0.3


def test_harm_is_told_as_well() -> None:
    assert measured(*office(0.6, 0.1)).arms.verdict == "more"


@pytest.mark.parametrize("share", [0.2, 0.5])
def test_no_effect_leaves_no_difference_within_the_intervals(share: float) -> None:
    arms = measured(*office(share, share)).arms
    assert arms.verdict == "no-difference-seen"
    assert arms.ratio is not None
    assert arms.ratio.low is not None
    assert arms.ratio.high is not None
    assert arms.ratio.low < 1 < arms.ratio.high


def test_too_few_repeats_are_not_enough_data() -> None:
    lessons, sittings, shown = office(0.0, 0.0)
    five = lesson("tide", source("first", 0), *(source(f"h{day}-0", day) for day in range(1, 6)))
    arms = measured([five], sittings, shown).arms
    assert (arms.verdict, arms.ratio, arms.needed) == ("not-enough-data", None, 6)
    assert measured(lessons, sittings, shown).arms.verdict == "not-enough-data"


def test_few_days_are_not_enough_however_many_repeats() -> None:
    assert measured(*office(0.0, 1.0, days=9, each=8)).arms.verdict == "not-enough-data"
    assert measured(*office(0.0, 1.0, days=10, each=8)).arms.verdict == "fewer"


def test_repeats_that_come_in_one_bout_are_no_effect() -> None:
    _, sittings, shown = office(0.0, 0.0, days=20)
    bout = [source("h3-0", 3, 10.0 + n) for n in range(30)]
    arms = measured([lesson("tide", source("first", 0), *bout)], sittings, shown).arms
    assert arms.ratio is not None
    assert arms.ratio.high is not None
    assert arms.ratio.high < 1  # for itself it would have said so
    assert arms.verdict == "no-difference-seen"


def test_only_what_follows_the_moment_in_the_same_session_counts() -> None:
    sittings = [sitting("a", 1), sitting("b", 1)]
    shown = [said("tide", "a", 1, 30)]
    before, after, other = source("a", 1, 20), source("a", 1, 40), source("b", 1, 40)
    same_prompt = source("a", 1, 30 + 2 / 60)
    one = lesson("tide", source("first", 0), before, same_prompt, after, other)
    arms = measured([one], sittings, shown).arms
    assert (arms.told.sessions, arms.told.repeats) == (1, 1)


def test_repeat_of_a_lesson_that_was_not_said_does_not_count() -> None:
    lessons = [lesson("tide", source("x", 0)), lesson("buoy", source("y", 0), source("a", 1))]
    arms = measured(lessons, [sitting("a", 1)], [said("tide", "a", 1)]).arms
    assert (arms.told.sessions, arms.told.repeats) == (1, 0)


def test_lesson_that_is_no_more_puts_no_session_into_an_arm() -> None:
    arms = measured(
        [lesson("buoy", source("y", 0))], [sitting("a", 1)], [said("tide", "a", 1)]
    ).arms
    assert arms.told.sessions == 0


def test_sessions_that_were_not_read_are_left_out_and_counted() -> None:
    one = lesson("tide", source("first", 0))
    told = measured([one], [sitting("a", 1)], [said("tide", "a", 1), said("tide", "gone", 2)])
    assert (told.arms.told.sessions, told.arms.unread) == (1, 1)


def test_session_of_both_arms_is_of_none() -> None:
    shown = [said("tide", "a", 1), said("tide", "a", 1, 10, held_out=True)]
    told = measured([lesson("tide", source("first", 0))], [sitting("a", 1)], shown)
    assert (told.arms.told.sessions, told.arms.held_out.sessions) == (0, 0)


def test_without_a_control_arm_nothing_is_compared() -> None:
    lessons, sittings, shown = office(0.5, 0.5)
    arms = measured(lessons, sittings, [one for one in shown if not one.held_out]).arms
    assert (arms.verdict, arms.needed) == ("not-enough-data", None)


def test_said_after_the_last_night_is_not_looked_at() -> None:
    late: list[Happened] = [source("first", 0)]
    told: Measured = measured(
        [lesson("tide", *late)], [sitting("a", 101)], [said("tide", "a", 101)], night=NIGHT
    )
    assert told.arms.told.sessions == 0
    assert named("tide") in {one.course.lesson for one in told.lessons}
