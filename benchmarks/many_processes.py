"""Several processes read and write one memory at once; nothing may be locked out or lost.

Usage: many_processes.py [--seconds 300] [--processes 8] [--memories 2000]

Each process stores notes one at a time, asks the memory, and now and then takes a snapshot. Prints
how much was done, how many calls found the store busy, how many stored notes are missing or there
twice, and the median and 95th percentile of each kind of call. Exits 1 if anything was wrong.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from remem_core import BusyError, Memory
from remem_core.embed import open_embedder
from remem_protocol import Note

_WORDS = "orchard harbour kumquat papaya release branch token cache queue parser".split()


def main() -> int:
    """Run the experiment and print its result."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--memories", type=int, default=2_000)
    parser.add_argument("--worker", nargs=2, metavar=("HOME", "NUMBER"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        _work(Path(arguments.worker[0]), int(arguments.worker[1]), arguments.seconds)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "memory"
        with _open(home) as memory:
            memory.emit(_note(99, i) for i in range(arguments.memories))
        reports = _run(home, arguments.processes, arguments.seconds)
        return _judge(home, reports, arguments.memories)


def _run(home: Path, processes: int, seconds: float) -> list[dict[str, Any]]:
    command = [sys.executable, __file__, "--seconds", str(seconds), "--worker", str(home)]
    children = [
        subprocess.Popen([*command, str(i)], stdout=subprocess.PIPE, text=True)
        for i in range(processes)
    ]
    return [json.loads(child.communicate()[0]) for child in children]


def _work(home: Path, number: int, seconds: float) -> None:
    """Store, ask and copy until the time is over; print what was done."""
    took: dict[str, list[float]] = {"store": [], "ask": [], "snapshot": []}
    turn = busy = stored = 0
    until = time.monotonic() + seconds
    with _open(home) as memory:
        while time.monotonic() < until:
            kept = _timed(took["store"], memory.emit, [_note(number, stored)])
            asked = _timed(took["ask"], memory.recall, f"{_WORDS[turn % 10]} of process {number}")
            stored += kept
            busy += (not kept) + (not asked)
            turn += 1
            if number == 0 and turn % 100 == 0:
                busy += not _timed(took["snapshot"], memory.snapshot)
    json.dump({"number": number, "stored": stored, "busy": busy, "took": took}, sys.stdout)


def _timed(times: list[float], call: Callable[..., object], *given: object) -> bool:
    """Call and keep how long it took; False when the store was busy for too long."""
    began = time.monotonic()
    try:
        call(*given)
    except BusyError:
        return False
    finally:
        times.append(time.monotonic() - began)
    return True


def _judge(home: Path, reports: list[dict[str, Any]], before: int) -> int:
    with _open(home) as memory:
        rows = memory._db.execute("select body from episodes").fetchall()
        damaged = [row[0] for row in memory._db.execute("pragma integrity_check")] != ["ok"]
    there = [body for (body,) in rows]
    expected = {_note(99, i).text for i in range(before)}
    for report in reports:
        expected |= {_note(report["number"], i).text for i in range(report["stored"])}
    lost, doubled = len(expected - set(there)), len(there) - len(set(there))
    busy = sum(report["busy"] for report in reports)
    stored = sum(report["stored"] for report in reports)
    print(
        f"processes {len(reports)}  stored {stored}  locked {busy}  lost {lost}  doubled {doubled}"
    )
    for kind in ("store", "ask", "snapshot"):
        times = sorted(t for report in reports for t in report["took"][kind])
        if len(times) > 1:
            p95 = statistics.quantiles(times, n=20)[-1]
            median = statistics.median(times)
            print(
                f"{kind:<9} {len(times):6} calls  median {median * 1000:7.1f} ms"
                f"  p95 {p95 * 1000:7.1f} ms  longest {times[-1] * 1000:7.0f} ms"
            )
    return 1 if busy or lost or doubled or damaged else 0


def _open(home: Path) -> Memory:
    return Memory.open(home, embedder=open_embedder({**os.environ, "REMEM_EMBED": "hashed"}))


def _note(process: int, number: int) -> Note:
    minutes, seconds = divmod(number, 60)
    hours, minutes = divmod(minutes, 60)
    return Note(
        text=f"{_WORDS[number % 10]} {number} of process {process}, kept for good",
        at=f"2026-05-{process % 28 + 1:02d}T{hours % 24:02d}:{minutes:02d}:{seconds:02d}.000000Z",
        source="owner",
    )


if __name__ == "__main__":
    sys.exit(main())
