"""The sessions in a file: usually one, sometimes a resumed one's tail or subagents between.

Subagents live in files of their own (`<session>/subagents/agent-*.jsonl`, earlier `agent-*.jsonl`
beside the main file) or, in the oldest versions, as rows within it. All carry the parent's session
id, so a part of a file is known by session *and* agent. Each part is one pass over the file, which
keeps a reader's memory flat; nearly every file has just one.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from remem_agents.claude_code.assembly import Assembly
from remem_agents.claude_code.names import AGENT
from remem_agents.claude_code.rows import Row, read_rows
from remem_agents.lines import BUFFER_BYTES
from remem_agents.times import modified, wire_time
from remem_agents.transcript import ReadNotes, Seen, Transcript, source_of
from remem_protocol import SessionHead, Turn

_CONVERSATION = frozenset({"user", "assistant"})
_MAX_PARTS = 256
_MAX_ID = 1024
# A session's first rows name its folder; how far to look on when they don't.
_ROWS_TO_CWD = 64


class Part(NamedTuple):
    """Whose rows: a session's, or those of a subagent in it."""

    session: str
    agent: str | None


@dataclass(slots=True)
class _File:
    """A file being read: the parts found so far, and whether all of it was looked at.

    `agent` is a subagent's id and `session` the session's, where only the file's name tells.
    """

    path: Path
    agent: str | None
    session: str
    parts: dict[Part, SessionHead] = field(default_factory=dict)
    surveyed: bool = False

    def rows(self, notes: ReadNotes) -> Iterator[tuple[Part, Row]]:
        """Read the file's rows, noting each part where its conversation begins."""
        main = Part(self.session, self.agent)
        with self.path.open("rb", buffering=BUFFER_BYTES) as file:
            for row in read_rows(file, notes):
                if row.session_id is not None and row.session_id != main.session:
                    main = Part(row.session_id, self.agent)
                part = main
                if row.is_sidechain:
                    part = Part(main.session, row.agent_id or self.agent or "sidechain")
                if part not in self.parts and row.type in _CONVERSATION:
                    self._begin(part, row)
                yield part, row
        self.surveyed = True

    def _begin(self, part: Part, row: Row) -> None:
        if len(self.parts) < _MAX_PARTS:
            started = wire_time(row.timestamp) or modified(self.path)
            self.parts[part] = _head(part, started, row.cwd)


def read(path: Path, seen: Seen) -> Iterator[Transcript]:
    """Read the sessions in a file; none for a file without a conversation.

    A transcript's turns may be consumed before the next transcript or later. Raise OSError when
    the file can't be opened.
    """
    name = path.stem
    agent = name.removeprefix("agent-") if name.startswith("agent-") else None
    file = _File(path, agent, session=name)
    source = source_of(path)
    _find_first(file)
    notes = ReadNotes()  # the file's: each of its transcripts carries them
    done = 0
    while done < len(file.parts):
        part, head = list(file.parts.items())[done]
        turns = _turns(file, part, head, notes, seen, is_first=done == 0)
        yield Transcript(head, turns, notes, source)
        done += 1
        if not file.surveyed:  # the turns are kept for later
            for _ in file.rows(ReadNotes()):
                pass


def _turns(
    file: _File, part: Part, head: SessionHead, notes: ReadNotes, seen: Seen, *, is_first: bool
) -> Iterator[Turn]:
    # The lines and their damage are the file's: told once, with its first session.
    mine = _rows_of(file, part, notes if is_first else ReadNotes())
    yield from Assembly(head.started, notes, seen).turns(mine)


def _rows_of(file: _File, part: Part, notes: ReadNotes) -> Iterator[Row]:
    for owner, row in file.rows(notes):
        if owner == part:
            # A subagent's prompts are its parent's, whatever the row forgot to say.
            row.is_sidechain = part.agent is not None
            yield row


def _find_first(file: _File) -> None:
    """Look at the file's opening for its first session, when it began and where."""
    started, rows_left = None, _ROWS_TO_CWD
    for part, row in file.rows(ReadNotes()):
        started = started or wire_time(row.timestamp)
        head = file.parts.get(part)
        if head is None:
            continue
        head = file.parts[part] = _head(part, started or head.started, head.cwd or row.cwd)
        rows_left -= 1
        if head.cwd is not None or not rows_left:
            break
    file.surveyed = False  # what comes after is found when the first session is read
    for part in list(file.parts)[1:]:
        del file.parts[part]


def _head(part: Part, started: str, cwd: str | None) -> SessionHead:
    is_subagent = part.agent is not None
    return SessionHead(
        id=(f"{part.session}/{part.agent}" if is_subagent else part.session)[:_MAX_ID],
        agent=AGENT,
        started=started,
        cwd=cwd,
        parent=part.session[:_MAX_ID] if is_subagent else None,
    )
