"""A lesson before it was in mind and with it: which repeats count, in how many sessions."""

import pytest
from invented import BARGE, at, foretold, lesson, measured, of, said, sitting, source

from remem_core.measure.course import Rate
from remem_core.measure.given import Sitting

DAILY = [sitting(f"s{day}", day) for day in range(100)]
MIND = 50


def test_known_rates_give_known_numbers() -> None:
    before = [source(f"s{day}", day) for day in range(10, 50, 4)]  # the first one is no repeat
    after = [source("s70", 70)]
    shown = [said("tide", "s50", 50), *(said("", f"s{day}", day) for day in range(50, 100))]
    told = measured([lesson("tide", *before, *after)], DAILY, shown)
    course = of(told, "tide").course
    assert (course.before.repeats, course.after.repeats) == (9, 1)
    # The half of session 10 that followed its source, sessions 11 to 49, and 5 seconds of s50.
    assert course.before.sessions == pytest.approx(39.5 + 5 / 3600)
    assert course.after.sessions == pytest.approx(50 - 5 / 3600)
    assert (course.before.days, course.after.days) == (41, 50)
    assert course.before.per_session == pytest.approx(9 / (39.5 + 5 / 3600))
    assert course.after.per_day == 1 / 50
    assert course.in_mind is not None
    assert course.in_mind[:10] == at(50)[:10]
    assert course.after_ids == (after[0].id,)


def test_effect_is_found_and_says_which_kind() -> None:
    before = [source(f"s{day}", day) for day in range(40)]
    shown = [said("tide", "s50", 50), *(said("", f"s{day}", day) for day in range(50, 100))]
    told = measured([lesson("tide", *before, source("s60", 60), kind="error")], DAILY, shown)
    correction, error, _ = told.kinds
    assert (correction.lessons, correction.ratio) == (0, None)
    assert error.ratio is not None
    assert error.ratio.high is not None
    assert error.ratio.high < 0.2


def test_no_effect_leaves_one_within_the_interval() -> None:
    sources = [source(f"s{day}", day) for day in range(0, 100, 4)]
    shown = [said("tide", "s50", 50), *(said("", f"s{day}", day) for day in range(50, 100))]
    change = measured([lesson("tide", *sources)], DAILY, shown).kinds[0]
    assert change.ratio is not None
    assert change.ratio.low is not None
    assert change.ratio.high is not None
    assert change.ratio.low < 1 < change.ratio.high


def test_too_few_repeats_give_no_ratio_and_say_how_many_it_takes() -> None:
    sources = [source("s40", 40), source("s44", 44)]
    shown = [said("tide", "s50", 50), *(said("", f"s{day}", day) for day in range(50, 100))]
    change = measured([lesson("tide", *sources)], DAILY, shown).kinds[0]
    assert change.ratio is None
    assert change.needed is not None
    assert change.needed > 1


def test_session_that_spans_the_moment_counts_on_both_sides() -> None:
    long = sitting("long", MIND, 100)
    sources = [source("early", 20), source("long", MIND, 20), source("long", MIND, 90)]
    shown = [said("tide", "long", MIND, 50 - 5 / 60)]  # in mind at its half
    course = of(measured([lesson("tide", *sources)], [long], shown), "tide").course
    assert (course.before, course.after) == (
        Rate(1, 0.5, 1, 2.0, 1.0), Rate(1, 0.5, 1, 2.0, 1.0),
    )  # fmt: skip


def test_prompt_that_says_it_again_is_no_repeat_in_spite_of_it() -> None:
    again = source("s50", 50, minute=10)
    shown = [said("tide", "s50", 50, minute=10 - 1 / 60)]
    course = of(measured([lesson("tide", source("s10", 10), again)], DAILY, shown), "tide").course
    assert (course.before.repeats, course.after.repeats) == (1, 0)


def test_sessions_held_out_or_without_hooks_do_not_have_it_in_mind() -> None:
    repeats = [source("s60", 60), source("s61", 61), source("s62", 62)]
    shown = [said("tide", "s50", 50), said("", "s60", 60), said("tide", "s61", 61, held_out=True)]
    course = of(
        measured([lesson("tide", source("s10", 10), *repeats)], DAILY, shown), "tide"
    ).course
    assert course.after_ids == (repeats[0].id,)
    assert course.apart == 2
    assert course.after.sessions == pytest.approx(2, abs=0.01)  # s50 and s60


def test_lesson_in_files_is_in_mind_in_every_session_since() -> None:
    repeats = [source("s20", 20), source("s61", 61)]
    shown = [said("tide", None, 30), said("tide", "s61", 61, held_out=True)]
    course = of(
        measured([lesson("tide", source("s10", 10), *repeats)], DAILY, shown), "tide"
    ).course
    assert (course.before.repeats, course.after.repeats, course.apart) == (1, 1, 0)
    assert course.after.sessions == pytest.approx(70)


def test_lesson_that_was_only_held_back_is_not_in_mind() -> None:
    shown = [said("tide", "s50", 50, held_out=True)]
    told = measured([lesson("tide", source("s10", 10), source("s60", 60))], DAILY, shown)
    course = of(told, "tide").course
    assert (course.in_mind, course.before.repeats) == (None, 1)
    assert told.kinds[0].lessons == 0


def test_projects_are_kept_apart() -> None:
    both = [*DAILY, *(sitting(f"b{day}", day, project=BARGE) for day in range(100))]
    shown = [said("tide", "s50", 50)]
    alone = of(measured([lesson("tide", source("s10", 10))], DAILY, shown), "tide")
    beside = of(measured([lesson("tide", source("s10", 10))], both, shown), "tide")
    assert alone == beside
    everywhere = lesson("tide", source("s10", 10), source("b20", 20), project=None)
    course = of(measured([everywhere], both, shown), "tide").course
    assert course.before.repeats == 1
    assert course.before.sessions == pytest.approx(2 * (39.5 + 5 / 3600))


def test_repeat_in_a_session_nobody_read_has_no_rate() -> None:
    sources = [source("s10", 10), source(None, 20), source("elsewhere", 30)]
    course = of(measured([lesson("tide", *sources)], DAILY), "tide").course
    assert (course.before.repeats, course.unplaced) == (0, 2)


def test_closed_lesson_is_followed_until_then() -> None:
    sources = [source("s10", 10), source("s20", 20)]
    shown = [said("", f"s{day}", day) for day in range(50, 100)]
    closed = lesson("tide", *sources, valid_until=at(60), superseded_by=None)
    aside = lesson("buoy", *sources, archived=at(70))
    told = measured(
        [closed, aside], DAILY, [said("tide", "s50", 50), said("buoy", "s50", 50), *shown]
    )
    assert of(told, "tide").course.after.days == 10
    assert of(told, "buoy").course.after.days == 20


def test_merged_lesson_was_in_mind_under_its_older_name() -> None:
    one = lesson("tide", source("s10", 10))
    told = measured(
        [one], DAILY, [said("old", "s40", 40)], names={lesson("old").lesson.id: one.lesson.id},
        predictions=[foretold("old", 20, "confirmed")],
    )  # fmt: skip
    assert of(told, "tide").course.in_mind == at(40, 5 / 60)
    assert of(told, "tide").predictions.confirmed == 1


def test_since_bounds_what_is_counted_and_not_what_was_in_mind() -> None:
    sources = [source("s10", 10), source("s20", 20), source("s60", 60), source("s80", 80)]
    shown = [said("tide", "s50", 50), *(said("", f"s{day}", day) for day in range(50, 100))]
    told = measured([lesson("tide", *sources)], DAILY, shown, since=at(70))
    course = of(told, "tide").course
    assert (course.before, course.after.repeats, course.after.days) == (Rate(), 1, 30)
    assert course.in_mind is not None


def test_what_came_after_the_last_night_is_not_counted() -> None:
    shown = [said("tide", "s50", 50), *(said("", f"s{day}", day) for day in range(50, 100))]
    one = lesson("tide", source("s10", 10), source("s90", 90))
    told = measured([one], DAILY, shown, night=at(80))
    course = of(told, "tide").course
    assert (course.after.repeats, course.after.days) == (0, 30)
    assert told.until == at(80)


def test_session_without_length_is_before_or_after() -> None:
    moment = Sitting("m", None, 100.0, 100.0)
    assert [moment.share(*ends) for ends in ((50, 100), (100, 150), (0, 50))] == [0.0, 1.0, 0.0]
