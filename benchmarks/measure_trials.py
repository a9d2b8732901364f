"""How often a measure tells a difference that is not there, and finds one that is.

Invented memories: three sessions a day on whose work a lesson bore, half of them held out. `even`
repeats are independent; in `bouts`, days and sessions differ among themselves (gamma, shape 0.7).

    python benchmarks/measure_trials.py [--trials 300]
"""

import argparse
import math
import random

from remem_core.measure import interval
from remem_core.measure.arms import DAYS_NEEDED, SEED

SESSIONS_A_DAY, SHAPE = 3.0, 0.7
# (days, repeats in a session told, held out, whether they come in bouts)
CASES = [
    (20, 0.2, 0.2, False),
    (20, 0.2, 0.2, True),
    (60, 0.2, 0.2, False),
    (60, 0.2, 0.2, True),
    (60, 0.1, 0.2, True),
    (180, 0.1, 0.2, True),
]


def main() -> None:
    """Print, for each case, the share of trials in which each interval leaves out no difference."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--trials", type=int, default=300)
    trials = parser.parse_args().trials
    for days, told, held_out, bouts in CASES:
        rng = random.Random(5)
        found = [judge(invent(rng, days, told, held_out, bouts)) for _ in range(trials)]
        shares = (sum(one[n] for one in found) / trials for n in range(3))
        ratio, difference, both = (f"{share:5.1%}" for share in shares)
        kind = "bouts" if bouts else "even"
        print(
            f"{days:4} days, {told:.2f} told, {held_out:.2f} held out, {kind:5}:"
            f" ratio {ratio}, difference {difference}, both {both}",
            flush=True,
        )


def invent(
    rng: random.Random, days: int, told: float, held_out: float, bouts: bool
) -> list[tuple[int, int, int, int]]:
    """Return days with (repeats, sessions) told, then held out."""
    groups = []
    for _ in range(days):
        mood = _unevenness(rng, bouts)
        day = [0, 0, 0, 0]
        for _ in range(_poisson(rng, SESSIONS_A_DAY)):
            arm, rate = rng.choice([(0, told), (2, held_out)])
            day[arm] += _poisson(rng, rate * mood * _unevenness(rng, bouts))
            day[arm + 1] += 1
        if day[1] + day[3]:
            groups.append((day[0], day[1], day[2], day[3]))
    return groups


def judge(groups: list[tuple[int, int, int, int]]) -> tuple[bool, bool, bool]:
    """Return whether the ratio, the difference, and both in one direction tell a difference."""
    repeats, sessions, other, other_sessions = (sum(part) for part in zip(*groups, strict=True))
    needed = interval.events_needed(sessions, other_sessions)
    if needed is None or repeats + other < needed or len(groups) < DAYS_NEEDED:
        return False, False, False
    ratio = interval.rate_ratio(repeats, sessions, other, other_sessions)
    difference = interval.difference_by_group(groups, random.Random(SEED))
    first = _side(ratio.low, ratio.high, 1.0)
    second = _side(difference.low, difference.high, 0.0) if difference else 0
    return first != 0, second != 0, first == second != 0


def _side(low: float | None, high: float | None, none: float) -> int:
    if high is not None and high < none:
        return -1
    return int(low is not None and low > none)


def _unevenness(rng: random.Random, bouts: bool) -> float:
    return rng.gammavariate(SHAPE, 1 / SHAPE) if bouts else 1.0


def _poisson(rng: random.Random, mean: float) -> int:
    """Draw by D. E. Knuth's multiplication of uniforms."""
    limit, count, product = math.exp(-mean), 0, rng.random()
    while product >= limit:
        count += 1
        product *= rng.random()
    return count


if __name__ == "__main__":
    main()
