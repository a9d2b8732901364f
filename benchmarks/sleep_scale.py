"""How a night grows with the memory: seconds and memory by pass, and how long it locks others out.

Usage: python benchmarks/sleep_scale.py [--sizes 1000,10000,100000] [--nights 2]

Each size is a store of its own with invented weeks of work (weeks.py), slept through in a process
of its own with the hashed embedder, so that what is measured is sleep and not the model. The last
night is the one with little new. Prints one JSON line a size, then the exponents of growth.
`held_ms` is the longest that sleep held the write lock; `waited_ms` the longest that another
process, asking for it every 5 ms, waited (SQLite looks again after up to 100 ms).
"""

import argparse
import datetime
import json
import math
import multiprocessing
import os
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from weeks import APART, START, events

from remem_core import Memory
from remem_core.store.connection import connect

DAY = datetime.timedelta(days=1)


class Prober:
    """Another process that wants the write lock all the time; `longest` is its worst wait, in s."""

    def __init__(self, path: Path) -> None:
        self._over = multiprocessing.Event()
        self._longest = multiprocessing.Value("d", 0.0)
        self._process = multiprocessing.Process(
            target=_probe, args=(path, self._over, self._longest), daemon=True
        )
        self._process.start()

    def stop(self) -> float:
        """End it and return the worst wait."""
        self._over.set()
        self._process.join()
        return float(self._longest.value)


def _probe(path: Path, over: Any, longest: Any) -> None:
    with closing(connect(path)) as db:
        while not over.wait(0.005):
            began = time.perf_counter()
            db.execute("begin immediate")
            db.execute("rollback")
            longest.value = max(longest.value, time.perf_counter() - began)


class Holds:
    """How long the write lock was held, told by SQLite's own statements."""

    def __init__(self, memory: Memory) -> None:
        self.longest = 0.0
        self._began = 0.0
        memory._db.set_trace_callback(self._see)
        self._memory = memory

    def _see(self, statement: str) -> None:
        if statement == "begin immediate":
            self._began = time.perf_counter()
        elif statement in ("commit", "rollback"):
            self.longest = max(self.longest, time.perf_counter() - self._began)

    def stop(self) -> float:
        """Listen no more; return the longest, in s."""
        self._memory._db.set_trace_callback(None)
        return self.longest


class Passes:
    """Seconds by pass, from the progress that a night tells."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def __call__(self, name: str, done: int, total: int) -> None:
        now = time.perf_counter()
        self.seconds[name] = self.seconds.get(name, 0.0) + now - self._last
        self._last = now


def measure(count: int, nights: int) -> dict[str, object]:
    """Fill a store and sleep; return the figures of the first and the last night."""
    told: dict[str, object] = {"episodes": count}
    with tempfile.TemporaryDirectory() as folder, Memory.open(Path(folder)) as memory:
        memory.emit(events(count), embed=False)
        end = START + datetime.timedelta(minutes=APART * count)
        for night in range(nights):
            prober, holds, passes = Prober(memory.places.db), Holds(memory), Passes()
            began = time.perf_counter()
            report = memory.sleep(end + night * DAY, minutes=600, progress=passes)
            seconds = time.perf_counter() - began
            told[f"night_{night + 1}"] = {
                "seconds": round(seconds, 2),
                "held_ms": round(1e3 * holds.stop(), 1),
                "waited_ms": round(1e3 * prober.stop(), 1),
                "changes": report.changes,
                "passes": {name: round(s, 2) for name, s in passes.seconds.items()},
            }
        told["lessons"] = memory.status().lessons
    told["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return told


def main() -> int:
    """Measure each size in a process of its own, then print the exponents."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--nights", type=int, default=2)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one is not None:
        print(json.dumps(measure(arguments.one, arguments.nights)))
        return 0
    told = []
    for size in map(int, arguments.sizes.split(",")):
        command = [sys.executable, __file__, "--one", str(size), "--nights", str(arguments.nights)]
        env = {**os.environ, "REMEM_EMBED": "hashed"}
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
        told.append(json.loads(done.stdout))
        print(done.stdout.strip(), flush=True)
    if len(told) > 1:
        _say_exponents(told)
    return 0


def _say_exponents(told: list[dict[str, object]]) -> None:
    """Print the exponent of growth from the first size to the last, of each night."""
    small, large = told[0], told[-1]
    ratio = math.log(large["episodes"] / small["episodes"])  # type: ignore[operator]
    for night in (name for name in small if name.startswith("night")):
        a, b = (figures[night]["seconds"] for figures in (small, large))  # type: ignore[index]
        print(f"{night}: exponent {math.log(b / a) / ratio:.2f}")


if __name__ == "__main__":
    sys.exit(main())
