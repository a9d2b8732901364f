"""The labelled replies and calls that the models beside the rules learn from.

Two small sets stand beside this file, written in the manner of agents at work and of the tools
they call, because the sets of `train` are short and tidy: admissions.txt and outcomes.tsv.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from remem_core.surprise.cues import languages_of, plain
from remem_core.surprise.words import prose, unquoted
from remem_protocol import Call, CallResult

INVENTED = ("train/a", "train/b", "train/c")
HERE = "training"
_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Reply:
    """A reply, its words as the judge is given them, and whether it admits a surprise."""

    text: str
    words: str
    admits: bool
    source: str
    fold: str


@dataclass(frozen=True)
class Outcome:
    """A call with its output, and what it was: error, environment, refused or ok."""

    call: Call
    label: str
    source: str
    fold: str


def read_replies(data: Path) -> list[Reply]:
    """Return the English replies: every invented set, then our own, in the order of the files."""
    rows = [
        _reply(row["reply"], row["label"] == "stated", source, source)
        for source in INVENTED
        for row in _rows(data / source / "surprises.jsonl")
    ]
    for at, line in enumerate(_lines(_FOLDER / "admissions.txt")):
        rows.append(_reply(line[2:], line.startswith("+"), HERE, f"{HERE}/{at % 2}"))
    return [row for row in rows if languages_of(row.words) == ("en",)]


def read_outcomes(data: Path) -> list[Outcome]:
    """Return the calls: every invented set, then our own, in the order of the files."""
    rows = [
        _outcome(row["label"], row, source, source)
        for source in INVENTED
        for row in _rows(data / source / "failures.jsonl")
    ]
    for at, line in enumerate(_lines(_FOLDER / "outcomes.tsv")):
        label, *fields = line.split("\t", 4)
        row = dict(zip(("tool", "description", "command", "output"), fields, strict=True))
        row["output"] = row["output"].replace("\\n", "\n")
        rows.append(_outcome(label, row, HERE, f"{HERE}/{at % 2}"))
    return rows


def _reply(text: str, admits: bool, source: str, fold: str) -> Reply:
    return Reply(text, plain(unquoted(prose(text))), admits, source, fold)


def _outcome(label: str, row: dict[str, str], source: str, fold: str) -> Outcome:
    call = Call(
        id="c1",
        tool=row["tool"],
        description=row["description"],
        input=row["command"],
        result=CallResult(status="unknown", text=row["output"]),
    )
    return Outcome(call, label, source, fold)


def _rows(path: Path) -> Iterator[dict[str, str]]:
    return (json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip())


def _lines(path: Path) -> Iterator[str]:
    return (line for line in path.read_text("utf-8").split("\n") if line and line[0] != "#")
