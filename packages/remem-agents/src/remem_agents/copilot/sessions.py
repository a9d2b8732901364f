"""The sessions in a log: the main one, and those of the subagents whose events stand among its.

Each is one pass over the file, which keeps a reader's memory flat; most logs have no subagents.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from remem_agents.copilot.assembly import Assembly
from remem_agents.copilot.files import session_name
from remem_agents.copilot.names import AGENT, RESUME, START
from remem_agents.copilot.rows import CONVERSATION, Data, Row, read_rows
from remem_agents.lines import BUFFER_BYTES
from remem_agents.times import modified, wire_time
from remem_agents.transcript import ReadNotes, Seen, Transcript, source_of
from remem_protocol import SessionHead, Turn

_MAX_ID = 1024
_MAX_AGENTS = 256
_MAIN = ""


@dataclass(frozen=True, slots=True)
class _Opening:
    """What the events before the conversation say of the session."""

    session: str | None = None
    parent: str | None = None
    started: str | None = None
    cwd: str | None = None


@dataclass(slots=True)
class _Log:
    """A log being read: when each agent in it began, the main one under an empty name."""

    path: Path
    began: dict[str, str | None] = field(default_factory=dict)
    surveyed: bool = False

    def rows(self, notes: ReadNotes) -> Iterator[tuple[str, Row, Data]]:
        """Read the log's events, each with the agent that it belongs to."""
        with self.path.open("rb", buffering=BUFFER_BYTES) as file:
            for row, data in read_rows(file, notes):
                agent = row.agent_id or data.parent_tool_call_id or _MAIN
                if row.type in CONVERSATION and len(self.began) < _MAX_AGENTS:
                    self.began.setdefault(agent, wire_time(row.timestamp))
                yield agent, row, data
        self.surveyed = True


def read(path: Path, seen: Seen) -> Iterator[Transcript]:
    """Read the sessions in a log; none for a log without a conversation.

    Raise OSError when the file can't be opened.
    """
    source, log = source_of(path), _Log(path)
    opening = _look_at(log)
    if not log.began:
        return
    name = (opening.session or session_name(path))[:_MAX_ID]
    head = SessionHead(
        id=name,
        agent=AGENT,
        started=opening.started or modified(path),
        cwd=opening.cwd,
        parent=opening.parent,
    )
    notes = ReadNotes()
    yield Transcript(head, _turns(log, _MAIN, head, notes, seen), notes, source)
    if not log.surveyed:  # the turns are kept for later
        for _ in log.rows(ReadNotes()):
            pass
    for agent in list(log.began):
        if agent != _MAIN:
            part = _head_of(head, agent, log.began[agent])
            notes = ReadNotes()
            yield Transcript(part, _turns(log, agent, part, notes, seen), notes, source)


def _look_at(log: _Log) -> _Opening:
    opening = _Opening()
    for _, row, data in log.rows(ReadNotes()):
        if row.type in (START, RESUME):
            opening = _merged(opening, row, data)
        elif row.type in CONVERSATION:
            at = wire_time(row.timestamp)
            return replace(opening, started=opening.started or at)
    return opening


def _merged(opening: _Opening, row: Row, data: Data) -> _Opening:
    """Take in a start or a resume: the first word on each point counts."""
    return _Opening(
        session=opening.session or data.session_id,
        parent=opening.parent or data.detached_from_spawning_parent_session_id,
        started=opening.started or wire_time(data.start_time) or wire_time(row.timestamp),
        cwd=opening.cwd or (data.context.cwd if data.context else None),
    )


def _head_of(head: SessionHead, agent: str, began: str | None) -> SessionHead:
    return SessionHead(
        id=f"{head.id}/{agent}"[:_MAX_ID],
        agent=AGENT,
        started=began or head.started,
        cwd=head.cwd,
        parent=head.id,
    )


def _turns(
    log: _Log, agent: str, head: SessionHead, notes: ReadNotes, seen: Seen
) -> Iterator[Turn]:
    # The lines and their damage are the file's: told once, with its main session.
    rows = log.rows(notes if agent == _MAIN else ReadNotes())
    mine = ((row, data) for owner, row, data in rows if owner == agent)
    # A subagent's prompts are its parent's, a detached session's those of the program behind it.
    yield from Assembly(head.started, notes, seen, programs=head.parent is not None).turns(mine)
