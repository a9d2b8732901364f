"""The session in a file, with what stands around the file: its folder, its parent, its copies.

Subagents have files of their own in a folder named after the parent's session.
"""

from collections.abc import Iterator
from pathlib import Path

from remem_agents.gemini.assembly import Assembly
from remem_agents.gemini.files import successor
from remem_agents.gemini.history import History, index, messages
from remem_agents.gemini.names import AGENT, CHATS
from remem_agents.gemini.workdir import working_folder
from remem_agents.times import modified, wire_time
from remem_agents.transcript import ReadNotes, Seen, Transcript, source_of
from remem_protocol import RememError, SessionHead

_MAX_ID = 1024


def read(path: Path, seen: Seen) -> Iterator[Transcript]:
    """Read the session in a file; none for a file without a conversation, or a mere copy.

    A session that is there twice, in the old format and moved to the new, is read from the new.
    Raise MalformedError for a file that is no session, OSError when it can't be opened.
    """
    source, notes = source_of(path), ReadNotes()
    history = index(path, notes)
    if not history.has_conversation or _was_moved(path, history):
        return
    head = _head(path, history)
    last = next(reversed(history.places))
    if not seen.add(f"{AGENT}/{head.id}/{len(history.places)}/{last}"):
        return
    assembly = Assembly(head.started, notes, is_subagent=_is_subagent(path, history))
    yield Transcript(head, assembly.turns(messages(path, history)), notes, source)


def _was_moved(path: Path, history: History) -> bool:
    moved = successor(path)
    if moved is None:
        return False
    try:
        newer = index(moved, ReadNotes())
    except (RememError, OSError):  # that is the other file's trouble; this one is whole
        return False
    return newer.has_conversation and newer.metadata.session_id == history.metadata.session_id


def _is_subagent(path: Path, history: History) -> bool:
    return history.metadata.kind == "subagent" or path.parent.parent.name == CHATS


def _head(path: Path, history: History) -> SessionHead:
    metadata = history.metadata
    is_child = path.parent.parent.name == CHATS
    return SessionHead(
        id=(metadata.session_id or path.stem)[:_MAX_ID],
        agent=AGENT,
        started=wire_time(metadata.start_time) or modified(path),
        cwd=working_folder(path, metadata),
        parent=path.parent.name[:_MAX_ID] if is_child else None,
    )
