"""Kill -9 in every pass of a night, sleep again, compare with a night undisturbed.

Usage: python benchmarks/kill_sleep.py [--points 60] [--events 400] [--seed 1]

Each point kills each of three nights at a random moment and sleeps it again with the same clock.
Lessons, predictions, names and the verbs of the ledger must be the same as of nights undisturbed.
Exits 1 when one differs.
"""

import argparse
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from weeks import START, events

from remem_core import Memory

NIGHTS = ("2026-01-20T03:00:00Z", "2026-02-10T03:00:00Z", "2026-07-01T03:00:00Z")
QUERIES = (
    "select id, text, sources, strength, valid_until, superseded_by, archived from lessons"
    " order by id",
    "select id, lesson, outcome from predictions order by id",
    "select old, new from aliases order by old",
    "select verb, subject from ledger order by seq",
    "select id from episodes where archived is not null order by id",
    "select * from sleep_run",
)


def main() -> int:
    """Run the experiment and print its result."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--points", type=int, default=60)
    parser.add_argument("--events", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        filled = Path(folder) / "filled"
        with Memory.open(filled, clock=lambda: START) as memory:
            memory.emit(events(arguments.events), embed=False)
        expected, took = _undisturbed(filled, Path(folder) / "calm")
        print(f"undisturbed: {took:.1f} s, {len(expected)} rows")
        killed = wrong = 0
        for point in range(arguments.points):
            home = Path(folder) / "home"
            shutil.copytree(filled, home)
            for night in NIGHTS:
                killed += _sleep(home, night, chance.uniform(0.2, took / len(NIGHTS))) != 0
                _sleep(home, night, None)
            if (got := _content(home)) != expected:
                wrong += 1
                print(f"point {point} differs: {len(set(got) ^ set(expected))} rows")
            shutil.rmtree(home)
    print(f"points {arguments.points}  nights killed {killed}  different {wrong}")
    return 1 if wrong else 0


def _undisturbed(filled: Path, home: Path) -> tuple[list[tuple[Any, ...]], float]:
    shutil.copytree(filled, home)
    began = time.monotonic()
    for night in NIGHTS:
        _sleep(home, night, None)
    return _content(home), time.monotonic() - began


def _sleep(home: Path, night: str, kill_after: float | None) -> int:
    env = {**os.environ, "REMEM_HOME": str(home), "REMEM_EMBED": "hashed"}
    command = [sys.executable, "-m", "remem_cli", "sleep", "--now", night, "--json"]
    child = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL)
    try:
        code = child.wait(kill_after)
    except subprocess.TimeoutExpired:
        child.kill()
        return child.wait()
    if code != 0:
        sys.exit(f"a sleep failed with {code}")
    return code


def _content(home: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(home / "memory.db")) as db:
        if db.execute("pragma integrity_check").fetchall() != [("ok",)]:
            return [("damaged",)]
        return [row for query in QUERIES for row in db.execute(query)]


if __name__ == "__main__":
    sys.exit(main())
