"""Intervals against published numbers, and against what they promise."""

import random

import pytest

from remem_core.measure.interval import (
    Interval,
    difference_by_group,
    events_needed,
    rate_ratio,
    wilson,
)


def ends(interval: Interval | None) -> tuple[float | None, float | None]:
    assert interval is not None
    return interval.low, interval.high


def test_share_has_the_score_interval() -> None:
    # R: prop.test(x, n, correct = FALSE)
    assert ends(wilson(8, 10)) == pytest.approx((0.4901625, 0.9433178), abs=1e-6)
    assert ends(wilson(0, 10)) == pytest.approx((0.0, 0.2775328), abs=1e-6)
    assert ends(wilson(10, 10)) == pytest.approx((0.7224672, 1.0), abs=1e-6)
    assert wilson(0, 0) is None


def test_ratio_has_the_exact_interval() -> None:
    # Clopper and Pearson give 10 of 30 the interval 0.1729 to 0.5281.
    ratio = rate_ratio(10, 100.0, 20, 100.0)
    assert ratio.estimate == 0.5
    assert ends(ratio) == pytest.approx((0.1729 / 0.8271, 0.5281 / 0.4719), abs=1e-3)


def test_ratio_is_of_rates_not_of_counts() -> None:
    assert rate_ratio(10, 50.0, 10, 100.0).estimate == 2.0
    half, double = rate_ratio(10, 50.0, 20, 100.0), rate_ratio(20, 100.0, 10, 50.0)
    assert half.low == pytest.approx(1 / (double.high or 0))


def test_ratio_of_nothing_has_no_bound() -> None:
    assert rate_ratio(0, 10.0, 0, 10.0) == Interval(None, 0.0, None)
    assert rate_ratio(3, 10.0, 0, 10.0).high is None
    assert rate_ratio(0, 10.0, 3, 10.0).estimate == 0.0


@pytest.mark.parametrize(("mine", "other"), [(30.0, 30.0), (20.0, 60.0), (60.0, 20.0), (1.0, 99.0)])
def test_fewer_events_than_needed_tell_nothing_whatever_happened(mine: float, other: float) -> None:
    needed = events_needed(mine, other)
    assert needed is not None
    at_best = rate_ratio(0, mine, needed, other).high
    one_less = rate_ratio(0, mine, needed - 1, other).high
    assert at_best is not None
    assert at_best < 1
    assert one_less is None or one_less >= 1


def test_equal_halves_need_six_events_and_an_empty_one_any_number() -> None:
    assert events_needed(40.0, 40.0) == 6
    assert events_needed(0.0, 40.0) is None
    assert events_needed(40.0, 0.0) is None


def test_exact_interval_holds_the_truth_as_often_as_it_says() -> None:
    rng, held = random.Random(7), 0
    for _ in range(400):
        counts = [sum(rng.random() < 0.1 for _ in range(120)) for _ in range(2)]
        ratio = rate_ratio(counts[0], 120.0, counts[1], 120.0)
        held += (ratio.low or 0) <= 1 and (ratio.high is None or ratio.high >= 1)
    assert held >= 380


def test_difference_resamples_groups_and_repeats_itself() -> None:
    days = [(n % 2, 1, n % 3, 2) for n in range(30)]
    first = difference_by_group(days, random.Random(1))
    assert first == difference_by_group(days, random.Random(1))
    assert first is not None
    assert first.estimate == pytest.approx(15 / 30 - 30 / 60)
    assert first.low is not None
    assert first.high is not None
    assert first.low < 0 < first.high


def test_difference_is_wider_when_what_repeats_comes_on_few_days() -> None:
    spread = [(1, 4, 1, 4)] * 10 + [(1, 4, 1, 4)] * 10
    heaped = [(10, 4, 0, 4), (0, 4, 10, 4)] * 2 + [(0, 4, 0, 4)] * 16
    even, lumpy = (difference_by_group(days, random.Random(1)) for days in (spread, heaped))
    assert ends(even) == (0.0, 0.0)
    low, high = ends(lumpy)
    assert low is not None
    assert high is not None
    assert high - low > 0.3


def test_difference_needs_both_rates() -> None:
    assert difference_by_group([(1, 4, 0, 0)] * 12, random.Random(1)) is None
