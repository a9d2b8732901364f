"""Commands that Codex left running: their end is told by the output of a later call.

`exec_command` returns while its program still runs ("running with session ID 7"), and the exit
code comes with some `write_stdin` to that session. It is the command that failed then, not the
looking after it.
"""

from typing import NamedTuple

from remem_agents.codex.calls import session_polled
from remem_agents.codex.names import POLL
from remem_agents.codex.outputs import Output
from remem_agents.transcript import clip
from remem_agents.turns import OpenCall, Outcome, TurnQueue, Verdict

_MAX_RUNNING = 64


class _Command(NamedTuple):
    call: str
    line: str


class Running:
    """The commands of a session that run on behind its turns."""

    def __init__(self, turns: TurnQueue) -> None:
        self._turns = turns
        self._commands: dict[str, _Command] = {}
        self._polls: dict[str, str] = {}

    def called(self, call: OpenCall) -> None:
        """Note a call that looks after a running command."""
        session = session_polled(call)
        if session is not None:
            self._polls[call.id] = session
            _forget_oldest(self._polls)

    def returned(self, call_id: str, output: Output, outcome: Outcome) -> bool:
        """Take an output that has to do with a running command; False for all others."""
        session = self._polls.pop(call_id, None)
        if session is not None:
            return self._polled(call_id, session, output, outcome)
        call = self._turns.open_call(call_id)
        if output.running_as is None or call is None or call.tool == POLL:
            return False
        self._commands[output.running_as] = _Command(call_id, call.input)
        _forget_oldest(self._commands)
        call.hint = outcome
        return True

    def told(self, call_id: str, outcome: Outcome) -> None:
        """Take what an event says of a call: its end, or a hint until its output comes."""
        call = self._turns.open_call(call_id)
        if call is None:
            return
        if call.hint is not None and call.hint.verdict.status == "unknown":
            self._turns.result(call_id, outcome)
        elif call.result is None:
            call.hint = outcome

    def _polled(self, call_id: str, session: str, output: Output, outcome: Outcome) -> bool:
        if output.exit_code is None:
            if output.running_as is None:
                return False
            outcome.verdict = Verdict("ok")  # it runs on: the look at it went well
            self._turns.result(call_id, outcome)
            return True
        command = self._commands.pop(session, None)
        ran = self._turns.open_call(command.call) if command else None
        if command is not None and ran is not None and ran.result is None:
            before = f"{ran.hint.text}\n" if ran.hint and ran.hint.text else ""
            text = clip(before + outcome.text)
            self._turns.result(command.call, Outcome(outcome.at, outcome.verdict, text))
            outcome = Outcome(outcome.at, Verdict("ok"), outcome.text)
        elif command is not None and (poll := self._turns.open_call(call_id)):
            poll.description = poll.description or command.line
        self._turns.result(call_id, outcome)
        return True


def _forget_oldest(kept: dict[str, _Command] | dict[str, str]) -> None:
    if len(kept) > _MAX_RUNNING:
        del kept[next(iter(kept))]
