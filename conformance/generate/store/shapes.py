"""How a store's case is told: steps in order, the last of which is the case's own request."""

import base64
import hashlib
from collections.abc import Sequence
from typing import Any

from conformance.generate.shapes import Case, Value, encoded, event_id, line, note

NOW = "2026-03-10T09:00:00.000000Z"
LATER = "2026-03-12T09:00:00.000000Z"
ORCHARD, HARBOUR = "git:example.org/orchard", "git:example.org/harbour"
SHOULD = "should"


def story(name: str, why: str, req: str, *steps: Value, level: str = "must") -> Case:
    """Return a case; `req` are ids with spaces between them."""
    *before, last = steps
    content: Value = {"description": why, "req": req.split(), "level": level, "role": "store"}
    content |= last
    if before:
        content["before"] = before
    return f"store/{name}", content


def expecting(step: Value, **expect: Any) -> Value:
    """Return a step with what its reply must be."""
    return {**step, "expect": expect}


def append(*events: Value, now: str = NOW, sessions: Sequence[Value] = ()) -> Value:
    given: Value = {"now": now}
    given |= {"events": list(events)} if events else {}
    given |= {"sessions": list(sessions)} if sessions else {}
    return {"op": "append", "input": given}


def recall(query: str, now: str = NOW, **narrowed: Any) -> Value:
    return {"op": "recall", "input": {"now": now, "query": query, **narrowed}}


def show(event: Value | str, now: str = NOW) -> Value:
    return {"op": "show", "input": {"now": now, "id": _id(event)}}


def history(event: Value | str) -> Value:
    return {"op": "history", "input": {"now": NOW, "id": _id(event)}}


def forget(event: Value | None = None, /, **named: str) -> Value:
    given = {} if event is None else {"id": _id(event)}
    return {"op": "forget", "input": {"now": NOW, **given, **named}}


def export(now: str = NOW) -> Value:
    return {"op": "export", "input": {"now": now}}


def import_(raw: bytes | int, now: str = NOW, **more: Any) -> Value:
    """Import bytes, or those that the step of a number was answered with."""
    given = {"raw_of": raw} if isinstance(raw, int) else {"raw": encoded(raw)}
    return {"op": "import", "input": {"now": now, **given, **more}}


def status(now: str = NOW) -> Value:
    return {"op": "status", "input": {"now": now}}


def reset() -> Value:
    return {"op": "reset", "input": {}}


def told(text: str, **fields: Any) -> Value:
    """Return a note of the owner's."""
    return note(text=text, **fields)


def named(*events: Value) -> list[Value]:
    """Return what hits of these events are like."""
    return [{"id": event_id(event)} for event in events]


def not_found(step: Value) -> Value:
    return expecting(step, error={"code": "not-found"})


def episode(event: Value, **fields: Any) -> Value:
    """Return the record of an episode, as a memory exports it."""
    kept = line({**event, "id": event_id(event)}).decode("utf-8")
    head = {"type": "episode", "v": "1.0", "id": event_id(event), "kind": event["kind"]}
    return {**head, "event": kept, "created": NOW, **fields}


def exported(*records: Value | bytes, promised: dict[str, int] | None = None) -> bytes:
    """Return an exported memory; a record given as bytes is a line of it as it is."""
    types = [record["type"] for record in records if isinstance(record, dict)]
    counted = {type_: types.count(type_) for type_ in dict.fromkeys(types)}
    head = {"type": "export", "v": "1.0", "records": promised or counted}
    lines = [line(r) if isinstance(r, dict) else r for r in (head, *records)]
    return b"".join(data + b"\n" for data in lines)


def content_id(domain: str, *fields: str | None) -> str:
    """Return the content id of a domain and fields (OVR-030, OVR-031)."""
    hashed = b""
    for field in (domain, *fields):
        data = (field or "").encode("utf-8")
        hashed += b"\x00" if field is None else b"\x01" + len(data).to_bytes(4, "big") + data
    return base64.b32encode(hashlib.sha256(hashed).digest()[:20]).decode("ascii").lower()


def _id(event: Value | str) -> str:
    return event if isinstance(event, str) else event_id(event)
