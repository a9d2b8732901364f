"""Builds Claude Code session files for the tests, row by row, in the shapes of real ones."""

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from remem_agents.claude_code import ClaudeCodeReader
from remem_agents.transcript import Seen, Transcript
from remem_protocol import AgentTurn, Call, PersonTurn, Turn

SESSION = "5e551011-0000-4000-8000-000000000001"
REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was "
    "a file edit, the new_string was NOT written to the file). "
)
BARE = REFUSED + "STOP what you are doing and wait for the user to tell you how to proceed."
SAID = REFUSED + "To tell you how to proceed, the user said:\n"
NOTE = "\n\nNote: The user's next message may contain a correction or preference. Pay attention."

Json = dict[str, Any]
Read = Callable[..., list[Turn]]


class Rows:
    """Makes rows with fresh uuids and rising times."""

    def __init__(self, session: str = SESSION) -> None:
        self.session = session
        self._number = itertools.count(1)

    def row(self, kind: str, **fields: Any) -> Json:
        number = next(self._number)
        return {
            "parentUuid": None,
            "isSidechain": False,
            "cwd": "/srv/work/shop",
            "sessionId": self.session,
            "version": "2.1.50",
            "type": kind,
            "uuid": f"{self.session}-{number}",
            "timestamp": f"2026-03-04T05:{number // 60:02}:{number % 60:02}.250Z",
            **fields,
        }

    def user(self, content: Any, **fields: Any) -> Json:
        return self.row("user", message={"role": "user", "content": content}, **fields)

    def agent(self, *blocks: Json, message: str | None = None, **fields: Any) -> Json:
        name = message or f"msg_{next(self._number)}"
        body = {"id": name, "role": "assistant", "model": "a-model", "content": list(blocks)}
        return self.row("assistant", message=body, **fields)

    def result(self, call: str, content: Any, *beside: Json, **fields: Any) -> Json:
        error = {"is_error": True} if fields.pop("is_error", False) else {}
        block = {"type": "tool_result", "tool_use_id": call, "content": content, **error}
        return self.user([block, *beside], **fields)

    def no(self, call: str, content: str, *beside: Json, **fields: Any) -> Json:
        return self.result(call, content, *beside, is_error=True, **fields)

    def queue(self, operation: str, content: Any = None) -> Json:
        row = {**self.row("queue-operation"), "operation": operation}
        del row["uuid"]
        return row if content is None else {**row, "content": content}

    def queued(self, prompt: Any, **fields: Any) -> Json:
        attachment = {"type": "queued_command", "prompt": prompt, "commandMode": "prompt", **fields}
        return self.row("attachment", attachment=attachment)


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def bash(call: str, command: str = "make test", description: str = "Run the tests") -> Json:
    arguments = {"command": command, "description": description}
    return {"type": "tool_use", "id": call, "name": "Bash", "input": arguments}


def tool(call: str, name: str, **arguments: Any) -> Json:
    return {"type": "tool_use", "id": call, "name": name, "input": arguments}


def line(row: Json) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"


def write(path: Path, *rows: Json | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(row if isinstance(row, bytes) else line(row) for row in rows))
    return path


def transcripts(path: Path, seen: Seen | None = None) -> list[Transcript]:
    return list(ClaudeCodeReader().read(path, seen or Seen()))


def turns_of(path: Path, seen: Seen | None = None) -> list[Turn]:
    return [turn for transcript in transcripts(path, seen) for turn in transcript.turns]


def said(turns: list[Turn]) -> list[tuple[str, str]]:
    return [(turn.via, turn.text) for turn in turns if isinstance(turn, PersonTurn)]


def calls(turns: list[Turn]) -> list[Call]:
    return [call for turn in turns if isinstance(turn, AgentTurn) for call in turn.calls]


def statuses(turns: list[Turn]) -> list[str]:
    return [call.result.status for call in calls(turns)]


def shape(turns: list[Turn]) -> list[str]:
    """The turns as words: `agent`, or how the person came in."""
    return [turn.via if isinstance(turn, PersonTurn) else "agent" for turn in turns]
