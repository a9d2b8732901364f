"""Memory records: their shapes and what is refused (MEM, a draft)."""

import json

import pytest

from remem_protocol import InvalidRecordError, content_id, decode_record, encode

AT = "2026-03-04T09:00:00.000000Z"
ID = content_id("test", ["a"])
LEAST = {
    "episode": {"id": ID, "kind": "note", "event": "{}", "created": AT},
    "lesson": {
        "id": ID, "text": "x", "kind": "note", "strength": 1.0, "seen": 1, "sources": [ID],
        "created": AT, "updated": AT, "hash": ID,
    },
    "prediction": {"id": ID, "lesson": ID, "text": "x", "made": AT, "due": AT},
    "alias": {"old": ID, "new": ID, "at": AT},
    "veto": {"hash": ID, "text": "x", "at": AT},
    "ledger": {"seq": 1, "at": AT, "verb": "CREATE", "subject": ID},
}  # fmt: skip


def wire(type_: str, **fields: object) -> bytes:
    return json.dumps({"v": "1.0", "type": type_} | LEAST[type_] | fields).encode()


@pytest.mark.parametrize("type_", LEAST)
def test_the_least_of_each_type_is_read_and_written(type_):
    record = decode_record(wire(type_))
    assert decode_record(encode(record)) == record


@pytest.mark.parametrize(
    ("type_", "field", "value"),
    [
        ("episode", "kind", "dream"),
        ("episode", "strength", -1),
        ("episode", "touched", "2026-02-30T00:00:00.000000Z"),
        ("lesson", "text", ""),
        ("lesson", "text", "x" * 2001),
        ("lesson", "trust", "blind"),
        ("lesson", "hash", "short"),
        ("lesson", "valid_until", "2026-02-30T00:00:00.000000Z"),
        ("prediction", "outcome", "maybe"),
        ("prediction", "due", "2026-02-30T00:00:00.000000Z"),
        ("ledger", "seq", 0),
        ("ledger", "verb", "create"),
    ],
)
def test_a_value_outside_its_field_is_refused_where_it_stands(type_, field, value):
    with pytest.raises(InvalidRecordError) as caught:
        decode_record(wire(type_, **{field: value}))
    assert caught.value.at == f"/{field}"


@pytest.mark.parametrize(("value", "at"), [(None, "/type"), (7, "/type"), ("", "/type")])
def test_a_type_that_is_no_name_is_refused(value, at):
    with pytest.raises(InvalidRecordError) as caught:
        decode_record(json.dumps({"v": "1.0", "type": value}).encode())
    assert caught.value.at == at
