"""What fixed a failure: the next call of the same kind that worked and was made another way.

Of the same kind is a command line with the programs and subcommands of the failed one and mostly
its words, an edit of the same file with mostly the same text, a reading of the same file. A fix
that is none teaches worse than no fix, so where something else may have mended it – the same call
works now, or a file was changed meanwhile – there is none (EVT-046). Events wait here, in order.
"""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from remem_core.surprise.commands import Command, commands, writes
from remem_core.surprise.failures import is_reader, is_shell, tolerates
from remem_core.surprise.words import clip
from remem_protocol import AgentTurn, Call, Event, Failure, Turn, replace_event

WINDOW = 8  # replies of the agent after the failed one in which its fix is looked for
KEPT_CALL = (400, 100)  # characters of a call that are kept, from its two ends
HELD = 64  # events that wait at most; the oldest goes without its fix then
_COMPARED = 4_000  # characters of a call that are compared
_ALIKE = 0.5  # of the shorter call's words stand in the other one
_WORD = re.compile(r"\w+")
_KEY = re.compile(r'"\w+"\s*:')
_PATH = re.compile(
    r'"(?:file_path|path|notebook_path|absolute_path|target_file|filename)"\s*:\s*"((?:[^"\\]|\\.)*)"'
)
_PATCHED = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class _Told:
    """What is compared of a call."""

    tool: str
    commands: tuple[Command, ...]  # of a shell
    target: str  # of a tool that works on a file
    words: frozenset[str]
    text: str


@dataclass
class _Waiting:
    event: Event
    call: _Told | None = None  # None: it waits for its turn alone
    turn: int = 0


class Fixes:
    """Holds back a failure, and what comes after it, until its fix is found or out of reach."""

    def __init__(self) -> None:
        self._queue: deque[_Waiting] = deque()
        self._sought: dict[str, _Told] = {}
        self._turn = 0

    def hear(self, turn: Turn) -> Iterator[Event]:
        """Begin a turn; yield what needs to wait no longer. A new request ends every search."""
        if isinstance(turn, AgentTurn):
            self._turn += 1
            for waiting in self._queue:
                if waiting.turn + WINDOW < self._turn:
                    waiting.call = None
            yield from self._ready()
        elif turn.via in ("prompt", "command"):
            yield from self.end()

    def seek(self, event: Event, call: Call) -> None:
        """Say before a failure is added of which call it is."""
        if isinstance(event, Failure):
            self._sought[event.id] = _told(call)

    def add(self, event: Event) -> Iterator[Event]:
        """Take the next event; yield what needs to wait no longer."""
        self._queue.append(_Waiting(event, self._sought.pop(event.id, None), self._turn))
        if len(self._queue) > HELD:
            self._queue[0].call = None
        yield from self._ready()

    def worked(self, call: Call) -> None:
        """Take note of a call that did not fail."""
        if not any(w.call is not None and w.turn < self._turn for w in self._queue):
            return
        told = _told(call)
        for waiting in self._queue:
            if (
                waiting.call is not None and waiting.turn < self._turn
            ):  # sent knowing of the failure
                self._compare(waiting, waiting.call, call, told)

    def end(self) -> Iterator[Event]:
        """Give up every search and yield all that waits."""
        for waiting in self._queue:
            waiting.call = None
        yield from self._ready()

    def _compare(self, waiting: _Waiting, failed: _Told, call: Call, told: _Told) -> None:
        if _same_kind(failed, told) and not (is_shell(call.tool) and tolerates(call)):
            waiting.call = None
            if _another_way(failed, told):
                assert isinstance(waiting.event, Failure)
                waiting.event = with_fix(waiting.event, call.input)
        elif failed.commands and _changes_files(call):
            waiting.call = None  # what runs next may work because of that

    def _ready(self) -> Iterator[Event]:
        while self._queue and self._queue[0].call is None:
            yield self._queue.popleft().event


def with_fix(event: Failure, given: str) -> Failure:
    """Return a failure with the call that worked, kept as a failed call is kept."""
    fixed = clip(given, *KEPT_CALL)
    if not fixed or fixed == event.call:
        return event
    changed = replace_event(event, fixed=fixed)
    assert isinstance(changed, Failure)
    return changed


def _told(call: Call) -> _Told:
    given = call.input
    shell = is_shell(call.tool)
    path = None if shell else _PATH.search(given[:_COMPARED]) or _PATCHED.search(given[:_COMPARED])
    return _Told(
        tool=call.tool,
        commands=commands(given[:_COMPARED]) if shell else (),
        target=path[1].strip() if path else "",
        words=_words(_KEY.sub(" ", given[:_COMPARED])),
        text=given[:_COMPARED],
    )


def _same_kind(failed: _Told, other: _Told) -> bool:
    if failed.tool != other.tool:
        return False
    if is_shell(failed.tool):
        return _same_programs(failed, other)
    if not failed.target:
        return not other.target and _alike(failed.words, other.words)
    if is_reader(failed.tool):
        return _name(failed.target) == _name(other.target)
    return failed.target == other.target and _alike(
        failed.words - _words(failed.target), other.words - _words(failed.target)
    )


def _same_programs(failed: _Told, other: _Told) -> bool:
    """Say whether all that the failed line ran is run by the other one, mostly with its words."""
    if not failed.commands:
        return False
    return all(any(_alike_commands(c, d) for d in other.commands) for c in failed.commands)


def _alike_commands(one: Command, other: Command) -> bool:
    if other.asks_for_help and not one.asks_for_help:
        return False
    if not _spelled_alike(one.program, other.program):
        return False
    if not _spelled_alike(one.subcommand, other.subcommand):
        return False
    return _same_names(one.names, other.names) and _alike(one.words, other.words)


def _same_names(one: frozenset[str], other: frozenset[str]) -> bool:
    """Say whether two commands are about one file or address, where both name any."""
    if not one or not other or one & other:
        return True
    return any(_spelled_alike(a, b) for a in one for b in other)


def _spelled_alike(one: str, other: str) -> bool:
    """Say whether two words are the same, but for the order of letters or a letter too few.

    Another letter in its place would make `test_a` of `test_b`, and so would another digit.
    """
    if one == other:
        return True
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) == len(longer):
        return sorted(one) == sorted(other)
    cut = next((i for i, (a, b) in enumerate(zip(shorter, longer, strict=False)) if a != b), -1)
    left = longer[:cut] + longer[cut + 1 :] if cut >= 0 else longer[:-1]
    return bool(shorter) and left == shorter and not longer[cut].isdigit()


def _another_way(failed: _Told, other: _Told) -> bool:
    """Say whether the two differ in more than how much is shown of what comes out."""
    if failed.commands:
        plain = {c.plain for c in other.commands}
        return any(c.plain not in plain for c in failed.commands)
    return failed.text != other.text


def _changes_files(call: Call) -> bool:
    if is_shell(call.tool):
        return writes(call.input[:_COMPARED])
    return not is_reader(call.tool) and bool(_told(call).target)


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    shorter = min(len(one), len(other))
    return shorter == 0 or len(one & other) >= _ALIKE * shorter


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


def _name(path: str) -> str:
    return re.split(r"[/\\]", path.rstrip("/\\"))[-1]
