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
    """Counts of one ingest. `by_kind` counts new episodes; `damaged` lines were skipped.

    `forgotten` events were kept out because the owner had forgotten them.
    """

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
    forgotten: int = 0
    by_kind: dict[str, int] = field(default_factory=dict)


@dataclass
class EmitReport(_Counts):
    """Counts of emitted events. `unknown` are of kinds that this version does not know."""

    new: int = 0
    known: int = 0
    changed: int = 0
    copies: int = 0
    forgotten: int = 0
    unknown: int = 0
    by_kind: dict[str, int] = field(default_factory=dict)


@dataclass
class ImportReport:
    """What became of an exported memory's records; by type where a type can tell.

    `changed` were merged with what the memory held, `copies` are of sessions that it has under
    another name, `kept_out` were forgotten or vetoed here, `unknown` are of types that this
    version does not know. `damaged` has (line number, what was wrong).
    """

    new: dict[str, int] = field(default_factory=dict)
    changed: int = 0
    known: int = 0
    copies: int = 0
    kept_out: int = 0
    unknown: int = 0
    damaged: list[tuple[int, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Forgotten:
    """What was, or would be, forgotten. `lessons` rested on it and go with it.

    `clean` is False while another program keeps old bytes in the store's log; `snapshots` are
    those that were rewritten without it.
    """

    episodes: int
    sessions: int
    lessons: int
    ids: tuple[str, ...]
    clean: bool = True
    snapshots: tuple[str, ...] = ()


@dataclass(frozen=True)
class Snapshot:
    """A copy of the whole memory as it was. `damaged` says why it can not be restored."""

    name: str
    path: str
    made: str
    schema: int
    bytes: int
    sha256: str
    counts: dict[str, int]
    why: str = ""
    damaged: str = ""


@dataclass(frozen=True)
class Repaired:
    """What a repair did; `kept` is the copy that was made before.

    Of a damaged store `salvaged` records were read, and at most `lost` could not be. `removed`
    counts leftovers of interrupted copies.
    """

    kept: str
    damaged: bool = False
    salvaged: int = 0
    lost: int = 0
    dropped_vectors: int = 0
    vacuumed: bool = False
    removed: int = 0


@dataclass(frozen=True)
class Status:
    """What a memory holds. `pending` episodes have no vector yet; `bytes` is the store's size.

    `lessons` hold now, `predictions` are open.
    """

    home: str
    schema: int
    episodes: int
    by_kind: dict[str, int]
    archived: int
    sessions: int
    files: int
    lessons: int
    predictions: int
    vetoes: int
    vectors: dict[str, int]
    pending: int
    projects: int
    first: str | None
    last: str | None
    last_read: str | None
    bytes: int
