"""What the memory answers about what it did and holds: plain values, ready for JSON."""

from dataclasses import dataclass, field


@dataclass
class IngestReport:
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

    def add(self, other: "IngestReport") -> None:
        """Add another report's counts to these."""
        for name, value in vars(other).items():
            if name != "by_kind":
                setattr(self, name, getattr(self, name) + value)
        for kind, count in other.by_kind.items():
            self.by_kind[kind] = self.by_kind.get(kind, 0) + count


@dataclass
class EmitReport:
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
