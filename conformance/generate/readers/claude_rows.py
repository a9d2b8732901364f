"""Rows as Claude Code writes them: one JSON object a line, one block of a reply a row."""

import itertools
from typing import Any

from conformance.generate.readers.shapes import CWD, file, spelled, stamp
from conformance.generate.shapes import Value

SESSION = "5e551000-0000-4000-8000-000000000001"
NO = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was "
    "a file edit, the new_string was NOT written to the file). "
)
BARE_NO = NO + "STOP what you are doing and wait for the user to tell you how to proceed."
NO_WITH = NO + "To tell you how to proceed, the user said:\n"


class Log:
    """Makes rows with fresh uuids and rising times, each the child of the one before."""

    def __init__(self, session: str = SESSION, *, start: int = 0, **common: Any) -> None:
        self._number = itertools.count(start)
        self._session = session
        self._before: str | None = None
        self._common = common

    def row(self, kind: str, /, **fields: Any) -> Value:
        """Return a row of the conversation."""
        number = next(self._number)
        uuid = f"0a000000-0000-4000-8000-{number:012}"
        head = {"parentUuid": self._before, "isSidechain": False, "userType": "external"}
        place = {"cwd": CWD, "sessionId": self._session, "version": "2.1.210", "gitBranch": "main"}
        row = {**head, **place, "type": kind, "uuid": uuid, "timestamp": stamp(number)}
        self._before = uuid
        return {**row, **self._common, **fields}

    def beside(self, kind: str, /, **fields: Any) -> Value:
        """Return a row that is no part of the conversation."""
        at = stamp(next(self._number))
        return {"type": kind, "sessionId": self._session, "timestamp": at, **fields}

    def user(self, content: Any, **fields: Any) -> Value:
        """Return a row in the person's name."""
        return self.row("user", message={"role": "user", "content": content}, **fields)

    def says(self, *blocks: Value | str, reply: str = "", **fields: Any) -> Value:
        """Return a row of a reply; without a name it is a reply of its own."""
        content = [text(b) if isinstance(b, str) else b for b in blocks]
        name = reply or f"msg_{next(self._number)}"
        message = {"id": name, "type": "message", "role": "assistant", "content": content}
        return self.row("assistant", message={"model": "claude-x", **message}, **fields)

    def result(self, call: str, content: Any, *more: Value, **fields: Any) -> Value:
        """Return a row with the result of a call; `is_error` and other fields are the row's."""
        failed = {"is_error": True} if fields.pop("is_error", False) else {}
        block = {"type": "tool_result", "tool_use_id": call, "content": content, **failed}
        return self.user([block, *more], **fields)

    def no(self, call: str, content: str = BARE_NO, **fields: Any) -> Value:
        """Return the row of a refusal, as the host marks one."""
        return self.result(call, content, is_error=True, **fields)


def text(words: str) -> Value:
    """Return a block of text."""
    return {"type": "text", "text": words}


def uses(call: str, tool: str = "Bash", **arguments: Any) -> Value:
    """Return a block that calls a tool."""
    given = arguments or {"command": "make test", "description": "Run the tests"}
    return {"type": "tool_use", "id": call, "name": tool, "input": given}


def session_file(*rows: Value | bytes, session: str = SESSION) -> Value:
    """Return the file of a session."""
    return file(f"projects/-home-ana-orchard/{session}.jsonl", spelled(*rows))
