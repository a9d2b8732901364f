"""Builds Codex rollouts for the tests, row by row, in the shapes of real ones."""

import itertools
import json
from pathlib import Path
from typing import Any

from claude_files import Json, write

from remem_agents.codex import CodexReader
from remem_agents.transcript import Seen, Transcript
from remem_protocol import Turn

# Version 7: the first twelve digits are the time, here 2026-03-04T05:00:00Z.
SESSION = "019cb72d-f200-7000-8000-00000000000a"
PARENT = "019cb600-0000-7000-8000-00000000000b"
OLD_TURN = "019cb600-1000-7000-8000-000000000001"
NEW_TURN = "019cb72e-0000-7000-8000-000000000002"


class Rollout:
    """Makes rows with rising times, one a second."""

    def __init__(self, *, start: int = 0) -> None:
        self._number = itertools.count(start)

    def row(self, kind: str, payload: Json, /, **fields: Any) -> Json:
        number = next(self._number)
        at = f"2026-03-04T05:{number // 60:02}:{number % 60:02}.250Z"
        return {"timestamp": at, "type": kind, "payload": payload, **fields}

    def meta(self, session: str = SESSION, **fields: Any) -> Json:
        payload = {
            "id": session,
            "timestamp": "2026-03-04T05:00:00.000Z",
            "cwd": "/srv/work/shop",
            "originator": "codex-tui",
            "cli_version": "0.141.0",
            "source": "cli",
            **fields,
        }
        return self.row("session_meta", payload)

    def context(self, **fields: Any) -> Json:
        payload = {"cwd": "/srv/work/shop", "approval_policy": "on-request", **fields}
        return self.row("turn_context", payload)

    def event(self, kind: str, /, **fields: Any) -> Json:
        return self.row("event_msg", {"type": kind, **fields})

    def item(self, kind: str, /, **fields: Any) -> Json:
        return self.row("response_item", {"type": kind, **fields})

    def done(self, kind: str, /, **fields: Any) -> Json:
        return self.event("item_completed", turn_id=NEW_TURN, item={"type": kind, **fields})

    def user_item(self, *texts: str) -> Json:
        parts = [{"type": "input_text", "text": text} for text in texts]
        return self.item("message", role="user", content=parts)

    def user(self, text: str) -> list[Json]:
        return [self.user_item(text), self.event("user_message", message=text, images=[])]

    def agent(self, text: str) -> list[Json]:
        parts = [{"type": "output_text", "text": text}]
        told = self.event("agent_message", message=text)
        return [told, self.item("message", role="assistant", content=parts)]

    def call(self, call: str, name: str = "exec_command", **arguments: Any) -> Json:
        given = json.dumps(arguments or {"cmd": "make test"})
        return self.item("function_call", name=name, arguments=given, call_id=call)

    def output(self, call: str, output: Any, kind: str = "function_call_output") -> Json:
        return self.item(kind, call_id=call, output=output)

    def ran(self, call: str, output: Any, **arguments: Any) -> list[Json]:
        return [self.call(call, **arguments), self.output(call, output)]


def unified(text: str, code: int = 0) -> str:
    head = f"Chunk ID: 0a1b2c\nWall time: 0.1 seconds\nProcess exited with code {code}\n"
    return f"{head}Original token count: 3\nOutput:\n{text}"


def running(text: str, session: int = 7) -> str:
    head = f"Chunk ID: 0a1b2c\nWall time: 9.0 seconds\nProcess running with session ID {session}\n"
    return f"{head}Original token count: 3\nOutput:\n{text}"


def flat(*rows: Json | bytes | list[Json]) -> list[Json | bytes]:
    return [one for row in rows for one in (row if isinstance(row, list) else [row])]


def rollout(path: Path, *rows: Json | bytes | list[Json]) -> Path:
    return write(path / f"rollout-2026-03-04T06-00-00-{SESSION}.jsonl", *flat(*rows))


def transcripts(path: Path, seen: Seen | None = None) -> list[Transcript]:
    return list(CodexReader().read(path, seen or Seen()))


def turns_of(path: Path, seen: Seen | None = None) -> list[Turn]:
    return [turn for transcript in transcripts(path, seen) for turn in transcript.turns]
