"""Lessons as the suite gives them – records, and the events they rest on – in a memory.

They come in as an import does, so that what may be shown is decided where it always is.
"""

import io
import json
from typing import TYPE_CHECKING, Any

from remem_cli.adapter_store import STORE
from remem_protocol import ExportHeader, UnknownEvent, decode_event, encode

if TYPE_CHECKING:
    from remem_core.memory import Memory

Value = dict[str, Any]
_ORDER = ("veto", "episode", "lesson")


def remembered(given: Value) -> "Memory":
    """Return a memory that holds what a request gives, and nothing else."""
    STORE.reset()
    memory = STORE.at(given)
    records = [*map(_episode, given.get("events", ()))]
    records += [(value["type"], json.dumps(value).encode()) for value in given.get("records", ())]
    records.sort(key=lambda one: _ORDER.index(one[0]))
    kinds = [type_ for type_, _ in records]
    head = ExportHeader(records={type_: kinds.count(type_) for type_ in dict.fromkeys(kinds)})
    lines = [encode(head), *(line for _, line in records)]
    memory.import_(io.BytesIO(b"".join(line + b"\n" for line in lines)))
    return memory


def _episode(value: Value) -> tuple[str, bytes]:
    event = decode_event(json.dumps(value).encode())
    assert not isinstance(event, UnknownEvent)
    kept = {"type": "episode", "v": event.v, "id": event.id, "kind": value["kind"]}
    kept |= {"event": encode(event).decode(), "created": event.at}
    return "episode", json.dumps(kept).encode()
