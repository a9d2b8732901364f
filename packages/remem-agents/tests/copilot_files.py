"""Builds Copilot event logs for the tests, event by event, in the shapes of real ones."""

import itertools
from pathlib import Path
from typing import Any

from claude_files import Json, write

from remem_agents.copilot import CopilotReader
from remem_agents.transcript import Seen, Transcript
from remem_protocol import Turn

SESSION = "c0b11070-0000-4000-8000-000000000001"


class Log:
    """Makes events with fresh ids and rising times."""

    def __init__(self) -> None:
        self._number = itertools.count(1)

    def event(self, kind: str, /, agent: str | None = None, **data: Any) -> Json:
        number = next(self._number)
        row = {
            "type": kind,
            "data": data,
            "id": f"e-{number}",
            "timestamp": f"2026-03-04T05:{number // 60:02}:{number % 60:02}.250Z",
            "parentId": None if number == 1 else f"e-{number - 1}",
        }
        return row if agent is None else {**row, "agentId": agent}

    def start(self, **data: Any) -> Json:
        context = {"cwd": "/srv/work/shop", "branch": "main"}
        return self.event("session.start", sessionId=SESSION, version=1, context=context, **data)

    def user(self, content: Any, **data: Any) -> Json:
        told = f"<current_datetime>now</current_datetime>\n\n{content}"
        return self.event("user.message", content=content, transformedContent=told, **data)

    def says(self, content: str, *requests: Json, **data: Any) -> Json:
        name = f"m-{next(self._number)}"
        return self.event(
            "assistant.message",
            messageId=name,
            content=content,
            toolRequests=list(requests),
            **data,
        )

    def done(self, call: str, content: str = "fine", **data: Any) -> Json:
        given = {"success": True, "result": {"content": content}} | data
        return self.event("tool.execution_complete", toolCallId=call, **given)

    def failed(self, call: str, message: str, code: str | None = None) -> Json:
        error = {"message": message} | ({"code": code} if code else {})
        return self.event("tool.execution_complete", toolCallId=call, success=False, error=error)

    def decided(self, call: str, kind: str, **result: Any) -> Json:
        decision = {"kind": kind, **result}
        return self.event("permission.completed", requestId="r", toolCallId=call, result=decision)


def bash(call: str, command: str = "make test") -> Json:
    arguments = {"command": command, "description": "Run the tests"}
    return {"toolCallId": call, "name": "bash", "arguments": arguments, "type": "function"}


def log_file(path: Path, *rows: Json | bytes) -> Path:
    return write(path / "session-state" / SESSION / "events.jsonl", *rows)


def transcripts(path: Path, seen: Seen | None = None) -> list[Transcript]:
    return list(CopilotReader().read(path, seen or Seen()))


def turns_of(path: Path, seen: Seen | None = None) -> list[Turn]:
    return [turn for transcript in transcripts(path, seen) for turn in transcript.turns]
