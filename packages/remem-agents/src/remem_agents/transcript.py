"""What a reader hands on: one session of one agent, streamed, with notes on how the reading went.

A session file can be a gigabyte, so turns come one by one and nothing here holds more than a few
of them. Third parties that have a whole Session need none of this: it has `head` and `turns` too.
"""

import array
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from remem_protocol import SessionHead, Turn

TAIL_BYTES = 4096
KEPT_HEAD = 6_000
KEPT_TAIL = 2_000
_EXAMPLES = 5
_KEY_MASK = 0xFFFF_FFFF_FFFF_FFFF


@dataclass(frozen=True, slots=True)
class Source:
    """A file as it was when it was read; an equal Source need not be read again.

    `path` is the real path; `tail` the SHA-256 of the last 4,096 bytes in hex.
    """

    path: str
    size: int
    mtime_ns: int
    tail: str


@dataclass(slots=True)
class ReadNotes:
    """How the reading of a transcript went; filled while its turns are consumed.

    `damaged` counts lines that were not one whole JSON object, even where something was saved;
    `skipped` rows that hold no turn; `duplicates` rows that were already read in this run.
    A chat keeps what a person took back: `edits` counts prompts they wrote anew, `regenerations`
    replies they had made anew.
    """

    lines: int = 0
    damaged: int = 0
    skipped: int = 0
    duplicates: int = 0
    edits: int = 0
    regenerations: int = 0
    examples: list[str] = field(default_factory=list)

    def damage(self, why: str) -> None:
        """Count the line being read as damaged."""
        self.damaged += 1
        if len(self.examples) < _EXAMPLES:
            self.examples.append(f"line {self.lines}: {why}")


@dataclass(slots=True)
class Transcript:
    """One session: its head, and its turns in the order of the file, to be consumed once."""

    head: SessionHead
    turns: Iterator[Turn]
    notes: ReadNotes = field(default_factory=ReadNotes)
    source: Source | None = None


class Seen:
    """The rows that a run has read, so that resumed and forked copies count once.

    Holds 64 bits of a hash for each row in a flat table with linear probing, about 16 bytes a
    row, because a run over years of sessions sees millions. Two rows collide with a probability
    of n²/2⁶⁵: one in some 400,000 runs over ten million rows.
    """

    def __init__(self) -> None:
        self._table = array.array("Q", bytes(8 * 1024))
        self._used = 0

    def add(self, row: str) -> bool:
        """Remember a row's id; False when it was there already."""
        key = hash(row) & _KEY_MASK or 1  # 0 is an empty place
        table = self._table
        mask = len(table) - 1
        place = key & mask
        while held := table[place]:
            if held == key:
                return False
            place = (place + 1) & mask
        table[place] = key
        self._used += 1
        if self._used * 3 > len(table) * 2:
            self._grow()
        return True

    def _grow(self) -> None:
        table = array.array("Q", bytes(16 * len(self._table)))
        mask = len(table) - 1
        for key in self._table:
            if key:
                place = key & mask
                while table[place]:
                    place = (place + 1) & mask
                table[place] = key
        self._table = table


def source_of(path: Path) -> Source:
    """Describe a file as it is now; raise OSError when it can't be read."""
    with path.open("rb") as file:
        stat = os.fstat(file.fileno())
        file.seek(max(0, stat.st_size - TAIL_BYTES))
        tail = hashlib.sha256(file.read(TAIL_BYTES)).hexdigest()
    return Source(os.path.realpath(path), stat.st_size, stat.st_mtime_ns, tail)


def clip(text: str) -> str:
    """Shorten a long text of the agent's side to its head and tail, saying how much is gone."""
    left_out = len(text) - KEPT_HEAD - KEPT_TAIL
    if left_out <= 0:
        return text
    return f"{text[:KEPT_HEAD]}…[{left_out} characters left out]…{text[-KEPT_TAIL:]}"
