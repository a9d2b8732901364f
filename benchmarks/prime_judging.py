"""How long one judgement takes against many lessons, with and without vectors.

    python benchmarks/prime_judging.py

Lessons and moments are those of training/moments, which are invented. Times are of the processor,
the lessons' vectors known, once with a moment that is new and once with one that was judged before.
"""

import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "training"))

from moments_file import Written, read_trades

from remem_core.embed import open_embedder
from remem_core.prime.judge import Judge
from remem_core.prime.moment import LessonView, Moment

LESSONS, MOMENTS = 300, 60


def times(judge: Judge, moments: Sequence[Moment], lessons: Sequence[LessonView]) -> list[float]:
    """Return the milliseconds of each judgement."""
    took = []
    for moment in moments:
        start = time.process_time()
        judge.judge(moment, lessons)
        took.append((time.process_time() - start) * 1e3)
    return took


def main() -> None:
    """Print median and 95th percentile."""
    written: list[Written] = [one for trade in read_trades().values() for one in trade]
    again = [replace(one) for one in written]
    lessons = [one.view(f"lesson {n}") for n, one in enumerate((written + again)[:LESSONS])]
    told = [moment for one in written for moment, _ in one.moments]
    moments = told[:: len(told) // MOMENTS]
    for judge in (Judge(), Judge(open_embedder())):
        judge.judge(moments[0], lessons)
        for name in ("new", "known"):
            took = sorted(times(judge, moments, lessons))
            median, late = statistics.median(took), took[int(len(took) * 0.95)]
            print(f"{judge.mode}, {name} moments: median {median:.1f} ms, p95 {late:.1f} ms")


if __name__ == "__main__":
    main()
