"""Kill -9 at random moments of what changes a store; nothing may be lost, doubled or half done.

Usage: kill_store.py [--points 300] [--sessions 60] [--seed 1] [--seconds 0]

Prints, for each command, how many of its runs were killed and what was wrong; exits 1 if anything
was. With --seconds it stops after that time, however many points are left.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from store_trials import Trial, copy_of, judge, judge_again, run, start, trials


def main() -> int:
    """Run the experiment and print its result."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--points", type=int, default=300)
    parser.add_argument("--sessions", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0)
    arguments = parser.parse_args()
    chance, killed, points = random.Random(arguments.seed), Counter[str](), Counter[str]()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        timed = [
            (trial, _takes(trial, Path(folder)))
            for trial in trials(Path(folder), arguments.sessions)
        ]
        started = time.monotonic()
        for point in range(arguments.points):
            if arguments.seconds and time.monotonic() - started > arguments.seconds:
                break
            trial, (starts, ends) = timed[point % len(timed)]
            points[trial.name] += 1
            with copy_of(trial.before, Path(folder) / "killed") as home:
                killed[trial.name] += _kill(trial, home, chance.uniform(starts, ends))
                if why := judge(trial, home) or judge_again(trial, home):
                    wrong.append(f"{trial.name}: {why}")
                    print(wrong[-1], file=sys.stderr, flush=True)
    for name, count in points.items():
        print(f"{name:<10} points {count:4}  killed {killed[name]:4}")
    print(f"points {points.total()}  killed {killed.total()}  wrong {len(wrong)}")
    return 1 if wrong else 0


def _takes(trial: Trial, folder: Path) -> tuple[float, float]:
    """Return when a command begins to work and when it ends, in seconds from its start."""
    with copy_of(trial.before, folder / "timed") as home:
        began = time.monotonic()
        run(home, ("paths",))  # does nothing but start
        starts = time.monotonic() - began
        began = time.monotonic()
        run(home, trial.command)
        return 0.8 * starts, time.monotonic() - began


def _kill(trial: Trial, home: Path, after: float) -> bool:
    child = start(home, trial.command)
    try:
        child.communicate(timeout=after)
    except subprocess.TimeoutExpired:
        child.kill()
        child.communicate()
        return True
    return False


if __name__ == "__main__":
    sys.exit(main())
