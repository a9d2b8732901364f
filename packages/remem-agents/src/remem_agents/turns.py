"""Rows to turns, in one pass and in bounded space, for every reader whose rows come one by one.

A reply comes in several rows, its results in others, in any order, sometimes twice, sometimes
never. So replies wait in a short queue until their results are there; a reply that 64 later turns
have overtaken is let go as it is.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from remem_agents.transcript import clip
from remem_protocol import AgentTurn, Call, CallResult, CallStatus, PersonTurn, Turn

MAX_WAITING = 64
_REMEMBERED_RESULTS = 1024
_T = TypeVar("_T")


class Verdict(NamedTuple):
    """How a call ended; `words` is None unless a person refused, and empty for a bare no."""

    status: CallStatus
    words: str | None = None


@dataclass(slots=True)
class Outcome:
    """A result: how its call ended, what came back, and what a person said with it."""

    at: str
    verdict: Verdict
    text: str
    comments: list[str] = field(default_factory=list)


@dataclass(slots=True)
class OpenCall:
    """A call whose result may still come; `hint` is what stands for it if it never does."""

    id: str
    tool: str
    description: str
    input: str
    result: CallResult | None = None
    hint: Outcome | None = None


@dataclass(slots=True)
class OpenReply:
    """A reply that may still get rows and results."""

    at: str
    texts: list[str] = field(default_factory=list)
    calls: list[OpenCall] = field(default_factory=list)
    after: list[PersonTurn] = field(default_factory=list)
    refused_at: str | None = None
    refused_with: list[str] = field(default_factory=list)
    missing: CallStatus = "missing"

    @property
    def waits(self) -> bool:
        """Whether a result is still out."""
        return any(call.result is None for call in self.calls)

    def take(self, call: OpenCall, outcome: Outcome) -> None:
        """Give a call its result, and keep what the person said with it for after the reply."""
        verdict = outcome.verdict
        call.result = CallResult(status=verdict.status, text=outcome.text)
        self.after += _comments(outcome)
        if verdict.words is not None:
            # One no to a batch is stamped on all its calls: one refusal, with all its words.
            self.refused_at = self.refused_at or outcome.at
            if verdict.words and verdict.words not in self.refused_with:
                self.refused_with.append(verdict.words)

    def close(self) -> Iterator[Turn]:
        """Give the turn of this reply, and what the person said to its calls."""
        for call in self.calls:
            if call.result is None and call.hint is not None:
                self.take(call, call.hint)
        if self.texts or self.calls:
            calls = tuple(_closed(call, self.missing) for call in self.calls)
            yield AgentTurn(at=self.at, text=clip("\n\n".join(self.texts)), calls=calls)
        yield from self.after
        if self.refused_at is not None:
            words = "\n".join(self.refused_with)
            yield PersonTurn(at=self.refused_at, text=words, via="refusal")


def _closed(call: OpenCall, missing: CallStatus) -> Call:
    return Call(
        id=call.id,
        tool=call.tool,
        description=call.description,
        input=call.input,
        result=call.result or CallResult(status=missing),
    )


def _comments(outcome: Outcome) -> list[PersonTurn]:
    return [PersonTurn(at=outcome.at, text=text, via="comment") for text in outcome.comments]


class TurnQueue:
    """The turns that are not finished, in order; what is put in comes out of `ready`."""

    def __init__(self) -> None:
        self._queue: deque[OpenReply | PersonTurn] = deque()
        self._replies: dict[str, OpenReply] = {}
        self._calls: dict[str, tuple[OpenReply, OpenCall]] = {}
        self._early: dict[str, Outcome] = {}
        self._answered: dict[str, None] = {}

    def open_reply(self, message: str) -> OpenReply | None:
        """Find the reply of that message, if it is still open."""
        return self._replies.get(message)

    def begin(self, message: str, at: str) -> OpenReply:
        """Begin the reply of that message."""
        reply = self._replies[message] = OpenReply(at)
        self._queue.append(reply)
        return reply

    def call(self, reply: OpenReply, call: OpenCall) -> None:
        """Add a call to a reply, with its result when that came first."""
        if call.id in self._calls:
            return
        reply.calls.append(call)
        self._calls[call.id] = (reply, call)
        if (early := self._early.pop(call.id, None)) is not None:
            reply.take(call, early)

    def open_call(self, call_id: str) -> OpenCall | None:
        """Find that call, while its reply is open."""
        found = self._calls.get(call_id)
        return found[1] if found else None

    def knows(self, call_id: str) -> bool:
        """Whether that call is open, or was until lately."""
        return call_id in self._calls or call_id in self._answered

    def tool_of(self, call_id: str) -> str:
        """Name the tool of an open call; empty when no such call is open."""
        call = self.open_call(call_id)
        return call.tool if call else ""

    def result(self, call_id: str, outcome: Outcome) -> bool:
        """Pair a result with its call; False when the call has one already."""
        found = self._calls.get(call_id)
        if found is None:
            return self._unpaired(call_id, outcome)
        reply, call = found
        if call.result is not None and call.result.status != "unknown":
            return False
        reply.take(call, outcome)
        return True

    def person(self, turn: PersonTurn) -> None:
        """Add what a person said."""
        self._queue.append(turn)

    def interrupt(self) -> None:
        """The person stopped the agent: calls without a result were cut off by that."""
        for item in self._queue:
            if isinstance(item, OpenReply):
                item.missing = "interrupted"

    def __len__(self) -> int:
        return len(self._queue)

    def ready(self, *, final: bool = False) -> Iterator[Turn]:
        """Give the turns that are finished, in order; all that are left when `final`."""
        while self._queue:
            first = self._queue[0]
            if isinstance(first, PersonTurn):
                yield first
            elif final or self._is_finished(first):
                self._forget(first)
                yield from first.close()
            else:
                return
            self._queue.popleft()

    def _is_finished(self, first: OpenReply) -> bool:
        # The newest reply may still get rows, even when all its results are there.
        if len(self._queue) > MAX_WAITING:
            return True
        return len(self._queue) > 1 and not first.waits

    def _forget(self, reply: OpenReply) -> None:
        self._replies = {key: kept for key, kept in self._replies.items() if kept is not reply}
        for call in reply.calls:
            del self._calls[call.id]
            _remember(self._answered, call.id, None, _REMEMBERED_RESULTS)

    def _unpaired(self, call_id: str, outcome: Outcome) -> bool:
        """Keep a result until its call comes; the person's words in it are said now."""
        if call_id in self._answered or call_id in self._early:
            return False
        self._queue.extend(_comments(outcome))
        words = outcome.verdict.words
        if words:
            self._queue.append(PersonTurn(at=outcome.at, text=words, via="refusal"))
        bare = Outcome(outcome.at, Verdict(outcome.verdict.status), outcome.text)
        _remember(self._early, call_id, bare, MAX_WAITING)
        return True


def _remember(kept: dict[str, _T], key: str, value: _T, limit: int) -> None:
    """Keep the newest `limit` entries."""
    kept[key] = value
    if len(kept) > limit:
        del kept[next(iter(kept))]
