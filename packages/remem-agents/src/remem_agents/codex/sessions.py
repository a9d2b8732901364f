"""The session in a rollout: one a file, named by its first session_meta row."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from remem_agents.codex.assembly import Assembly
from remem_agents.codex.files import open_rollout, session_name
from remem_agents.codex.names import AGENT, CONTEXT, META
from remem_agents.codex.origin import Origin, Replay, origin_of
from remem_agents.codex.rows import Payload, Row, read_rows
from remem_agents.codex.words import folder_in
from remem_agents.times import modified, wire_time
from remem_agents.transcript import ReadNotes, Seen, Transcript, source_of
from remem_protocol import SessionHead, Turn

_MAX_ID = 1024
# A session's first rows name its folder; how far to look on when they don't.
_ROWS_TO_CWD = 64


def read(path: Path, seen: Seen) -> Iterator[Transcript]:
    """Read the session in a rollout; none for a file without a conversation.

    Raise OSError when the file can't be opened.
    """
    source = source_of(path)
    opening = _look_at(path)
    if not opening.talks:
        return
    origin = opening.origin or Origin()
    head = SessionHead(
        id=(origin.session or session_name(path))[:_MAX_ID],
        agent=AGENT,
        started=origin.created or opening.started or modified(path),
        cwd=opening.cwd,
        parent=origin.parent[:_MAX_ID] if origin.parent else None,
    )
    notes = ReadNotes()
    yield Transcript(head, _turns(path, origin, head, notes, seen), notes, source)


@dataclass(slots=True)
class _Opening:
    """What the first rows of a rollout say of it."""

    origin: Origin | None = None
    started: str | None = None
    cwd: str | None = None
    talks: bool = False

    def see(self, row: Row, payload: Payload) -> None:
        self.started = self.started or wire_time(row.timestamp)
        if row.type == META and self.origin is None:
            self.origin = origin_of(row, payload)
            self.cwd = payload.cwd or self.cwd
        elif row.type == CONTEXT:
            self.cwd = self.cwd or payload.cwd
        elif row.type != META:
            self.talks = True
            if payload.role == "user":
                self.cwd = self.cwd or folder_in(payload.content)


def _look_at(path: Path) -> _Opening:
    opening = _Opening()
    with open_rollout(path, ReadNotes()) as file:
        for number, (row, payload) in enumerate(read_rows(file, ReadNotes())):
            opening.see(row, payload)
            if opening.talks and (opening.cwd or number >= _ROWS_TO_CWD):
                break
    return opening


def _turns(
    path: Path, origin: Origin, head: SessionHead, notes: ReadNotes, seen: Seen
) -> Iterator[Turn]:
    assembly = Assembly(head.started, notes, seen, programs=origin.programs)
    with open_rollout(path, notes) as file:
        yield from assembly.turns(_own_rows(read_rows(file, notes), Replay(origin), notes))


def _own_rows(
    rows: Iterator[tuple[Row, Payload]], replay: Replay, notes: ReadNotes
) -> Iterator[tuple[Row, Payload]]:
    for row, payload in rows:
        if replay.copies(row, payload):
            notes.duplicates += 1
        else:
            yield row, payload
