"""Copilot CLI: an event log with permissions, exits and subagents."""

import itertools
from typing import Any

from conformance.generate.readers.shapes import (
    CWD,
    agent,
    call,
    file,
    person,
    read,
    session,
    spelled,
    stamp,
    wire,
)
from conformance.generate.shapes import Cases, Value

SESSION = "c0b11070-0000-4000-8000-000000000001"
PATH = f"session-state/{SESSION}/events.jsonl"
EXIT = "\n<exited with exit code {}>"


class Log:
    """Makes events with fresh ids and rising times; the first one names the session."""

    def __init__(self) -> None:
        self._number = itertools.count()
        context = {"cwd": CWD, "branch": "main"}
        self.start = self.event("session.start", sessionId=SESSION, version=1, context=context)

    def event(self, kind: str, /, agent_id: str | None = None, **data: Any) -> Value:
        """Return an event; one of a subagent names it."""
        number = next(self._number)
        row = {"type": kind, "data": data, "id": f"e-{number}", "timestamp": stamp(number)}
        return row if agent_id is None else {**row, "agentId": agent_id}

    def user(self, content: str, **data: Any) -> Value:
        """Return a message in the person's name, as displayed and as the model was sent it."""
        sent = f"<current_datetime>now</current_datetime>\n\n{content}"
        return self.event("user.message", content=content, transformedContent=sent, **data)

    def says(self, content: str, *calls: Value, agent_id: str | None = None) -> Value:
        """Return a reply with the calls that it asks for."""
        name = f"m-{next(self._number)}"
        data = {"messageId": name, "content": content, "toolRequests": list(calls)}
        return self.event("assistant.message", agent_id, **data)

    def done(self, call_id: str, **data: Any) -> Value:
        """Return the end of a call."""
        return self.event("tool.execution_complete", toolCallId=call_id, **data)

    def decided(self, call_id: str, kind: str, **more: Any) -> Value:
        """Return how a permission was decided."""
        result = {"kind": kind, **more}
        return self.event("permission.completed", requestId="r", toolCallId=call_id, result=result)


def cases() -> Cases:
    """Yield the cases."""
    yield from _words()
    yield from _calls()
    yield from _denials()
    yield from _sessions()


def _bash(call_id: str = "c1") -> Value:
    given = {"command": "make test", "description": "Run the tests"}
    return {"toolCallId": call_id, "name": "bash", "arguments": given, "type": "function"}


def _log(*rows: Value | bytes) -> Value:
    return file(PATH, spelled(*rows))


def _words() -> Cases:
    log = Log()
    rows = log.start, log.user("Pin them."), log.says("Pinning.")
    yield read(
        "copilot/prompt-and-reply",
        "The words as they were displayed, not as they were sent.",
        "SES-002 SES-003 SES-005 SES-007 SES-010 SES-011 RDR-003 RDR-401",
        _log(*rows, log.user("not the tests", delivery="steering"), log.says("Ok.")),
        session(
            person("Pin them.", at=wire(1)),
            agent("Pinning."),
            person("not the tests", "steering"),
            agent("Ok."),
            id=SESSION,
            agent="copilot",
            cwd=CWD,
            started=wire(0),
            parent=None,
        ),
        damaged=0,
        failed=[],
    )
    for name, why, data in (
        ("of-the-system", "A message of the host.", {"source": "system"}),
        ("of-the-shell", "A command that the person ran.", {"agentMode": "shell"}),
        ("of-autopilot", "A message that goes on by itself.", {"isAutopilotContinuation": True}),
    ):
        log = Log()
        yield read(
            f"copilot/not-words-{name}",
            f"{why} It was not said to the agent by a person.",
            "SES-011 RDR-401",
            _log(log.start, log.user("go on", **data), log.says("Ok.")),
            session(agent("Ok.")),
        )


def _calls() -> Cases:
    for name, why, status, text in (
        ("zero", "The host writes the exit code behind a shell's output.", "ok",
         "fine" + EXIT.format(0)),
        ("two", "A code that is not zero is a failure.", "failed", "no rule" + EXIT.format(2)),
        ("quoted", "The same line before other output is the program's.", "ok",
         "<exited with exit code 2>\nis what it wrote" + EXIT.format(0)),
    ):  # fmt: skip
        log = Log()
        rows = log.start, log.user("Go."), log.says("I will.", _bash())
        ended = log.done("c1", success=True, result={"content": text})
        yield read(
            f"copilot/exit-{name}",
            why,
            "SES-030 SES-031 RDR-006 RDR-402",
            _log(*rows, ended, log.says("Well.")),
            session(
                person("Go."),
                agent("I will.", call(status, tool="bash", input="make test", id="c1")),
                agent("Well."),
            ),
        )


def _denials() -> Cases:
    log = Log()
    rows = [log.start, log.says("I will.", _bash())]
    no = log.decided("c1", "denied-interactively-by-user", feedback="with uv")
    error = {"message": "The user rejected this tool call.", "code": "rejected"}
    ended = log.done("c1", success=False, error=error)
    yield read(
        "copilot/refusal-with-words",
        "The words of a refusal stand beside the decision.",
        "SES-012 SES-014 SES-030 RDR-403",
        _log(*rows, no, ended),
        session(agent("I will.", call("refused")), person("with uv", "refusal")),
    )
    for name, kind, status in (
        ("rules", "denied-by-rules", "unknown"),
        ("hook", "denied-by-permission-request-hook", "unknown"),
        ("stop", "cancelled", "interrupted"),
    ):
        log = Log()
        rows = [log.start, log.says("I will.", _bash()), log.decided("c1", kind)]
        ended = log.done("c1", success=False, error={"message": "no", "code": "denied"})
        yield read(
            f"copilot/denied-by-{name}",
            "A call that did not run, and no person refused it.",
            "SES-030 SES-032 RDR-403",
            _log(*rows, ended),
            session(agent("I will.", call(status))),
        )


def _sessions() -> Cases:
    log = Log()
    inner = [
        log.event("user.message", "sub1", content="Find a.py"),
        log.says("Found.", agent_id="sub1"),
    ]
    yield read(
        "copilot/subagent",
        "Events that name a subagent are a session of their own.",
        "SES-008 SES-011 SES-042 RDR-404",
        _log(log.start, log.user("Look around."), *inner, log.says("I have.")),
        session(person("Look around."), agent("I have."), id=SESSION, parent=None),
        session(agent("Found."), parent=SESSION),
    )
    log = Log()
    strange = log.event("session.mood", mood="calm")
    rows = log.start, log.user("first"), strange, b'{"type":"user.mess', log.user("second")
    yield read(
        "copilot/unknown-and-damaged-events",
        "An unknown event is left out; one that is cut is damage.",
        "SES-041 RDR-004 RDR-005",
        _log(*rows),
        session(person("first"), person("second")),
        damaged=1,
    )
