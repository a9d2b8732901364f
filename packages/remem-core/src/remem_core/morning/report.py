"""What a morning tells, as plain values: short lists, each with how many it leaves out."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from remem_core.delegation import Row
from remem_core.store.tallying import Basis

T = TypeVar("T")


@dataclass(frozen=True)
class Few(Generic[T]):
    """The first of a list, and how many more there are."""

    shown: tuple[T, ...] = ()
    more: int = 0

    def __len__(self) -> int:
        return len(self.shown) + self.more


@dataclass(frozen=True)
class Told:
    """A lesson and what it rests on. `first` and `last` are when its sources happened."""

    id: str
    text: str
    kind: str
    wording: str
    seen: int
    sessions: int
    projects: tuple[str, ...]
    first: str
    last: str


@dataclass(frozen=True)
class Joined:
    """A lesson that several were merged into."""

    lesson: Told
    count: int


@dataclass(frozen=True)
class Closed:
    """A lesson that holds no more, and the one that took its place, if it can be told."""

    lesson: Told
    successor: Told | None


@dataclass(frozen=True)
class Expected:
    """What a lesson says will happen again; `outcome` is None while that is open."""

    text: str
    lesson: str
    due: str
    outcome: str | None


@dataclass(frozen=True)
class Predictions:
    """What was predicted in the night and what came of earlier ones.

    `open` counts those that are due from `next_due` on; of all that were ever resolved, `resolved`,
    `came_true` did.
    """

    made: Few[Expected] = Few()
    settled: Few[Expected] = Few()
    open: int = 0
    next_due: str | None = None
    resolved: int = 0
    came_true: int = 0


@dataclass(frozen=True)
class Week:
    """One week: its Monday, the surprises in it, and those of them that repeat an earlier one."""

    monday: str
    surprises: int
    repeats: int


@dataclass(frozen=True)
class Morning:
    """One night's report. `now` is the night's time, `since` the ledger's last row before it,
    `lessons` the number of those that hold.
    """

    now: str
    since: int
    basis: Basis
    lessons: int
    learned: Few[Told] = Few()
    again: Few[Told] = Few()
    narrowed: Few[Told] = Few()
    merged: Few[Joined] = Few()
    parted: Few[Told] = Few()
    reworded: Few[Told] = Few()
    closed: Few[Closed] = Few()
    put_aside: Few[Told] = Few()
    faded: int = 0
    predictions: Predictions = Predictions()
    delegation: tuple[Row, ...] = ()
    weeks: tuple[Week, ...] = ()

    @property
    def is_quiet(self) -> bool:
        """Whether the night changed nothing."""
        changed = (self.learned, self.again, self.narrowed, self.merged, self.parted,
                   self.reworded, self.closed, self.put_aside, self.predictions.made,
                   self.predictions.settled)  # fmt: skip
        return not self.faded and not any(len(few) for few in changed)
