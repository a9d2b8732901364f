"""How long a hook takes, from the start of its process to its end, beside the interpreter alone.

Usage: hook_latency.py [--runs 200] [--lessons 200] [--busy 0] [--cases NAME ...]

Makes a memory of invented lessons, sleeps on it, and runs `python -I -S hook.py` as an agent does.
Cases: `interpreter` (nothing but a start), `silent` (no live process, nothing to say), `words` (no
live process, something to say), `warming` (a live process without its model yet), `warm` (a live
process judges with its model). `--busy N` keeps N others computing meanwhile. Before each call
the bare interpreter is started too, so that `to bare` can say how many of its starts a call takes:
that holds on a machine with other work. Prints a table of milliseconds; `own` is from the first
line of the program on, `by` counts who judged, `missed` what nobody did, all three by the log.
Returns 1 when one took more than 300 ms of its own.
"""

import argparse
import contextlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import remem_agents.hook
from remem_agents.live import PrimeSocket
from remem_agents.priming.log import read_log
from remem_core import Memory
from remem_protocol import Failure

HOOK = remem_agents.hook.__file__
CASES = ("interpreter", "silent", "words", "warming", "warm")
PROGRAMS = (
    "pnpm cargo go pytest make docker kubectl terraform gradle mvn npm yarn uv pip git dbt flutter"
    " bazel cmake helm"
).split()
THINGS = (
    "cart order invoice coupon refund basket ledger ticket parcel voucher deploy release branch"
    " token cache queue parser schema index migration lockfile proxy socket thread worker button"
    " dialog theme locale sensor firmware shader texture corpus tensor epoch kernel packet router"
    " cluster volume secret mailbox invoice2 calendar"
).split()
ALLOWED_MS = 300.0


def main() -> int:
    """Run the cases and print the table; return 1 when a call took longer than it may."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--lessons", type=int, default=200)
    parser.add_argument("--busy", type=int, default=0)
    parser.add_argument("--cases", nargs="+", choices=CASES, default=CASES)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rm-") as folder, _busy(arguments.busy):
        lessons = make_memory(Path(folder), arguments.lessons)
        print(f"{lessons} lessons, {arguments.runs} runs, {arguments.busy} busy processes\n")
        print("| case | p50 | p95 | max | to bare | own p50 | own p95 | own max | by | missed |")
        print("|---|---|---|---|---|---|---|---|---|---|")
        return max(_run_case(Path(folder), name, arguments.runs) for name in arguments.cases)


def make_memory(folder: Path, lessons: int) -> int:
    """Make a memory of so many lessons of one project below a folder; return how many there are."""
    project = folder / "shop"
    (project / ".git").mkdir(parents=True)
    events: list[Failure] = []
    common: dict[str, Any] = {"cwd": str(project), "project": f"path:{os.path.realpath(project)}"}
    for n in range(lessons):
        for day in (10, 11):  # an error must be seen twice to become a lesson
            at = f"2026-11-{day}T{n % 24:02d}:{n // 24:02d}:00.000000Z"
            call, what = call_of(n)
            events.append(
                Failure(
                    tool="Bash",
                    call=call,
                    description=what,
                    failure=f"{PROGRAMS[n % 20]}: {' '.join(_words(n, 8))}: E{n * 7919 % 9973}",
                    at=at,
                    source="tool",
                    session=f"f{n}-{day}",
                    **common,
                )
            )
    with Memory.open(folder / "memory") as memory:
        memory.emit(events, embed=False)
    subprocess.run([*_remem(), "sleep"], env=_env(folder), check=True, capture_output=True)
    kept = json.loads((folder / "memory/primed/lessons.json").read_bytes())
    return len(kept["lessons"])


def call_of(number: int) -> tuple[str, str]:
    """Return the command of an invented failure, and its description."""
    first, second, third = _words(number, 3)
    command = f"{PROGRAMS[number % 20]} {first} {second}/{third}"
    return command, f"{first.capitalize()} the {second} of the {third}"


def _words(number: int, count: int) -> list[str]:
    """Return words that differ from one number to the next."""
    return random.Random(number).sample(THINGS, count)


def _remem() -> list[str]:
    return [sys.executable, "-m", "remem_cli"]


def _env(folder: Path) -> dict[str, str]:
    return os.environ | {"HOME": str(folder), "REMEM_HOME": str(folder / "memory")}


def _run_case(folder: Path, name: str, runs: int) -> int:
    primed = folder / "memory" / "primed"
    for log in primed.glob("log-*"):
        log.unlink()
    bare, took = [], []
    with _server(folder, name):
        for n in range(runs):
            bare.append(_fire(folder, "interpreter", n))
            took.append(_fire(folder, name, n))
    entries = list(read_log(primed))
    own = [float(entry["took"]) for entry in entries] or [0.0, 0.0]
    by = Counter(str(entry.get("by", "nobody")) for entry in entries)
    missed = Counter(str(entry["miss"]) for entry in entries if "miss" in entry)
    ratio = statistics.median(took) / statistics.median(bare)
    print(
        f"| {name} | {_spread(took)} | {ratio:.2f} | {_spread(own)}"
        f" | {_told(by)} | {_told(missed)} |",
        flush=True,
    )
    return int(max(own) > ALLOWED_MS)


def _spread(times: list[float]) -> str:
    p95 = statistics.quantiles(times, n=20)[-1]
    return f"{statistics.median(times):.0f} | {p95:.0f} | {max(times):.0f}"


def _told(counts: Counter[str]) -> str:
    return ", ".join(f"{what} {count}" for what, count in counts.most_common()) or "–"


def payload(folder: Path, name: str, number: int) -> str:
    """Return what a host tells its hook; each in a session of its own."""
    told: dict[str, Any] = {
        "session_id": f"{name}-{number}", "cwd": str(folder / "shop"), "transcript_path": "",
    }  # fmt: skip
    command, what = call_of(number % 100)
    if name in ("silent", "warm"):
        return json.dumps(told | {"prompt": f"explain to me how to {what.lower()}, step by step"})
    given = {"command": command, "description": what}
    return json.dumps(told | {"tool_name": "Bash", "tool_input": given})


def _fire(folder: Path, name: str, number: int) -> float:
    """Run one hook; return the milliseconds from the start of its process to its end."""
    event = "UserPromptSubmit" if name in ("silent", "warm") else "PreToolUse"
    what = ["-c", "pass"] if name == "interpreter" else [HOOK, "claude-code", event]
    told = payload(folder, name, number)
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-I", "-S", *what],
        input=told, text=True, capture_output=True, env=_env(folder),
    )  # fmt: skip
    took = (time.perf_counter() - began) * 1_000
    assert done.returncode == 0, done.stderr
    return took


@contextlib.contextmanager
def _server(folder: Path, name: str) -> Iterator[None]:
    """Keep a live process of the kind that a case needs."""
    if name == "warming":
        live = PrimeSocket(folder / "memory" / "primed", _never)
        live.start()
        yield
        live.close()
    elif name == "warm":
        with serving(folder):
            yield
    else:
        yield


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[None]:
    """Run `remem serve` for a block, its model loaded."""
    server = subprocess.Popen(
        [*_remem(), "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_env(folder)
    )
    log = folder / "memory" / "primed"
    for number in range(1_000):
        _fire(folder, "warm", 10_000 + number)
        if list(read_log(log))[-1].get("by") == "server":
            break
        time.sleep(0.2)
    for path in log.glob("log-*"):
        path.unlink()
    yield
    server.communicate(b"", timeout=30)


def _never() -> Any:
    raise AssertionError("nobody warms it")


@contextlib.contextmanager
def _busy(count: int) -> Iterator[None]:
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for other in others:
            other.kill()


if __name__ == "__main__":
    sys.exit(main())
