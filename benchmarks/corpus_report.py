"""What one `remem ingest` makes of a folder of real sessions, by agent, and how fast each is read.

`python benchmarks/corpus_report.py FOLDER [--rounds N]` prints two tables. Speed is told as a
multiple of decoding the same bytes with msgspec and doing nothing with them: line by line where an
agent writes lines, the whole document where it writes one.
"""

import argparse
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import msgspec

from remem_agents.transcript import Seen, Transcript
from remem_cli.reading import SessionFile, find_files
from remem_core.surprise import detect
from remem_core.surprise.judging import Judge
from remem_core.surprise.model import open_judge

KINDS = ("correction", "error", "environment", "surprise", "handback", "session")


@dataclass
class Counts:
    """What the memory holds of one agent."""

    files: int = 0
    megabytes: float = 0.0
    sessions: int = 0
    person_turns: int = 0
    damaged: int = 0
    candidates: int = 0
    kinds: Counter[str] = field(default_factory=Counter)


def ingest(folder: Path, home: Path) -> str:
    """Read the folder into a fresh memory by the command; return what it says."""
    command = [sys.executable, "-m", "remem_cli", "ingest", str(folder), "--no-embed"]
    env = {**os.environ, "REMEM_HOME": str(home)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    return done.stderr + done.stdout


def count(home: Path, files: Sequence[SessionFile]) -> dict[str, Counts]:
    """Count what the memory holds, by agent."""
    agents = {os.path.realpath(file.path): file.reader.name for file in files}
    found: dict[str, Counts] = defaultdict(Counts)
    with closing(sqlite3.connect(home / "memory.db")) as db:
        for path, size, damaged in db.execute("SELECT path, size, damaged FROM files"):
            counts = found[agents[path]]
            counts.files += 1
            counts.megabytes += size / 1e6
            counts.damaged += damaged
        sessions = "SELECT agent, count(*), sum(person_turns) FROM sessions GROUP BY agent"
        for agent, number, turns in db.execute(sessions):
            found[agent].sessions, found[agent].person_turns = number, turns
        events = (
            "SELECT agent, kind, archived IS NULL, count(*) FROM episodes"
            " GROUP BY agent, kind, archived IS NULL"
        )
        for agent, kind, is_live, number in db.execute(events):
            if is_live:
                found[agent].kinds[kind] = number
            else:  # of a fresh memory only candidates are put aside (EVT-045)
                found[agent].candidates += number
    return dict(sorted(found.items()))


def counted(counts: dict[str, Counts]) -> Iterator[str]:
    """Give the lines of the table of counts."""
    yield (
        "| agent | files | MB | sessions | person's turns | damaged | "
        + " | ".join(KINDS)
        + " | candidate |"
    )
    yield "|---" * (7 + len(KINDS)) + "|"
    for agent, c in counts.items():
        kinds = " | ".join(f"{c.kinds[kind]:,}" for kind in KINDS)
        head = f"| {agent} | {c.files} | {c.megabytes:.1f} | {c.sessions} | {c.person_turns:,}"
        yield f"{head} | {c.damaged} | {kinds} | {c.candidates} |"


# How fast


def decode(file: SessionFile) -> None:
    """Decode a file's JSON and do nothing with it; what is not JSON is passed over."""
    with file.path.open("rb") as opened:
        rows = [opened.read()] if file.path.suffix == ".json" else opened
        for row in rows:
            try:
                msgspec.json.decode(row)
            except msgspec.DecodeError:
                continue


def parse(file: SessionFile) -> None:
    """Read a file's turns."""
    for transcript in _transcripts(file):
        for _ in transcript.turns:
            pass


def parse_and_detect(file: SessionFile) -> None:
    """Read a file's turns and find the events in them by the rules."""
    for transcript in _transcripts(file):
        for _ in detect(transcript.head, transcript.turns):
            pass


def parse_and_judge(file: SessionFile) -> None:
    """The same with the model that judges words, without vectors."""
    judge = _judge()
    for transcript in _transcripts(file):
        for _ in detect(transcript.head, transcript.turns, judge):
            pass


@cache
def _judge() -> Judge:
    return open_judge()


def _transcripts(file: SessionFile) -> Iterator[Transcript]:
    return file.reader.read(file.path, Seen())


def timed(files: Sequence[SessionFile], rounds: int) -> Iterator[str]:
    """Give the lines of the table of speeds."""
    yield "| agent | msgspec decode, MB/s | parse | parse + rules | parse + rules + model |"
    yield "|---|---|---|---|---|"
    by_agent: dict[str, list[SessionFile]] = defaultdict(list)
    for file in files:
        by_agent[file.reader.name].append(file)
    for agent, mine in sorted(by_agent.items()):
        size = sum(file.path.stat().st_size for file in mine) / 1e6
        plain = _best_of(rounds, decode, mine)
        works = (parse, parse_and_detect, parse_and_judge)
        times = " | ".join(f"{_best_of(rounds, work, mine) / plain:.1f} ×" for work in works)
        yield f"| {agent} | {size / plain:,.0f} | {times} |"


def _best_of(
    rounds: int, work: Callable[[SessionFile], None], files: Sequence[SessionFile]
) -> float:
    def once() -> float:
        began = time.perf_counter()
        for file in files:
            work(file)
        return time.perf_counter() - began

    return min(once() for _ in range(rounds))


def main(argv: list[str] | None = None) -> int:
    """Print both tables."""
    parser = argparse.ArgumentParser(prog="corpus_report.py", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args(argv)
    files = find_files([args.folder], "auto", {}).files
    with tempfile.TemporaryDirectory(prefix="remem-corpus-") as home:
        began = time.monotonic()
        said = ingest(args.folder, Path(home))
        seconds = time.monotonic() - began
        table = "\n".join(counted(count(Path(home), files)))
    print(f"{table}\n\nIn {seconds:.1f} s:\n\n```\n{said.strip()}\n```\n")
    print("\n".join(timed(files, args.rounds)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
