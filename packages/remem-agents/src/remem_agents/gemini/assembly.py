"""What each message does to the turns of a session: the middle of the reader."""

from collections.abc import Iterable, Iterator

import msgspec

from remem_agents.gemini.answers import typed_answers
from remem_agents.gemini.names import ASK, SHELL
from remem_agents.gemini.outcomes import (
    judge,
    refused_at_front_end,
    response_status,
    response_text,
    result_text,
    was_refused,
)
from remem_agents.gemini.rows import FunctionCall, FunctionResponse, Message, ToolCall
from remem_agents.gemini.words import parts_of, text_of, words_of
from remem_agents.injected import is_own_tool, without_injected
from remem_agents.times import Clock
from remem_agents.transcript import ReadNotes, clip
from remem_agents.turns import OpenCall, OpenReply, Outcome, TurnQueue, Verdict
from remem_protocol import PersonTurn, Turn

_MAX_ID = 1024
_CANCELLED = ("Request cancelled", "User cancelled the request")
_OWN_SERVER = "(remem MCP Server)"


class _Arguments(msgspec.Struct):
    command: str = ""
    description: str = ""


_decode_arguments = msgspec.json.Decoder(_Arguments).decode


class Assembly:
    """One session being read: messages go in, finished turns come out.

    The prompts of a subagent are its parent's, not a person's.
    """

    def __init__(self, started: str, notes: ReadNotes, *, is_subagent: bool) -> None:
        self._clock = Clock(started)
        self._notes = notes
        self._is_subagent = is_subagent
        self._turns = TurnQueue()
        self._unanswered: list[tuple[str, str]] = []
        self._last: OpenReply | None = None

    def turns(self, messages: Iterable[tuple[str, Message]]) -> Iterator[Turn]:
        """Give the turns of a session's messages, in order."""
        for key, message in messages:
            self._clock.see(message.timestamp)
            if message.type == "gemini":
                self._agent(key, message)
            elif message.type == "user":
                self._user(message)
            else:
                self._notice(message)
            if len(self._turns) > 1:
                yield from self._turns.ready()
        yield from self._turns.ready(final=True)

    def _notice(self, message: Message) -> None:
        self._notes.skipped += 1
        if text_of(message.content, "").startswith(_CANCELLED):
            self._turns.interrupt()

    def _user(self, message: Message) -> None:
        for part in parts_of(message.content):
            if part.function_response is not None:
                self._response(part.function_response)
        words = words_of(message.content, message.display_content)
        if words is not None and not self._is_subagent:
            self._turns.person(PersonTurn(at=self._clock.now, text=words.text, via=words.via))

    def _agent(self, key: str, message: Message) -> None:
        reply = self._last = self._turns.begin(key, self._clock.now)
        text = clip(without_injected(text_of(message.content, "")).strip())
        if text:
            reply.texts.append(text)
        calls = message.tool_calls or []
        results = [result_text(call.result) or _shown(call) for call in calls]
        refused = any(was_refused(call, text) for call, text in zip(calls, results, strict=True))
        for number, (call, result) in enumerate(zip(calls, results, strict=True)):
            self._call(reply, call, result, f"{key}.{number}", refused)
        self._recorded_as_parts(reply, message, key)

    def _call(
        self, reply: OpenReply, call: ToolCall, text: str, spare: str, refused_beside: bool
    ) -> None:
        opened = _opened(call.id or spare, call.name, call.args)
        self._turns.call(reply, opened)
        verdict = judge(call, text, refused_beside=refused_beside)
        if verdict is None:
            return
        is_own = is_own_tool(opened.tool) or _OWN_SERVER in (call.display_name or "")
        answers = []
        if call.name == ASK and verdict.status == "ok" and not self._is_subagent:
            answers = typed_answers(bytes(call.args), text)
        kept = "" if is_own else clip(without_injected(text))
        self._turns.result(opened.id, Outcome(self._clock.now, verdict, kept, answers))

    def _recorded_as_parts(self, reply: OpenReply, message: Message, key: str) -> None:
        """Take calls that stand only in the content; its newest files repeat there the others."""
        recorded = {call.id for call in message.tool_calls or ()}
        unnamed = {(call.name, bytes(call.args)) for call in message.tool_calls or ()}
        for number, part in enumerate(parts_of(message.content)):
            call = part.function_call
            if call is None or call.id in recorded - {None}:
                continue
            if call.id is None and (call.name, bytes(call.args)) in unnamed:
                continue
            self._function_call(reply, call, f"{key}.part{number}")

    def _function_call(self, reply: OpenReply, call: FunctionCall, spare: str) -> None:
        opened = _opened(call.id or spare, call.name, call.args)
        self._turns.call(reply, opened)
        self._unanswered.append((opened.id, opened.tool))

    def _response(self, response: FunctionResponse) -> None:
        """Pair a response by its id, else with the first call of that name still waiting."""
        waiting = [
            call_id
            for call_id, tool in self._unanswered
            if response.id == call_id or (response.id is None and response.name == tool)
        ]
        if not waiting:  # recorded with its call already, or not at all
            self._unrecorded(response)
            return
        tool = self._turns.tool_of(waiting[0])
        self._unanswered = [entry for entry in self._unanswered if entry[0] != waiting[0]]
        text = response_text(response.response)
        verdict = Verdict(response_status(response.response))
        kept = "" if is_own_tool(tool) else clip(without_injected(text))
        self._turns.result(waiting[0], Outcome(self._clock.now, verdict, kept))

    def _unrecorded(self, response: FunctionResponse) -> None:
        """Take a call that was refused in an editor: its reply does not hold it, only its no."""
        text = response_text(response.response)
        if self._last is not None and response.id and refused_at_front_end(text):
            self._turns.call(self._last, _opened(response.id, response.name, msgspec.Raw(b"{}")))
            self._turns.result(response.id, Outcome(self._clock.now, Verdict("refused", ""), text))


def _shown(call: ToolCall) -> str:
    """What the person was shown of a result that was not kept."""
    try:
        return msgspec.json.decode(bytes(call.result_display), type=str)
    except (msgspec.MsgspecError, RecursionError):
        return ""


def _on_one_line(raw: bytes) -> str:
    """Spell arguments alike, whether their file is written with indents or not."""
    try:
        return msgspec.json.format(raw, indent=-1).decode()
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return raw.decode("utf-8", "replace")


def _opened(call_id: str, tool: str | None, args: msgspec.Raw) -> OpenCall:
    """Take the command of a shell as it is, and other arguments as their JSON."""
    raw = bytes(args)
    arguments = _Arguments()
    if tool == SHELL or b'"description"' in raw:
        try:
            arguments = _decode_arguments(raw)
        except (msgspec.MsgspecError, RecursionError):  # of another tool with such fields
            arguments = _Arguments()
    given = arguments.command if tool == SHELL and arguments.command else _on_one_line(raw)
    return OpenCall(
        id=call_id[:_MAX_ID],
        tool=(tool or "unknown")[:_MAX_ID],
        description=clip(arguments.description),
        input=clip(without_injected(given)),
    )
