"""A hundred hooks at once, while the memory sleeps and takes in sessions: none in the way or lost.

Usage: parallel_hooks.py [--calls 100] [--lessons 200] [--alone]

Starts `remem sleep` and `remem ingest`, a live `remem serve` unless `--alone`, and then all hooks
together. A call's time is its own, from the first line of the program to its end, as it logs it;
beside it stand how long the machine took until that first line, and both. Exits 1 if a call failed,
took more than its 300 ms, or left no line in the log.
"""

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from hook_latency import HOOK, make_memory, payload, serving

from remem_agents.priming.log import read_log
from remem_cli.demo import copy_of

DEADLINE_MS = 300.0


def main() -> int:
    """Run the calls and print what came of them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--calls", type=int, default=100)
    parser.add_argument("--lessons", type=int, default=200)
    parser.add_argument("--alone", action="store_true", help="without a live process")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rm-") as name:
        folder = Path(name)
        make_memory(folder, arguments.lessons)
        with contextlib.nullcontext() if arguments.alone else serving(folder):
            return _judge(folder, _all_at_once(folder, arguments.calls))


def _all_at_once(folder: Path, calls: int) -> list[tuple[int, float]]:
    """Return (exit code, milliseconds since all were started) of each call."""
    env = os.environ | {"HOME": str(folder), "REMEM_HOME": str(folder / "memory")}
    sessions = folder / "sessions"
    sessions.mkdir()
    for n in range(40):
        (sessions / f"s{n}.jsonl").write_text(copy_of("rate-limit", n), "utf-8")
    remem = [sys.executable, "-m", "remem_cli"]
    others = [
        subprocess.Popen([*remem, *words], env=env, stdout=-3, stderr=-3)
        for words in (["ingest", str(sessions)], ["sleep"])
    ]
    while not any(other.poll() is None for other in others):
        raise AssertionError("both ended before the first hook")
    time.sleep(1.0)  # past their imports, into the store
    kinds = ["silent" if n % 2 else "words" for n in range(calls)]
    began = time.perf_counter()
    started = []
    for n, kind in enumerate(kinds):
        event = "PreToolUse" if kind == "words" else "UserPromptSubmit"
        hook = subprocess.Popen(
            [sys.executable, "-I", "-S", HOOK, "claude-code", event],
            stdin=-1, stdout=-3, stderr=-3, text=True, env=env,
        )  # fmt: skip
        assert hook.stdin is not None
        hook.stdin.write(payload(folder, kind, n))
        hook.stdin.close()
        started.append(hook)
    done = [(hook.wait(), (time.perf_counter() - began) * 1_000) for hook in started]
    print("still at work:", [o.args[3] for o in others if o.poll() is None])  # type: ignore[index]
    for other in others:
        other.communicate()
        assert other.returncode == 0
    return done


def _spread(times: list[float]) -> str:
    p95 = statistics.quantiles(times, n=20)[-1]
    return f"p50 {statistics.median(times):.0f}, p95 {p95:.0f}, max {max(times):.0f} ms"


def _judge(folder: Path, done: list[tuple[int, float]]) -> int:
    entries = list(read_log(folder / "memory" / "primed"))
    took = [float(entry["took"]) for entry in entries]
    start = [float(entry.get("start", 0)) for entry in entries]
    both = [own + before for own, before in zip(took, start, strict=True)]
    failed = sum(code != 0 for code, _ in done)
    over = sum(ms > DEADLINE_MS for ms in took)
    lost = len(done) - len(entries)
    told = {
        "calls": len(done), "failed": failed, "lost": lost, "over": over,
        "own": _spread(took), "start": _spread(start), "since start": _spread(both),
        "all ended after": round(max(ms for _, ms in done)),
        "by": dict(Counter(str(entry.get("by", "nobody")) for entry in entries)),
        "missed": dict(Counter(str(entry["miss"]) for entry in entries if "miss" in entry)),
        "without": dict(Counter(str(e["without"]) for e in entries if "without" in e)),
    }  # fmt: skip
    print(json.dumps(told, indent=1))
    return int(bool(failed or over or lost))


if __name__ == "__main__":
    sys.exit(main())
