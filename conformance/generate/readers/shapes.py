"""What generators of transcripts share: files as a reader gets them, sessions as partial values.

Times are a second apart, so that an expected one can be told by counting rows.
"""

import datetime
import json
from collections.abc import Sequence
from typing import Any

from conformance.generate.shapes import Case, Value, encoded, parts

START = datetime.datetime(2026, 3, 4, 9, tzinfo=datetime.UTC)
CWD = "/home/ana/orchard"


def stamp(second: int) -> str:
    """Return a time as most hosts write it: UTC with milliseconds."""
    return f"{START + datetime.timedelta(seconds=second):%Y-%m-%dT%H:%M:%S}.250Z"


def wire(second: int) -> str:
    """Return the same time as the protocol spells it."""
    return stamp(second)[:-1] + "000Z"


def spelled(*rows: Value | bytes) -> bytes:
    """Return JSON Lines; a row that is bytes stands as it is, on a line of its own."""
    lines = [row if isinstance(row, bytes) else compact(row) for row in rows]
    return b"".join(line + b"\n" for line in lines)


def compact(value: Any) -> bytes:
    """Spell JSON on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def file(path: str, content: bytes) -> Value:
    """Return a file of a case."""
    return {"path": path, "raw": encoded(content)}


def large_file(path: str, *pieces: tuple[bytes, int]) -> Value:
    """Return a file of pieces, each repeated its count."""
    return {"path": path, "raw_parts": parts(*pieces)}


def read(
    name: str,
    why: str,
    req: str,
    files: Value | Sequence[Value],
    *sessions: Value,
    agent: str | None = None,
    **counts: Any,
) -> Case:
    """Return a case of reading files: the sessions in them, and the counts that are certain.

    The agent is the first part of the name; an empty one leaves it to be found out.
    """
    files = [files] if isinstance(files, dict) else list(files)
    agent = name.split("/")[0] if agent is None else agent
    given: Value = {"agent": agent, "files": files} if agent else {"files": files}
    content = {"description": why, "req": req.split(), "level": "must", "role": "reader"}
    expect = {"match": {"sessions": list(sessions), **counts}}
    return f"readers/{name}", {**content, "op": "read", "input": given, "expect": expect}


def session(*turns: Value, **head: Any) -> Value:
    """Return what is expected of a session."""
    return {**head, "turns": list(turns)}


def person(text: str, via: str = "prompt", **more: Any) -> Value:
    """Return what is expected of a person's turn."""
    return {"role": "person", "text": text, "via": via, **more}


def agent(text: str | None = None, *calls: Value, **more: Any) -> Value:
    """Return what is expected of an agent's turn; its text where it is certain."""
    told = {} if text is None else {"text": text}
    return {"role": "agent", **told, "calls": list(calls), **more}


def call(status: str, text: str | None = None, **more: Any) -> Value:
    """Return what is expected of a call; the text of its result where that is certain."""
    result = {"status": status} if text is None else {"status": status, "text": text}
    return {"result": result, **more}
