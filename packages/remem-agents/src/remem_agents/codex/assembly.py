"""What each kind of row does to the turns of one session: the middle of the reader.

Most is written twice: for the model (response items) and for the screen (events, in paginated
histories completed items). Words are taken from the screen's channel, which has no harness text,
once it is known to be there; tools from the model's, which has their results.
"""

from collections.abc import Iterable, Iterator

from remem_agents.codex.calls import call_of_item, call_of_row
from remem_agents.codex.items import outcome_of_event, outcome_of_item, run_by_person
from remem_agents.codex.names import CONTEXT, EVENT, ITEM, ITEM_COMPLETED, META, USER_MESSAGE
from remem_agents.codex.outputs import judge, read_output
from remem_agents.codex.rows import Item, Payload, Row
from remem_agents.codex.running import Running
from remem_agents.codex.speech import Speech
from remem_agents.codex.words import texts_of, typed_in, typed_in_parts
from remem_agents.injected import is_own_tool, without_injected
from remem_agents.times import Clock
from remem_agents.transcript import ReadNotes, Seen, clip
from remem_agents.turns import OpenReply, Outcome, TurnQueue, Verdict
from remem_protocol import Turn

_CALLS = frozenset({"function_call", "custom_tool_call", "local_shell_call"})
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output"})
_ENDS = frozenset({"patch_apply_end", "mcp_tool_call_end"})
_BEGINS = frozenset({"task_started", "turn_started"})
_COMPLETES = frozenset({"task_complete", "turn_complete"})
_BY_PERSON = frozenset({None, "interrupted", "replaced"})
# Old files carry the harness's texts as events too, and say so.
_TYPED_KINDS = frozenset({None, "plain"})
_NEVER_ASKS = "never"


class Assembly:
    """One session being read: rows go in, finished turns come out."""

    def __init__(self, started: str, notes: ReadNotes, seen: Seen, *, programs: bool) -> None:
        self._clock = Clock(started)
        self._notes = notes
        self._seen = seen
        self._turns = TurnQueue()
        self._speech = Speech(self._turns, programs=programs)
        self._running = Running(self._turns)
        self._programs = programs
        self._asked = True
        self._reply: OpenReply | None = None
        self._replies = 0

    def turns(self, rows: Iterable[tuple[Row, Payload]]) -> Iterator[Turn]:
        """Give the turns of a session's rows, in order."""
        for row, payload in rows:
            if not self._take(row, payload):
                self._notes.skipped += 1
            elif len(self._turns) > 1:  # the newest may still grow
                yield from self._turns.ready()
        self._speech.agent_acts()
        yield from self._turns.ready(final=True)

    def _take(self, row: Row, payload: Payload) -> bool:
        """Take in a row; False when its kind holds no turns."""
        if row.timestamp is not None:
            self._clock.see(row.timestamp)
        if row.type == ITEM:
            return self._item(row, payload)
        if row.type == EVENT:
            return self._event(row, payload)
        if row.type == CONTEXT and payload.approval_policy is not None:
            self._asked = payload.approval_policy != _NEVER_ASKS
        elif row.type == META:  # resumed: what ran before is over
            self._speech.end_task()
            self._reply = None
        return False

    def _is_new(self, row: Row, payload: Payload, text: str) -> bool:
        """Whether this run has not read the row yet, in this file or in a copy of it."""
        if row.timestamp is None:  # of the oldest files: nothing tells a row from its like
            return True
        if self._seen.add(f"{row.timestamp} {payload.type} {payload.call_id} {hash(text)}"):
            return True
        self._notes.duplicates += 1
        return False

    # The model's channel

    def _item(self, row: Row, payload: Payload) -> bool:
        if payload.type in _OUTPUTS:
            self._output(row, payload)
        elif payload.type in _CALLS:
            call = call_of_row(payload)
            if self._is_new(row, payload, call.input):
                self._turns.call(self._open_reply(), call)
                self._running.called(call)
        elif payload.type == "message" and payload.role == "user":
            typed = typed_in_parts(payload.content)
            if typed is not None and self._is_new(row, payload, typed):
                self._speech.heard_by_model(typed, self._clock.now)
        elif payload.type == "message" and payload.role == "assistant":
            self._agent_says(row, payload, texts_of(payload.content), on_screen=False)
        else:
            return False
        return True

    def _output(self, row: Row, payload: Payload) -> None:
        call_id = payload.call_id or payload.id or ""
        if not self._is_new(row, payload, ""):
            return
        output = read_output(payload.output)
        verdict = judge(output, asked=self._asked)
        tool = self._turns.tool_of(call_id)
        outcome = self._outcome(verdict, output.said, tool)
        if not self._running.returned(call_id, output, outcome):
            call = self._turns.open_call(call_id)
            if verdict.status == "ok" and call is not None and call.hint is not None:
                outcome.verdict = call.hint.verdict
            self._turns.result(call_id, outcome)
        self._reply = None  # what the model says next is its next reply

    def _outcome(self, verdict: Verdict, text: str, tool: str) -> Outcome:
        if self._programs:
            verdict = Verdict(verdict.status)  # a program's no
        kept = "" if is_own_tool(tool) else clip(without_injected(text))
        return Outcome(self._clock.now, verdict, kept)

    def _open_reply(self) -> OpenReply:
        self._speech.agent_acts()
        interrupted = self._speech.interrupted_reply()  # to be asked each time: asking settles it
        if self._reply is None or interrupted:
            self._replies += 1
            self._reply = self._turns.begin(str(self._replies), self._clock.now)
        return self._reply

    def _agent_says(self, row: Row, payload: Payload, texts: list[str], *, on_screen: bool) -> None:
        text = clip(without_injected("\n".join(texts)).strip())
        if not text or not self._is_new(row, payload, text):
            return
        if self._speech.is_news(text, on_screen=on_screen):
            self._open_reply().texts.append(text)

    # The screen's channel

    def _event(self, row: Row, payload: Payload) -> bool:
        kind = payload.type
        if kind == USER_MESSAGE:
            self._user_says(row, payload)
        elif kind == "agent_message":
            self._agent_says(row, payload, [_text(payload)], on_screen=True)
        elif kind == ITEM_COMPLETED and payload.item is not None:
            return self._completed(row, payload, payload.item)
        elif kind in _ENDS:
            self._told(payload)
        elif kind == "turn_aborted":
            self._aborted(payload)
        elif kind == "thread_rolled_back":
            self._notes.edits += payload.num_turns or 1
            self._end_task()
        elif kind in _BEGINS:
            self._speech.begin_task()
        elif kind in _COMPLETES:
            self._end_task()
        else:
            return False
        return True

    def _user_says(self, row: Row, payload: Payload) -> None:
        if payload.kind not in _TYPED_KINDS:
            return
        typed = typed_in(_text(payload))
        if self._is_new(row, payload, typed or ""):
            self._speech.seen_on_screen(typed, self._clock.now)

    def _completed(self, row: Row, payload: Payload, item: Item) -> bool:
        if item.type == "UserMessage":
            typed = typed_in_parts(item.content)
            if self._is_new(row, payload, typed or ""):
                self._speech.seen_on_screen(typed, self._clock.now)
        elif item.type == "AgentMessage":
            self._agent_says(row, payload, texts_of(item.content or item.text), on_screen=True)
        elif (call := call_of_item(item)) is not None:
            if run_by_person(item) or not self._is_new(row, payload, call.id):
                return True
            verdict, text = outcome_of_item(item, asked=self._asked)
            outcome = self._outcome(verdict, text, call.tool)
            if not self._turns.knows(call.id):  # a command inside a script has no row of its own
                self._turns.call(self._open_reply(), call)
                self._turns.result(call.id, outcome)
            else:
                self._running.told(call.id, outcome)
        else:
            return False
        return True

    def _told(self, payload: Payload) -> None:
        """Keep what an event says of a call until its output comes, if it comes."""
        told = outcome_of_event(payload, asked=self._asked)
        call_id = payload.call_id or ""
        if told is not None:
            verdict, text = told
            outcome = self._outcome(verdict, text, self._turns.tool_of(call_id))
            self._running.told(call_id, outcome)

    def _aborted(self, payload: Payload) -> None:
        if payload.reason in _BY_PERSON:
            self._turns.interrupt()
        self._end_task()

    def _end_task(self) -> None:
        self._speech.end_task()
        self._reply = None


def _text(payload: Payload) -> str:
    return payload.message if isinstance(payload.message, str) else ""
