"""Which messages a session file holds in the end, and where each stands.

The program appends a message again each time it changes, replaces the list, and rewinds; an older
version rewrote one object whole. So a file is indexed first, which keeps only places, and the
messages that count are read one by one from there: memory does not grow with the file.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from remem_agents.damage import salvage
from remem_agents.gemini.names import SNAPSHOT
from remem_agents.gemini.rows import CARRIERS, LINES, Carrier, Line, Message, Metadata, Stub
from remem_agents.lines import BUFFER_BYTES, MAX_LINE_BYTES
from remem_agents.transcript import ReadNotes
from remem_protocol import MalformedError, TooLargeError

_CONVERSATION = frozenset({"user", "gemini"})
_MARK = SNAPSHOT.encode()
_OBJECT = re.compile(rb"\s*\{\s*\n")  # written with a field a line


class Place(NamedTuple):
    """Where the newest version of a message stands, in bytes, and what type it has."""

    offset: int
    length: int
    type: str


@dataclass(slots=True)
class History:
    """The session as its file leaves it: metadata, and the place of each message in order."""

    metadata: Metadata = field(default_factory=Metadata)
    places: dict[str, Place] = field(default_factory=dict)

    @property
    def has_conversation(self) -> bool:
        """Whether anybody said anything."""
        return any(place.type in _CONVERSATION for place in self.places.values())

    def take(self, line: Line, offset: int, length: int) -> None:
        """Apply a line to what the lines before it left."""
        if line.rewind_to is not None:
            self._rewind(line.rewind_to)
        elif line.id is not None:
            # A key that is there already keeps its position: the last version, the first place.
            self.places[line.id] = Place(offset, length, line.type)
        else:
            news = line.set or line
            self._describe(news)
            if news.messages is not None:
                self._replace(news.messages, offset, length)

    def _rewind(self, message: str) -> None:
        keys = list(self.places)
        first = keys.index(message) if message in self.places else 0
        for key in keys[first:]:
            del self.places[key]

    def _describe(self, news: Metadata) -> None:
        for name in ("session_id", "project_hash", "start_time", "kind", "directories"):
            if (value := getattr(news, name)) is not None:
                setattr(self.metadata, name, value)

    def _replace(self, stubs: list[Stub], offset: int, length: int) -> None:
        listed = {
            key_of(stub.id, offset, number): Place(offset, length, stub.type)
            for number, stub in enumerate(stubs)
        }
        kept: dict[str, Place] = {}
        if any(_MARK in bytes(stub.content) for stub in stubs):
            # A summary took the place of what was said; it was said all the same.
            kept = {key: place for key, place in self.places.items() if key not in listed}
        self.places = kept | listed


def key_of(message: str | None, offset: int, number: int) -> str:
    """Name a message, by its place when it has no id."""
    return message if message is not None else f"@{offset}.{number}"


def index(path: Path, notes: ReadNotes) -> History:
    """Index a session file of either format; empty for an empty file.

    Raise MalformedError for a file that is no session, TooLargeError for an object over
    256 MiB, OSError when it can't be opened.
    """
    with path.open("rb", buffering=BUFFER_BYTES) as file:
        if not _begins_with_row(file):
            document = _document(file, notes)
            if document is not None:
                return document
        history = History()
        for line, offset, length in _lines(file, notes):
            history.take(line, offset, length)
    if notes.damaged and not history.places and history.metadata.session_id is None:
        raise MalformedError("neither a whole JSON object nor lines of a Gemini CLI session")
    return history


def _begins_with_row(file: BinaryIO) -> bool:
    """Whether the first line is a whole object, so that the file is one of lines."""
    first = b""
    while (line := file.readline(MAX_LINE_BYTES)) and not (first := line.strip(b"\0 \t\r\n")):
        pass
    file.seek(0)
    try:
        LINES.decode(first)
    except (msgspec.MsgspecError, RecursionError):
        return not first
    return True


def _document(file: BinaryIO, notes: ReadNotes) -> History | None:
    """Index a file that is one object; None when it is not."""
    content = file.read(MAX_LINE_BYTES + 1)
    file.seek(0)
    if len(content) > MAX_LINE_BYTES:
        if _OBJECT.match(content):
            raise TooLargeError(f"one object of over {MAX_LINE_BYTES} bytes")
        return None
    inside = ReadNotes(lines=1)
    found = _decoded(content, inside)
    if len(found) != 1 or found[0].messages is None:
        return None
    history = History()
    history.take(found[0], 0, len(content))
    notes.lines, notes.damaged, notes.examples = 1, inside.damaged, inside.examples
    return history


def _lines(file: BinaryIO, notes: ReadNotes) -> Iterator[tuple[Line, int, int]]:
    offset = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        notes.lines += 1
        if len(line) > MAX_LINE_BYTES:
            notes.damage(f"longer than {MAX_LINE_BYTES} bytes")
            while not line.endswith(b"\n") and (line := file.readline(BUFFER_BYTES)):
                pass
        else:
            for row in _decoded(line, notes):
                yield row, offset, len(line)
        offset = file.tell()


def _decoded(line: bytes, notes: ReadNotes) -> list[Line]:
    try:
        return [LINES.decode(line)]
    except (msgspec.MsgspecError, RecursionError):
        return salvage(line, LINES, notes)


def messages(path: Path, history: History) -> Iterator[tuple[str, Message]]:
    """Read the messages that count, in order, each with its key."""
    here, found = None, dict[str, Message]()
    with path.open("rb", buffering=BUFFER_BYTES) as file:
        for key, place in history.places.items():
            if here != (place.offset, place.length):  # a list's messages stand in one place
                here = (place.offset, place.length)
                file.seek(place.offset)
                found = _carried(file.read(place.length), place.offset)
            if (message := found.get(key)) is not None:
                yield key, message


def _carried(line: bytes, offset: int) -> dict[str, Message]:
    try:
        carriers = [CARRIERS.decode(line)]
    except (msgspec.MsgspecError, RecursionError):
        carriers = salvage(line, CARRIERS, ReadNotes())
    found: dict[str, Message] = {}
    for carrier in carriers:
        if carrier.id is not None:
            found[carrier.id] = carrier
        for number, message in enumerate(_listed(carrier)):
            found[key_of(message.id, offset, number)] = message
    return found


def _listed(carrier: Carrier) -> list[Message]:
    listed = carrier.set.messages if carrier.set is not None else carrier.messages
    return listed or []
