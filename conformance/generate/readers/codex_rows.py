"""Rows as Codex writes them: `{timestamp, type, payload}`, and files of them, packed or not."""

import itertools
import json
from typing import Any

from conformance.generate.readers.shapes import CWD, file, spelled, stamp
from conformance.generate.shapes import Value

SESSION = "019cb81e-0000-7000-8000-000000000001"
PARENT = "019cb800-0000-7000-8000-000000000002"
FOLDER = "sessions/2026/03/04"


class Rollout:
    """Makes rows with rising times."""

    def __init__(self, start: int = 0) -> None:
        self._number = itertools.count(start)

    def row(self, kind: str, /, **payload: Any) -> Value:
        """Return a row in its envelope."""
        return {"timestamp": stamp(next(self._number)), "type": kind, "payload": payload}

    def meta(self, session: str = SESSION, **more: Any) -> Value:
        """Return the row that names a session."""
        at = stamp(next(self._number))
        who = {"originator": "codex_cli_rs", "cli_version": "0.150.0", "source": "cli"}
        payload = {"id": session, "timestamp": at, "cwd": CWD, **who, **more}
        return {"timestamp": at, "type": "session_meta", "payload": payload}

    def context(self, **more: Any) -> Value:
        """Return the row that begins a turn."""
        given = {"cwd": CWD, "approval_policy": "on-request", "model": "m", **more}
        return self.row("turn_context", **given)

    def item(self, kind: str, /, **fields: Any) -> Value:
        """Return an item of the model's history."""
        return self.row("response_item", type=kind, **fields)

    def event(self, kind: str, /, **fields: Any) -> Value:
        """Return an event."""
        return self.row("event_msg", type=kind, **fields)

    def told(self, text: str) -> Value:
        """Return a text in the person's name in the history alone."""
        return self.item("message", role="user", content=[{"type": "input_text", "text": text}])

    def user(self, text: str) -> list[Value]:
        """Return a person's words, which stand in both channels."""
        return [self.told(text), self.event("user_message", message=text, images=[])]

    def agent(self, text: str) -> list[Value]:
        """Return the agent's words, in both channels."""
        content = [{"type": "output_text", "text": text}]
        event = self.event("agent_message", message=text)
        return [event, self.item("message", role="assistant", content=content)]

    def ran(self, output: Any = None, tool: str = "exec_command", call: str = "c1") -> list[Value]:
        """Return a call, with its output unless that is None."""
        given = json.dumps({"cmd": "make test"})
        rows = [self.item("function_call", name=tool, arguments=given, call_id=call)]
        if output is not None:
            rows.append(self.item("function_call_output", call_id=call, output=output))
        return rows

    def completed(self, kind: str, /, **fields: Any) -> Value:
        """Return an item of a paginated history."""
        return self.event("item_completed", turn_id="t", item={"type": kind, **fields})


def flat(*rows: Value | bytes | list[Value]) -> list[Value | bytes]:
    """Return rows in one list."""
    return [one for row in rows for one in (row if isinstance(row, list) else [row])]


def rollout(*rows: Value | bytes | list[Value], session: str = SESSION) -> Value:
    """Return the file of a session."""
    path = f"{FOLDER}/rollout-2026-03-04T10-00-00-{session}.jsonl"
    return file(path, spelled(*flat(*rows)))


def packed(content: bytes) -> bytes:
    """Return a zstd frame of one block that is not compressed (RFC 8878 §3.1.1)."""
    size = len(content)
    if size >= 1 << 17:
        raise ValueError("one block holds 128 KiB")
    block = 1 | size << 3  # the last block, raw
    head = b"\x28\xb5\x2f\xfd\xa0" + size.to_bytes(4, "little")
    return head + block.to_bytes(3, "little") + content
