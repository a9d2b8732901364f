"""What is looked at of lessons, predictions and entries of a ledger, whatever a case is about: that
each is a record, and agrees with itself.

Lists of them are compared by id, or by number, for no order of them is laid down; strengths to six
places.
"""

import json
import unicodedata
from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from remem_conformance.cases import EntryOf
from remem_conformance.partial import brief
from remem_protocol import UnknownRecord, content_id, decode_record

Value = dict[str, Any]
DIGITS = 6


class UnsoundError(Exception):
    """A reply that no case could expect; the words say why."""


def sound_records(got: Sequence[Any], type_: str) -> list[Value]:
    """Return records of one type, each once, in order; raise UnsoundError or RememError."""
    records = []
    for value in got:
        record = decode_record(json.dumps(value).encode("ascii"))
        if isinstance(record, UnknownRecord) or value.get("type") != type_:
            raise UnsoundError(f"not a {type_}: {brief(value)}")
        if type_ in _CHECKS and (why := _CHECKS[type_](value)):
            raise UnsoundError(f"{why}: {brief(value)}")
        records.append(spelled_record(value))
    key = "seq" if type_ == "ledger" else "id"
    names = [record[key] for record in records]
    if len(set(names)) < len(names):
        raise UnsoundError(f"a {type_} stands there twice: {brief(names)}")
    return sorted(records, key=lambda record: record[key])


def spelled_record(record: Value) -> Value:
    """Return a record of an export or a list as it is looked at."""
    if record["type"] == "lesson":
        told = {
            "sources": sorted(record["sources"]),
            "strength": round(float(record["strength"]), DIGITS),
        }
        return {"wording": "quoted", "trust": "own", **record, **told}
    if record["type"] == "ledger":
        return {**record, **{side: _side(record.get(side)) for side in ("before", "after")}}
    return record


def entry_of(named: EntryOf, replies: Sequence[Any]) -> int | None:
    """Return the number of the last such entry in the ledger that a step was answered with."""
    ledger = replies[named.step - 1]
    found = [
        entry["seq"]
        for entry in ledger
        if entry["verb"] == named.verb
        and (named.subject is UNSET or named.subject == entry["subject"])
    ]
    return max(found, default=None)


def _side(told: str | None) -> Any:
    """Return one side of an entry, its records by type and name (MEM-056)."""
    try:
        side = json.loads(told or "null")
        return sorted(map(spelled_record, side), key=_name) if isinstance(side, list) else side
    except (ValueError, TypeError, KeyError):
        return told


def _name(record: Value) -> tuple[str, str]:
    key = {"alias": "old", "veto": "hash"}.get(record["type"], "id")
    return record["type"], record[key]


def _lesson(record: Value) -> str | None:
    if record["hash"] != words_hash(record["kind"], record["text"]):
        return "not the hash of its words (MEM-038)"
    if len(set(record["sources"])) != record["seen"]:
        return "seen is not the number of its sources (MEM-030)"
    return None


def words_hash(kind: str, text: str) -> str:
    """Return the hash of a lesson's words (MEM-038)."""
    plain = " ".join(unicodedata.normalize("NFC", text).casefold().split())
    return content_id("remem/1/lesson-words", [kind, plain])


def _prediction(record: Value) -> str | None:
    if record["id"] != content_id("remem/1/prediction", [record["lesson"], record["made"]]):
        return "not the id of its lesson and time (MEM-042)"
    if ("outcome" in record) != ("resolved" in record):
        return "an outcome without its time, or the other way round (MEM-041)"
    if not record["made"] < record["due"]:
        return "due before it was made (MEM-043)"
    return None


_CHECKS = {"lesson": _lesson, "prediction": _prediction}
