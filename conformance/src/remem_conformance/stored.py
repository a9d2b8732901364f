"""What a store replied: sound at all, and then as the case has it.

An episode is looked at together with its event, which it holds as text; an export as the list of
its records. Hits and records are looked for in any order: how a memory ranks is its own affair,
but for the best hit where a case names it.
"""

import base64
import binascii
import json
from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from remem_conformance.cases import Case, Expect, Input, Step
from remem_conformance.partial import brief, difference, spelled_event
from remem_conformance.slept import UnsoundError, sound_records, spelled_record
from remem_protocol import (
    MAX_RECORD_BYTES,
    RememError,
    UnknownEvent,
    UnknownRecord,
    decode_event,
    decode_record,
)

Value = dict[str, Any]
TOLERANCE = 1e-6
RECORDS = {"lessons": "lesson", "predictions": "prediction", "ledger": "ledger"}
# The types of an export in their order, and what each is ordered by (MEM-071).
ORDER: dict[str, tuple[str, ...]] = {
    "tombstone": ("key",),
    "veto": ("hash",),
    "session-entry": ("started", "id"),
    "episode": ("at", "id"),
    "lesson": ("created", "id"),
    "prediction": ("made", "id"),
    "alias": ("old",),
    "ledger": ("seq",),
}


def judge_stored(step: Case | Step, got: Any, before: Sequence[Any]) -> str | None:
    """Return what is wrong with the value of a store's reply, or None.

    `before` are the values of the replies to earlier steps.
    """
    expect = step.expect
    try:
        value, text = _sound(step.op, step.input, got)
    except (UnsoundError, RememError) as error:
        return str(error)
    if expect is UNSET:
        return None
    if expect.raw_of is not UNSET and got != before[expect.raw_of - 1]:
        return f"other bytes than step {expect.raw_of} was answered with"
    return (
        _judge_text(expect, text)
        or _judge_numbers(expect, value)
        or (None if expect.match is UNSET else difference(expect.match, value))
        or (_judge_first(expect.first, value) if isinstance(expect.first, dict) else None)
        or _judge_list(expect, value)
    )


def _judge_text(expect: Expect, text: str) -> str | None:
    for words in expect.says:
        if words not in text:
            return f"does not say {words!r}: {brief(text)}"
    for words in expect.silent:
        if words in text:
            return f"says {words!r}: {brief(text)}"
    return None


def _judge_numbers(expect: Expect, value: Any) -> str | None:
    for name, wanted in (expect.near or {}).items():
        number: Any = value.get(name) if isinstance(value, dict) else None
        if type(number) not in (int, float) or abs(float(number) - wanted) > TOLERANCE:
            return f"/{name}: {brief(number)}, expected {wanted}"
    return None


def _judge_first(wanted: Value, hits: Any) -> str | None:
    return difference(wanted, hits[0], "/0") if hits else f"nothing, expected {brief(wanted)}"


def _judge_list(expect: Expect, entries: Any) -> str | None:
    for wanted in expect.has:
        if all(difference(wanted, entry) is not None for entry in entries):
            return f"nothing like {brief(wanted)} among {brief(entries)}"
    for unwanted in expect.lacks:
        for entry in entries:
            if difference(unwanted, entry) is None:
                return f"something like {brief(unwanted)}: {brief(entry)}"
    return None


def _sound(op: str, given: Input, got: Any) -> tuple[Any, str]:
    """Return what is looked at of a reply, and all its words; raise UnsoundError."""
    if op == "export":
        return _records(got)
    text = json.dumps(got, ensure_ascii=False)
    if op == "recall":
        return _hits(got, given), text
    if op == "show":
        return _episode(got), text
    if op == "history":
        return [_episode(entry) for entry in _list(got)], text
    if op in RECORDS:
        return _learned(op, given, _list(got)), text
    if not isinstance(got, dict):
        raise UnsoundError(f"not an object: {brief(got)}")
    return {name: number for name, number in got.items() if number != {}}, text


def _hits(got: Any, given: Input) -> list[Value]:
    hits = _list(got)
    ids = [hit.get("id") for hit in hits if isinstance(hit, dict)]
    if len(set(ids)) != len(hits) or not all(isinstance(id_, str) for id_ in ids):
        raise UnsoundError(f"not hits of an id each: {brief(got)}")
    if isinstance(given.limit, int) and len(hits) > given.limit:
        raise UnsoundError(f"{len(hits)} hits, at most {given.limit} were asked for")
    return hits


def _learned(op: str, given: Input, got: list[Any]) -> list[Value]:
    records = sound_records(got, RECORDS[op])
    if op == "ledger" and given.id is UNSET:
        numbers = [record["seq"] for record in records]
        if numbers != list(range(1, len(numbers) + 1)):
            raise UnsoundError(f"not numbered from 1 without gaps (MEM-052): {brief(numbers)}")
    return records


def _list(got: Any) -> list[Any]:
    if not isinstance(got, list):
        raise UnsoundError(f"not a list: {brief(got)}")
    return got


def _episode(got: Any) -> Value:
    """Return an episode with its event as a value; raise what is wrong with either."""
    record = decode_record(json.dumps(got).encode("ascii"))
    if isinstance(record, UnknownRecord) or got.get("type") != "episode":
        raise UnsoundError(f"not an episode: {brief(got)}")
    line = got["event"].encode("utf-8")
    event = decode_event(line, limit=MAX_RECORD_BYTES)
    if isinstance(event, UnknownEvent) or (event.id, event.kind) != (got["id"], got["kind"]):
        raise UnsoundError(f"not the id and the kind of its event (MEM-002): {brief(got)}")
    told = spelled_event({**json.loads(line), "id": event.id})
    return {"strength": 1.0, "recalls": 0, **got, "event": told}


def _records(got: Any) -> tuple[list[Value], str]:
    """Return the records of an export after its head; raise UnsoundError (MEM-070, MEM-071)."""
    try:
        data = base64.b64decode(got["raw"], validate=True)
        text = data.decode("utf-8")
    except (binascii.Error, ValueError, TypeError, KeyError):
        raise UnsoundError(f"no base64 of UTF-8 under raw: {brief(got)}") from None
    values = []
    for line in data.split(b"\n"):
        if line:
            decode_record(line)
            values.append(json.loads(line))
    if not values or values[0].get("type") != "export":
        raise UnsoundError("an export that begins without its head (MEM-070)")
    head, *records = values
    types = [record["type"] for record in records]
    counted = {type_: types.count(type_) for type_ in set(types)}
    if head["records"] != counted:
        raise UnsoundError(f"promises {head['records']}, holds {counted} (MEM-070)")
    records = [_episode(r) if r["type"] == "episode" else spelled_record(r) for r in records]
    if records != sorted(records, key=_place):
        raise UnsoundError(f"not in the order of MEM-071: {types}")
    return records, text


def _place(record: Value) -> tuple[Any, ...]:
    """Return what a record's place in an export follows from."""
    fields = {**record, "at": record["event"]["at"]} if record["type"] == "episode" else record
    keys = [fields[name] for name in ORDER.get(record["type"], ())]
    numbers = [key.encode("utf-8") if isinstance(key, str) else key for key in keys]
    return (list(ORDER).index(record["type"]) if record["type"] in ORDER else len(ORDER), *numbers)
