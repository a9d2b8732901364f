"""What the memory needs from a reader, as structural types: no reader is imported here."""

from collections.abc import Iterable
from typing import Protocol

from remem_protocol import SessionHead, Turn


class SourceFile(Protocol):
    """The file that a transcript was read from, and how it stood when reading began."""

    @property
    def path(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def mtime_ns(self) -> int: ...
    @property
    def tail(self) -> str: ...


class Notes(Protocol):
    """What a reader counted; complete once the turns are consumed."""

    @property
    def lines(self) -> int: ...
    @property
    def damaged(self) -> int: ...


class Spoken(Protocol):
    """A session's head and its turns: a whole `Session`, or one that is still being read."""

    @property
    def head(self) -> SessionHead: ...
    @property
    def turns(self) -> Iterable[Turn]: ...


class Transcript(Spoken, Protocol):
    """A session that is read from a file, its turns in a single pass."""

    @property
    def notes(self) -> Notes: ...
    @property
    def source(self) -> SourceFile | None: ...
