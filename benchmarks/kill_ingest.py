"""Kill -9 at random moments of an ingest, run it again, compare with an undisturbed run.

Usage: kill_ingest.py [--points 50] [--sessions 40] [--seed 1]

Prints how many of the runs were killed and whether each ended with the same content; exits 1 if
one did not.
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

from remem_cli.demo import write_copies


def main() -> int:
    """Run the experiment and print its result."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--points", type=int, default=50)
    parser.add_argument("--sessions", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sessions = Path(folder) / "sessions"
        sessions.mkdir()
        write_copies(sessions, arguments.sessions)
        killed, wrong = _experiment(sessions, arguments.points, random.Random(arguments.seed))
    print(f"points {arguments.points}  killed {killed}  different {wrong}")
    return 1 if wrong else 0


def _experiment(sessions: Path, points: int, chance: random.Random) -> tuple[int, int]:
    """Return how many runs were killed before their end, and how many ended differently."""
    home = sessions.parent / "memory"
    started = time.monotonic()
    _ingest(sessions, home, None)
    took = time.monotonic() - started
    expected = _content(home)
    print(f"undisturbed: {took:.2f} s, {len(expected)} rows")
    killed = wrong = 0
    for _ in range(points):
        shutil.rmtree(home)
        killed += _ingest(sessions, home, chance.uniform(0, took)) != 0
        _ingest(sessions, home, None)
        wrong += _content(home) != expected
    return killed, wrong


def _ingest(sessions: Path, home: Path, kill_after: float | None) -> int:
    """Run an ingest, killed after so many seconds; return its exit code.

    One that fails by itself shows nothing about crashes and ends the experiment.
    """
    env = {**os.environ, "REMEM_HOME": str(home), "REMEM_EMBED": "hashed"}
    command = [sys.executable, "-m", "remem_cli", "ingest", "--quiet", str(sessions)]
    child = subprocess.Popen(command, env=env)
    try:
        code = child.wait(kill_after)
    except subprocess.TimeoutExpired:
        child.kill()
        return child.wait()
    if code != 0:
        sys.exit(f"an ingest failed with {code}")
    return code


def _content(home: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(home / "memory.db")) as db:
        if db.execute("pragma integrity_check").fetchall() != [("ok",)]:
            return [("damaged",)]
        db.execute("insert into words (words) values ('integrity-check')")
        return [
            row
            for query in (
                "select id, kind, project, event from episodes order by id",
                "select id, turns from sessions order by id",
                "select path, size from files order by path",
                "select e.id, v.v from vectors v join episodes e using (n) order by e.id",
            )
            for row in db.execute(query)
        ]


if __name__ == "__main__":
    sys.exit(main())
