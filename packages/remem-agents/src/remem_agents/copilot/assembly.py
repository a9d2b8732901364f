"""What each kind of event does to the turns of one session: the middle of the reader."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from remem_agents.copilot.calls import call_of_request, call_of_start
from remem_agents.copilot.names import ASSISTANT, RESUME, SHELLS, START, TOOL_END, TOOL_START, USER
from remem_agents.copilot.outcomes import judge, judge_permission
from remem_agents.copilot.rows import Data, Row, texts_of
from remem_agents.injected import is_own_tool, without_injected
from remem_agents.times import Clock
from remem_agents.transcript import ReadNotes, Seen, clip
from remem_agents.turns import OpenReply, Outcome, TurnQueue, Verdict
from remem_protocol import PersonTurn, Turn, Via

_SHELL_MODE = "shell"
_TYPED_SOURCES = frozenset({None, "", "user"})
_NOT_BY_PERSON = "autopilot_credit_limit"
_MAX_PENDING = 64
_T = TypeVar("_T")


class Assembly:
    """One session being read: events go in, finished turns come out."""

    def __init__(self, started: str, notes: ReadNotes, seen: Seen, *, programs: bool) -> None:
        self._clock = Clock(started)
        self._notes = notes
        self._seen = seen
        self._turns = TurnQueue()
        self._programs = programs
        self._reply: OpenReply | None = None
        self._replies = 0
        self._requests: dict[str, str] = {}
        self._by_person: dict[str, bool] = {}
        self._permissions: dict[str, Verdict] = {}

    def turns(self, rows: Iterable[tuple[Row, Data]]) -> Iterator[Turn]:
        """Give the turns of a session's events, in order."""
        for row, data in rows:
            if row.ephemeral or not self._take(row, data):
                self._notes.skipped += 1
            elif len(self._turns) > 1:  # the newest may still grow
                yield from self._turns.ready()
        yield from self._turns.ready(final=True)

    def _take(self, row: Row, data: Data) -> bool:
        """Take in an event; False when its kind holds no turns."""
        if row.type in (START, RESUME):
            return False
        if row.id is not None and not self._seen.add(f"{row.id} {row.timestamp}"):
            self._notes.duplicates += 1
            return True
        self._clock.see(row.timestamp)
        self._act(row.type, data)
        return True

    def _act(self, kind: str, data: Data) -> None:
        if kind == USER:
            self._user(data)
        elif kind == ASSISTANT:
            self._assistant(data)
        elif kind == TOOL_START:
            self._starts(data)
        elif kind == TOOL_END:
            self._ends(data)
        elif kind == "permission.requested":
            asked = data.permission_request
            _keep(self._requests, data.request_id, (asked and asked.tool_call_id) or "")
        elif kind == "permission.completed":
            self._decided(data)
        elif kind == "tool.user_requested" and data.tool_call_id:
            _keep(self._by_person, data.tool_call_id, True)
        elif kind == "abort" and data.reason != _NOT_BY_PERSON:
            self._turns.interrupt()
        elif kind == "session.snapshot_rewind":
            self._notes.edits += 1

    # The person

    def _user(self, data: Data) -> None:
        typed = (
            not self._programs
            and data.source in _TYPED_SOURCES
            and data.agent_mode != _SHELL_MODE
            and not data.is_autopilot_continuation
            and data.cross_session is None
        )
        text = without_injected("\n".join(texts_of(data.content)), cut_open_end=False).strip()
        if typed and text:
            via: Via = "steering" if data.delivery == "steering" else "prompt"
            self._turns.person(PersonTurn(at=self._clock.now, text=text, via=via))
        self._reply = None

    def _decided(self, data: Data) -> None:
        verdict = judge_permission(data)
        call_id = data.tool_call_id or self._requests.get(data.request_id or "")
        if verdict is None or not call_id:
            return
        _keep(self._permissions, call_id, verdict)
        if (call := self._turns.open_call(call_id)) is not None:
            call.hint = self._outcome(verdict, "", call.tool)

    # The agent

    def _assistant(self, data: Data) -> None:
        name = data.message_id or ""
        reply = self._turns.open_reply(name) if name else None
        self._reply = reply or self._begin(name)
        text = clip(without_injected("\n".join(texts_of(data.content))).strip())
        if text:
            self._reply.texts.append(text)
        for request in data.tool_requests or ():
            self._turns.call(self._reply, call_of_request(request))

    def _begin(self, name: str) -> OpenReply:
        self._replies += 1
        return self._turns.begin(name or f"reply {self._replies}", self._clock.now)

    def _starts(self, data: Data) -> None:
        call = call_of_start(data)
        if data.is_user_requested or call.id in self._by_person:
            _keep(self._by_person, call.id, True)
        elif not self._turns.knows(call.id):
            self._reply = self._reply or self._begin("")
            self._turns.call(self._reply, call)

    def _ends(self, data: Data) -> None:
        call_id = data.tool_call_id or ""
        if data.is_user_requested or call_id in self._by_person:
            return
        tool = self._turns.tool_of(call_id)
        permission = self._permissions.pop(call_id, None)
        verdict, text = judge(data, permission, is_shell=tool in SHELLS)
        if not self._turns.result(call_id, self._outcome(verdict, text, tool)):
            self._notes.duplicates += 1

    def _outcome(self, verdict: Verdict, text: str, tool: str) -> Outcome:
        if self._programs:
            verdict = Verdict(verdict.status)  # a program's no
        kept = "" if is_own_tool(tool) else clip(without_injected(text))
        return Outcome(self._clock.now, verdict, kept)


def _keep(kept: dict[str, _T], key: str | None, value: _T) -> None:
    """Keep the newest few entries of what is not settled yet."""
    if key:
        kept[key] = value
        if len(kept) > _MAX_PENDING:
            del kept[next(iter(kept))]
