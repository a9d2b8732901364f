"""One conversation being put together from messages that come in order."""

from collections.abc import Iterator

import msgspec

from remem_agents.injected import is_own_tool, without_injected
from remem_agents.times import Clock
from remem_agents.transcript import clip
from remem_agents.turns import OpenCall, OpenReply, Outcome, TurnQueue, Verdict
from remem_protocol import PersonTurn, Turn

_MAX_ID = 1024


class Thread:
    """Takes what was said, called and returned; gives finished turns.

    A reply is open from its first text or call until a result comes or somebody else speaks.
    Most of these formats give calls no ids, so a result is paired by its tool and by order.
    """

    def __init__(self, started: str) -> None:
        self.clock = Clock(started)
        self._turns = TurnQueue()
        self._reply: OpenReply | None = None
        self._waiting: dict[str, str] = {}
        self._count = 0

    def say(self, text: str) -> None:
        """Add a person's words."""
        self._reply = None
        text = without_injected(text, cut_open_end=False).strip()
        if text:
            self._turns.person(PersonTurn(at=self.clock.now, text=text))

    def end_reply(self) -> None:
        """Whatever the agent says next is another reply."""
        self._reply = None

    def text(self, text: str) -> None:
        """Add to what the agent says in the open reply."""
        text = clip(without_injected(text).strip())
        if text:
            self._open().texts.append(text)

    def call(self, tool: str | None, given: str, call_id: str | None = None) -> str:
        """Add a call to the open reply; give its id, which is made up when there is none."""
        self._count += 1
        name = (tool or "unknown")[:_MAX_ID]
        key = (call_id or f"call-{self._count}")[:_MAX_ID]
        reply = self._open()
        self._turns.call(reply, OpenCall(key, name, "", clip(without_injected(given))))
        self._waiting[key] = name
        return key

    def waiting(self, tool: str | None = None) -> str | None:
        """Find the oldest call without a result, of a tool if one is named."""
        for key, name in self._waiting.items():
            if tool is None or name == tool:
                return key
        return None

    def tool_of(self, call_id: str) -> str:
        """Name the tool of a call without a result; empty when there is none."""
        return self._waiting.get(call_id, "")

    def result(self, call_id: str, verdict: Verdict, text: str) -> None:
        """Give a call its result; the second result of a call is left out."""
        self._reply = None
        tool = self._waiting.pop(call_id, "")
        kept = "" if is_own_tool(tool) else clip(without_injected(text))
        self._turns.result(call_id[:_MAX_ID], Outcome(self.clock.now, verdict, kept))

    def interrupt(self) -> None:
        """The person stopped the agent."""
        self._turns.interrupt()

    def ready(self, *, final: bool = False) -> Iterator[Turn]:
        """Give the turns that are finished, in order; all that are left when `final`."""
        yield from self._turns.ready(final=final)

    def _open(self) -> OpenReply:
        if self._reply is None:
            self._count += 1
            self._reply = self._turns.begin(f"reply-{self._count}", self.clock.now)
        return self._reply


def arguments_text(value: object) -> str:
    """Spell a call's arguments as JSON on one line; a text as it is."""
    if isinstance(value, str):
        return value
    if isinstance(value, msgspec.Raw):
        try:
            return msgspec.json.format(bytes(value), indent=-1).decode()
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return bytes(value).decode("utf-8", "replace")
    return "" if value is None else msgspec.json.encode(value).decode()
