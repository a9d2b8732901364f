"""Builds Gemini CLI session files for the tests, in the shapes of real ones."""

import itertools
import json
from pathlib import Path
from typing import Any

from remem_agents.gemini import GeminiReader
from remem_agents.transcript import Seen, Transcript
from remem_protocol import Turn

SESSION = "9e3141f0-0000-4000-8000-000000000001"
HASH = "ab" * 32

Json = dict[str, Any]


class Messages:
    """Makes messages with fresh ids and rising times."""

    def __init__(self) -> None:
        self._number = itertools.count(1)

    def message(self, kind: str, content: Any, **fields: Any) -> Json:
        number = next(self._number)
        return {
            "id": f"m{number}",
            "timestamp": f"2026-04-05T06:{number // 60:02}:{number % 60:02}.500Z",
            "type": kind,
            "content": content,
            **fields,
        }

    def user(self, content: Any, **fields: Any) -> Json:
        return self.message("user", content, **fields)

    def gemini(self, content: Any, *calls: Json, **fields: Any) -> Json:
        tools = {"toolCalls": list(calls)} if calls else {}
        return self.message("gemini", content, **tools, **fields)

    def info(self, content: str) -> Json:
        return self.message("info", content)


def call(name: str, status: str, text: str | None = "", **fields: Any) -> Json:
    """A recorded call; a text of None is a call without a result."""
    key = "output" if status == "success" else "error"
    call_id = fields.pop("id", f"{name}-{status}")
    response = {"id": call_id, "name": name, "response": {key: text}}
    result = None if text is None else [{"functionResponse": response}]
    args = fields.pop("args", {})
    return {"id": call_id, "name": name, "args": args, "result": result, "status": status, **fields}


def shell(status: str, text: str | None, command: str = "make test", **fields: Any) -> Json:
    args = {"command": command, "description": "Run the tests"}
    return call("run_shell_command", status, text, args=args, **fields)


def metadata(**fields: Any) -> Json:
    return {
        "sessionId": SESSION,
        "projectHash": HASH,
        "startTime": "2026-04-05T06:00:00.000Z",
        "lastUpdated": "2026-04-05T06:00:00.000Z",
        "kind": "main",
        **fields,
    }


def write_lines(path: Path, *rows: Json | bytes) -> Path:
    """Write the newer format: a line of metadata, then whatever is given."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [row if isinstance(row, bytes) else json.dumps(row).encode() + b"\n" for row in rows]
    path.write_bytes(b"".join(lines))
    return path


def write_whole(path: Path, *messages: Json, **fields: Any) -> Path:
    """Write the older format: one object, with indents."""
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = {**metadata(**fields), "messages": list(messages)}
    path.write_text(json.dumps(whole, indent=2), encoding="utf-8")
    return path


def transcripts(path: Path, seen: Seen | None = None) -> list[Transcript]:
    return list(GeminiReader().read(path, seen or Seen()))


def turns_of(path: Path) -> list[Turn]:
    return [turn for transcript in transcripts(path) for turn in transcript.turns]


def texts_of(path: Path) -> list[str]:
    return [turn.text for turn in turns_of(path)]
