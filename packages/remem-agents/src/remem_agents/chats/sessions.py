"""Exported conversations as transcripts: what reading an export of either kind has in common."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from remem_agents.chats.exports import conversations
from remem_agents.times import modified
from remem_agents.transcript import ReadNotes, Seen, Transcript, source_of
from remem_protocol import MalformedError, SessionHead, Turn, content_id

_MAX_ID = 1024


class Conversation(NamedTuple):
    """What an export says of one conversation; `version` differs once anything is added to it."""

    id: str | None
    version: str
    started: str | None
    turns: Callable[[str, ReadNotes], Iterator[Turn]]


def read(
    path: Path, seen: Seen, agent: str, understand: Callable[[bytes], Conversation | None]
) -> Iterator[Transcript]:
    """Read the conversations in an export, each as a session.

    One that can't be understood is skipped and counted. The notes are the file's: all its
    transcripts have the same. Raise MalformedError when no conversation can be read, OSError when
    the file can't be opened.
    """
    source, fallback = source_of(path), modified(path)
    notes, any_read = ReadNotes(), False
    for raw in conversations(path, notes):
        found = understand(raw)
        if found is None:
            notes.damage("not a conversation")
            continue
        any_read = True
        name = (found.id or content_id("chat", [raw.decode("utf-8", "replace")]))[:_MAX_ID]
        if not seen.add(f"{agent}/{name}/{found.version}"):
            notes.duplicates += 1
            continue
        head = SessionHead(id=name, agent=agent, started=found.started or fallback)
        yield Transcript(head, found.turns(head.started, notes), notes, source)
    if notes.damaged and not any_read:
        raise MalformedError(f"no conversation could be read: {notes.examples[0]}")
