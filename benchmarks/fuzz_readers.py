"""Fuzz what reads foreign bytes: readers, the detectors behind them, decoding, redaction, queries.

`python benchmarks/fuzz_readers.py [--minutes N] [--seed N] [--target NAME] [--results FILE]`. It
starts from the transcripts of the conformance vectors, which are valid and of every format, spoils
them and demands that what comes out is whole, and that nothing but the errors we name is raised.
The same seed tries the same inputs in the same order. What fails is written to `fuzz-crashes/`.
"""

import argparse
import base64
import json
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parent))
from mutations import PIECES, spoil

from remem_agents.registry import READERS, reader_for
from remem_agents.transcript import Seen
from remem_core.recall.query import parse_query
from remem_core.redact import redact, redact_event
from remem_core.surprise import detect
from remem_protocol import (
    PersonTurn,
    RememError,
    Session,
    decode_event,
    decode_object,
    decode_record,
    decode_session,
    encode,
)

VECTORS = Path(__file__).resolve().parents[1] / "conformance" / "vectors" / "v1"
CRASHES = Path("fuzz-crashes")
ROUND = 100  # inputs between two looks at the clock
SLOWEST = 20  # seconds that one input may take


_WORDS = (
    *("token", "=", ":", '"', "sk-", "ghp_", "AKIA", "password", "Bearer ", "eyJ", "://a:b@", "\n"),
    *("*", "OR", "NEAR(", "-----BEGIN ", "日本語", "é", "’", "\u202e"),
)


class TooSlowError(Exception):
    """An input took longer than any of its size should."""


@dataclass
class Seeds:
    """Valid files by agent, and valid lines of the protocol."""

    files: list[tuple[str, str, bytes]] = field(default_factory=list)  # agent, path, content
    lines: list[bytes] = field(default_factory=list)


def gather() -> Seeds:
    """Take the seeds from the conformance vectors; long ones teach nothing more."""
    seeds = Seeds()
    for path in sorted(VECTORS.rglob("*.json")):
        given = json.loads(path.read_bytes()).get("input") or {}
        for file in given.get("files", ()):
            if "raw" in file:
                content = base64.b64decode(file["raw"])
                agent = path.relative_to(VECTORS).parts[1]
                seeds.files.append((agent, file["path"], content))
        if given.get("type") and len(given.get("raw", "")) in range(1, 1 << 14):
            seeds.lines.append(base64.b64decode(given["raw"]))
    return seeds


# Targets: each takes hypothesis's data and the seeds, returns the input, and raises for a fault


def fuzz_reader(data: Any, seeds: Seeds, note: Callable[[bytes], None]) -> None:
    """Spoil a file; read it by its agent's reader and by the one that takes it for its own."""
    agent, path, content = data.draw(st.sampled_from(seeds.files))
    content = spoil(data.draw, content, [other for _, _, other in seeds.files])
    note(content)
    with tempfile.TemporaryDirectory(prefix="remem-fuzz-") as folder:
        file = Path(folder) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        names = {agent, getattr(reader_for(file), "name", agent)}
        for reader in READERS:
            if reader.name in names:
                check_reading(reader, file)


def check_reading(reader: Any, file: Path) -> None:
    """Read a file to its end: its sessions are valid, and so are their events."""
    try:
        for transcript in reader.read(file, Seen()):
            head, turns = transcript.head, tuple(transcript.turns)
            ended = max([head.started, *(turn.at for turn in turns)])
            session = Session(
                id=head.id, agent=head.agent, cwd=head.cwd, parent=head.parent, turns=turns,
                started=head.started, ended=ended,
            )  # fmt: skip
            assert decode_session(encode(session)) == session
            for turn in turns:
                wordless = isinstance(turn, PersonTurn) and not turn.text.strip()
                assert not wordless or turn.via == "refusal", "words of nobody (SES-015)"
            for event in detect(head, turns):
                redacted = redact_event(event)
                assert decode_event(encode(redacted)) == redacted
    except RememError:
        pass  # a file of which nothing can be read


def fuzz_decoder(data: Any, seeds: Seeds, note: Callable[[bytes], None]) -> None:
    """Spoil a line of the protocol; what decodes must encode to the same again."""
    line = spoil(data.draw, data.draw(st.sampled_from(seeds.lines)), seeds.lines)
    note(line)
    for decode in (decode_event, decode_session, decode_record, decode_object):
        try:
            found = decode(line)
        except RememError:
            continue
        if not isinstance(found, dict):
            assert decode(encode(found)) == found


def _text(data: Any, seeds: Seeds) -> str:
    """Draw a text: words, secrets' beginnings, or what stands in a spoiled line."""
    if data.draw(st.booleans()):
        line: bytes = spoil(data.draw, data.draw(st.sampled_from(seeds.lines)), seeds.lines)
        return line.decode("utf-8", "replace")
    words = st.sampled_from(_WORDS)
    pieces = st.one_of(words, st.text(max_size=12), st.sampled_from(PIECES).map(repr))
    return "".join(data.draw(st.lists(pieces, max_size=30)))


def fuzz_redaction(data: Any, seeds: Seeds, note: Callable[[bytes], None]) -> None:
    """Redact a text twice: the second time changes nothing (EVT-062)."""
    text = _text(data, seeds)
    note(text.encode("utf-8", "replace"))
    once = redact(text)
    assert redact(once) == once


def fuzz_query(data: Any, seeds: Seeds, note: Callable[[bytes], None]) -> None:
    """Parse a query that nobody would type, and ask an index by it."""
    import sqlite3

    text = _text(data, seeds)
    note(text.encode("utf-8", "replace"))
    query = parse_query(text)
    index = sqlite3.connect(":memory:")
    index.execute("CREATE VIRTUAL TABLE t USING fts5(title, body)")
    for match in (query.exact, query.any_word):
        asked = match() if callable(match) else match
        if asked is not None:
            index.execute("SELECT rowid FROM t WHERE t MATCH ?", (asked,)).fetchall()
    index.close()


TARGETS = {
    "readers": (fuzz_reader, 0.7),
    "decoders": (fuzz_decoder, 0.1),
    "redaction": (fuzz_redaction, 0.1),
    "queries": (fuzz_query, 0.1),
}


@dataclass
class Tally:
    """What one target went through: inputs, and faults by kind and place."""

    runs: int = 0
    seconds: float = 0.0
    crashes: dict[str, bytes] = field(default_factory=dict)


def fuzz(name: str, seeds: Seeds, first_seed: int, seconds: float) -> Tally:
    """Try inputs for so long; a fault ends a round, not the run."""
    target, tally = TARGETS[name][0], Tally()
    began = time.monotonic()
    number = first_seed
    while time.monotonic() - began < seconds:
        last: list[bytes] = [b""]
        try:
            _one_round(target, seeds, number, tally, last)
        except Exception as error:
            _report(name, error, last[0], tally)
        number += 1
    tally.seconds = time.monotonic() - began
    return tally


def _one_round(target: Any, seeds: Seeds, number: int, tally: Tally, last: list[bytes]) -> None:
    @seed(number)
    @settings(
        max_examples=ROUND,
        deadline=None,
        database=None,
        verbosity=Verbosity.quiet,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def attempt(data: Any) -> None:
        tally.runs += 1
        with _limited(SLOWEST):
            target(data, seeds, lambda content: last.__setitem__(0, content))

    attempt()


@contextmanager
def _limited(seconds: int) -> Iterator[None]:
    def expire(*_: object) -> None:
        raise TooSlowError(f"over {seconds} s")

    before = signal.signal(signal.SIGALRM, expire)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _report(name: str, error: Exception, content: bytes, tally: Tally) -> None:
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f for f in frames if "remem" in f.filename] or list(frames)
    place = f"{type(error).__name__} at {Path(ours[-1].filename).name}:{ours[-1].lineno}"
    if place in tally.crashes:
        return
    tally.crashes[place] = content
    CRASHES.mkdir(exist_ok=True)
    kept = CRASHES / f"{name}-{len(tally.crashes)}"
    kept.write_bytes(content)
    print(f"{name}: {place}: {error}; the input is in {kept}", file=sys.stderr)
    traceback.print_exception(error, limit=-6)


def main(argv: list[str] | None = None) -> int:
    """Fuzz all targets or one; return 1 when something crashed."""
    parser = argparse.ArgumentParser(prog="fuzz_readers.py", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0, help="in all (default: 1)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", choices=TARGETS)
    parser.add_argument("--results", type=Path, help="append the table to this file")
    args = parser.parse_args(argv)
    seeds = gather()
    rows, crashed = [], 0
    for name, (_, share) in TARGETS.items():
        if args.target in (None, name):
            seconds = 60 * args.minutes * (1.0 if args.target else share)
            tally = fuzz(name, seeds, args.seed, seconds)
            crashed += len(tally.crashes)
            hours = tally.seconds / 3600
            rows.append(f"| {name} | {hours:.2f} | {tally.runs:,} | {len(tally.crashes)} |")
    table = "\n".join(["| target | hours | runs | crashes |", "|---|---|---|---|", *rows])
    print(table)
    if args.results:
        with args.results.open("a", encoding="utf-8") as file:
            file.write(f"\nFuzzing (seed {args.seed}):\n\n{table}\n")
    return int(bool(crashed))


if __name__ == "__main__":
    sys.exit(main())
