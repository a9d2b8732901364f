"""What this package needs from a memory, as structural types: no memory is imported here."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from remem_protocol import Event, Note
from remem_protocol.memory import Lesson


@dataclass(frozen=True)
class Known:
    """A lesson that may be shown, and the events it rests on, the oldest first."""

    lesson: Lesson
    sources: tuple[Event, ...]

    @property
    def last(self) -> str:
        """When its latest source happened."""
        return max((event.at for event in self.sources), default=self.lesson.updated)


class Recalled(Protocol):
    """What answers a question: an episode's words, and when they were said."""

    @property
    def id(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def score(self) -> float: ...
    @property
    def at(self) -> str: ...
    @property
    def times(self) -> int: ...


class Served(Protocol):
    """A memory as agents reach it. May be called from any thread; each call is complete in itself.

    A project given is a limit: nothing of another project comes back (MEM-022).
    """

    def project_of(self, cwd: str) -> str:
        """Return the identity of the project that a folder belongs to, "" for none."""

    def recall(self, query: str, *, project: str, limit: int) -> Sequence[Recalled]:
        """Return what answers a question, best first."""

    def remember(self, note: Note) -> str:
        """Store a note; return its id. Raises RememError."""

    def known(self, project: str | None) -> Sequence[Known]:
        """Return the lessons that may be shown in a project, the strongest first."""


class Judge(Protocol):
    """What decides what bears on a moment. Called by one thread at a time."""

    def __call__(
        self, moment: dict[str, str], said: set[str]
    ) -> tuple[list[tuple[str, str, str]], int, str]:
        """Return what to say, how many lessons were known, and the project's identity.

        `moment` is as `priming.moments.read_moment` returns it, `said` are the first eight letters
        of the lessons that its session knows. What to say is (lesson, why, its line), the
        weightiest first.
        """


LoadJudge = Callable[[], Judge]
