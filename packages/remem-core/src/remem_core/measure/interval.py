"""How sure a number is: 95 % intervals of a share, of a ratio of rates, and of a difference."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

NORMAL = 1.959963984540054  # the 97.5 % quantile of the normal distribution
TAIL = 0.025
DRAWS = 2_000
_STEPS = 60  # of a bisection: more digits than a float has


@dataclass(frozen=True)
class Interval:
    """An estimate and the ends of its 95 % interval; None where there is no number or no bound."""

    estimate: float | None
    low: float | None
    high: float | None


def wilson(count: int, of: int) -> Interval | None:
    """Return a share with its score interval; None of nothing.

    E. B. Wilson, Probable inference, the law of succession, and statistical inference, JASA 22
    (1927): it keeps its coverage for few cases and for shares near 0 and 1.
    """
    if of == 0:
        return None
    share, square = count / of, NORMAL * NORMAL
    middle = share + square / (2 * of)
    reach = NORMAL * math.sqrt(share * (1 - share) / of + square / (4 * of * of))
    whole = 1 + square / of
    low, high = max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)
    return Interval(share, 0.0 if count == 0 else low, 1.0 if count == of else high)


def rate_ratio(count: int, exposure: float, other: int, other_exposure: float) -> Interval:
    """Return the ratio of two rates with its exact interval.

    Given their sum, the first of two Poisson counts is binomial (J. Przyborowski and H. Wilenski,
    Biometrika 31, 1940); its share has the interval of C. J. Clopper and E. S. Pearson (Biometrika
    26, 1934). Too narrow where events come in clusters. Both exposures are above 0.
    """
    scale = other_exposure / exposure
    low, high = _clopper_pearson(count, count + other)
    return Interval(
        estimate=count / other * scale if other else None,
        low=low / (1 - low) * scale,
        high=high / (1 - high) * scale if high < 1 else None,
    )


def events_needed(exposure: float, other_exposure: float) -> int | None:
    """Return from how many events on an effect would show if all of them were the other's.

    With fewer, the exact interval of the ratio never ends below 1. None: no number is enough.
    """
    if exposure <= 0 or other_exposure <= 0:
        return None
    return math.ceil(math.log(TAIL) / math.log(other_exposure / (exposure + other_exposure)))


def difference_by_group(
    groups: Sequence[tuple[int, int, int, int]], rng: random.Random
) -> Interval | None:
    """Return the difference of two rates, resampling whole groups; None where a rate is missing.

    A group has (events, exposure, other events, other exposure). The percentile bootstrap of
    clusters (B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993, chapters 8 and
    13): what comes together is drawn together. The order of the groups must be settled.
    """
    estimate = _difference(groups)
    if estimate is None:
        return None
    draws = (_difference(rng.choices(groups, k=len(groups))) for _ in range(DRAWS))
    drawn = sorted(draw for draw in draws if draw is not None)
    cut = int(len(drawn) * TAIL)
    return Interval(estimate, drawn[cut], drawn[-1 - cut])


def _difference(groups: Sequence[tuple[int, int, int, int]]) -> float | None:
    events, exposure, other, other_exposure = (sum(part) for part in zip(*groups, strict=True))
    if not exposure or not other_exposure:
        return None
    return float(events / exposure - other / other_exposure)


def _clopper_pearson(count: int, of: int) -> tuple[float, float]:
    low = 0.0 if count == 0 else _solve(lambda p: 1 - _at_most(count - 1, of, p), rising=True)
    high = 1.0 if count == of else _solve(lambda p: _at_most(count, of, p), rising=False)
    return low, high


def _solve(tail: Callable[[float], float], *, rising: bool) -> float:
    """Return the share at which a tail's probability is 2.5 %."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if (tail(middle) < TAIL) == rising:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _at_most(count: int, of: int, p: float) -> float:
    """Return the probability of at most `count` successes, 0 < p < 1."""
    ways = math.lgamma(of + 1)
    odds, none = math.log(p), math.log1p(-p)
    return math.fsum(
        math.exp(
            ways - math.lgamma(k + 1) - math.lgamma(of - k + 1) + k * odds + (of - k) * none
        )
        for k in range(count + 1)
    )  # fmt: skip
