"""What the memory answers about what it did and holds: plain values, ready for JSON."""

from dataclasses import dataclass, field
from typing import Any


class _Counts:
    """Adding up: the counts that both have, and those by kind."""

    by_kind: dict[str, int]

    def add(self, other: Any) -> None:
        """Add another report's counts to these; what only one of them has is left alone."""
        theirs = vars(other)
        for name, value in vars(self).items():
            if name != "by_kind" and name in theirs:
                setattr(self, name, value + theirs[name])
        for kind, count in other.by_kind.items():
            self.by_kind[kind] = self.by_kind.get(kind, 0) + count


@dataclass
class IngestReport(_Counts):
    """Counts of one ingest. `by_kind` counts new episodes; `damaged` lines were skipped."""

    sessions: int = 0
    turns: int = 0
    person_turns: int = 0
    lines: int = 0
    damaged: int = 0
    new: int = 0
    known: int = 0
    changed: int = 0
    copies: int = 0
    replaced: int = 0
    by_kind: dict[str, int] = field(default_factory=dict)


@dataclass
class EmitReport(_Counts):
    """Counts of emitted events. `unknown` are of kinds that this version does not know."""

    new: int = 0
    known: int = 0
    changed: int = 0
    copies: int = 0
    unknown: int = 0
    by_kind: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Status:
    """What a memory holds. `pending` episodes have no vector yet; `bytes` is the store's size."""

    home: str
    schema: int
    episodes: int
    by_kind: dict[str, int]
    archived: int
    sessions: int
    files: int
    lessons: int
    vectors: dict[str, int]
    pending: int
    projects: int
    first: str | None
    last: str | None
    last_read: str | None
    bytes: int
