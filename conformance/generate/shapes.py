"""What the generators share: how a case is written down, sound records, ids worked out anew.

Nothing here imports the implementation: an expectation that came from it would prove nothing.
Ids are computed from the text of OVR-030, OVR-031 and EVT-010 alone.
"""

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

Case = tuple[str, dict[str, Any]]  # id, content of the file
Cases = Iterator[Case]
Value = dict[str, Any]

AT = "2026-03-04T09:00:00.000000Z"
LATER = "2026-03-04T09:05:10.250000Z"
WORDS = {
    "correction": ("said",),
    "error": ("tool", "description", "call", "failure"),
    "environment": ("tool", "description", "call", "failure"),
    "surprise": ("statement",),
    "note": ("text",),
    "session": (),
    "handback": ("act", "action"),
}


def event_id(event: Value) -> str:
    """Return the content id of an event (OVR-030, OVR-031, EVT-010)."""
    names = ("kind", "project", "session", "at", *WORDS[event["kind"]])
    hashed = b""
    for field in ["remem/1/event", *(event.get(name) for name in names)]:
        if field is None:
            hashed += b"\x00"
        else:
            data = field.encode("utf-8")
            hashed += b"\x01" + len(data).to_bytes(4, "big") + data
    return base64.b32encode(hashlib.sha256(hashed).digest()[:20]).decode("ascii").lower()


def with_id(event: Value) -> Value:
    """Return an event as a decoder gives it: its id computed."""
    return {**event, "id": event_id(event)}


def event(kind: str, /, **fields: Any) -> Value:
    """Return an event of this version; what a kind needs is the caller's to give."""
    return {"kind": kind, "v": "1.0", "at": AT, "source": "owner", **fields}


def note(**fields: Any) -> Value:
    """Return a sound note, some fields replaced."""
    return event("note", **{"text": "The orchard service listens on port 8417.", **fields})


def session(*turns: Value, **fields: Any) -> Value:
    """Return a sound session with these turns."""
    head = {"type": "session", "v": "1.0", "id": "s-1", "agent": "my-agent", "started": AT}
    return {**head, "ended": LATER, "turns": list(turns), **fields}


def person(text: str = "Pin the dependencies.", **fields: Any) -> Value:
    """Return a person's turn."""
    return {"role": "person", "at": AT, "text": text, **fields}


def agent(*calls: Value, **fields: Any) -> Value:
    """Return an agent's turn; without calls it has no `calls`."""
    turn = {"role": "agent", "at": AT, "text": "I'll run it.", **fields}
    return {**turn, "calls": list(calls)} if calls else turn


def call(status: str = "ok", **fields: Any) -> Value:
    """Return a call with its result."""
    return {"id": "c-1", "tool": "Bash", "result": {"status": status}, **fields}


def without(value: Value, *names: str) -> Value:
    """Return a copy without some fields."""
    return {key: field for key, field in value.items() if key not in names}


def line(value: Value) -> bytes:
    """Spell a record, its fields in the order given."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def open_line(value: Value, more: str) -> bytes:
    """Spell a record with one more member, given as raw JSON text."""
    return line(value)[:-1] + b"," + more.encode("utf-8") + b"}"


def encoded(data: bytes) -> str:
    """Return base64."""
    return base64.b64encode(data).decode("ascii")


def case(
    name: str, why: str, req: str, op: str, given: Value, expect: Value, level: str = "must"
) -> Case:
    """Return a case; `req` are ids with spaces between them."""
    content = {"description": why, "req": req.split(), "level": level, "role": "codec"}
    return name, {**content, "op": op, "input": given, "expect": expect}


def accept(name: str, why: str, req: str, raw: bytes, ok: Any, kind: str = "event") -> Case:
    """Return a case of decoding that must succeed."""
    return case(name, why, req, "decode", {"type": kind, "raw": encoded(raw)}, {"ok": ok})


def refuse(
    name: str, why: str, req: str, raw: bytes, code: str, at: str | None = None, kind: str = "event"
) -> Case:
    """Return a case of decoding that must fail."""
    error = {"code": code} if at is None else {"code": code, "at": at}
    return case(name, why, req, "decode", {"type": kind, "raw": encoded(raw)}, {"error": error})


def parts(*pieces: tuple[bytes, int]) -> Sequence[tuple[str, int]]:
    """Return the compact form of a large input."""
    return [(encoded(piece), count) for piece, count in pieces]
