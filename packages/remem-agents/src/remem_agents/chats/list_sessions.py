"""Message lists as transcripts: an id from what they say, a time from their file."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from remem_agents.chats.lists import MessageList, latest, read_lists
from remem_agents.chats.messages import turns_of
from remem_agents.times import modified, wire_time
from remem_agents.transcript import ReadNotes, Seen, Transcript, source_of
from remem_protocol import SessionHead, content_id

_MAX_ID = 1024
_CONVERSATION = ("user", "assistant", "model")


def read(path: Path, seen: Seen, agent: str) -> Iterator[Transcript]:
    """Read the conversations in a file; none for one that only instructs.

    The notes are the file's: all its transcripts have the same. Raise MalformedError for a file
    without lists, TooLargeError for a document over 256 MiB, OSError when it can't be opened.
    """
    source, fallback, notes = source_of(path), modified(path), ReadNotes()
    for found in latest(read_lists(path, notes)):
        messages = found.messages + found.reply
        if not _has_conversation(found):
            continue
        content = content_id("chat", [msgspec.json.encode(messages).decode()])
        name = (found.id or content)[:_MAX_ID]
        if not seen.add(f"{agent}/{name}/{content}"):
            notes.duplicates += 1
            continue
        started = wire_time(found.time) or fallback
        head = SessionHead(id=name, agent=agent, started=started)
        yield Transcript(head, turns_of(messages, started), notes, source)


def _has_conversation(found: MessageList) -> bool:
    return any(
        message.get("role") in _CONVERSATION or "role" not in message for message in found.messages
    )
