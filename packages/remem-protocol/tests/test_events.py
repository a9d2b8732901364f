"""Events: their shapes, their ids, what is refused (EVT)."""

import datetime
import json

import pytest

from remem_protocol import (
    EVENT_KINDS,
    SOURCES,
    Correction,
    Failure,
    InvalidEventError,
    MalformedError,
    Note,
    SessionSummary,
    Surprise,
    UnsupportedVersionError,
    content_id,
    decode_event,
    encode,
    replace_event,
)

AT = "2026-03-04T09:00:00.000000Z"
LATER = "2026-03-04T09:00:00.000001Z"
LEAST = {
    "correction": {"said": "", "cause": "refusal"},
    "error": {"tool": "Bash", "failure": "Exit code 1"},
    "environment": {"tool": "Bash", "failure": "Exit code 1"},
    "surprise": {"statement": "It was taken."},
    "note": {"text": "The port is 8417."},
    "session": {"gist": "", "turns": 0, "started": AT, "ended": AT},
    "handback": {"act": "offer", "answer": "approved"},
}


def wire(kind: str, **fields: object) -> bytes:
    common = {"v": "1.0", "kind": kind, "at": AT, "source": "owner"}
    return json.dumps(common | LEAST[kind] | fields).encode()


def refusal(line: bytes) -> tuple[str, str | None]:
    with pytest.raises((InvalidEventError, MalformedError, UnsupportedVersionError)) as caught:
        decode_event(line)
    return caught.value.code, caught.value.at


def test_the_kinds_are_these():
    assert set(EVENT_KINDS) == set(LEAST)


@pytest.mark.parametrize("kind", EVENT_KINDS)
def test_the_least_of_each_kind_is_read_and_written(kind):
    event = decode_event(wire(kind))
    assert event.kind == kind
    assert decode_event(encode(event)) == event


@pytest.mark.parametrize(
    ("kind", "field"), [(k, f) for k in LEAST for f in ("at", "source", *LEAST[k])]
)
def test_a_required_field_must_be_there_and_of_its_type(kind, field):
    tree = json.loads(wire(kind))
    del tree[field]
    assert refusal(json.dumps(tree).encode()) == ("invalid-event", None)
    assert refusal(wire(kind, **{field: None})) == ("invalid-event", f"/{field}")
    assert refusal(wire(kind, **{field: [1]})) == ("invalid-event", f"/{field}")


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("note", "source", "friend"),
        ("note", "layer", "episodic"),
        ("note", "layer", None),
        ("note", "text", ""),
        ("note", "ref", "r" * 201),
        ("note", "project", "p" * 1025),
        ("note", "supersedes", "not-an-id"),
        ("note", "supersedes", ""),
        ("note", "valid_from", "2026-02-30T00:00:00.000000Z"),
        ("note", "valid_until", "2026-03-04"),
        ("correction", "cause", "prompt"),
        ("correction", "ended", "maybe"),
        ("error", "tool", ""),
        ("error", "failure", ""),
        ("surprise", "said_by", "owner"),
        ("surprise", "statement", ""),
        ("session", "turns", -1),
        ("session", "turns", 3.0),
        ("session", "turns", "3"),
        ("session", "turns", True),
        ("session", "started", "2026-02-30T00:00:00.000000Z"),
        ("handback", "act", "none"),
        ("handback", "answer", "yes"),
    ],
)
def test_a_value_outside_its_field_is_refused_where_it_stands(kind, field, value):
    assert refusal(wire(kind, **{field: value})) == ("invalid-event", f"/{field}")


def test_lengths_are_counted_in_characters():
    assert decode_event(wire("note", ref="😀" * 200)).ref == "😀" * 200


def test_null_in_an_optional_field_is_its_absence():
    assert decode_event(wire("note", project=None, trigger=None)) == decode_event(wire("note"))


def test_an_interval_does_not_end_before_it_begins():
    assert refusal(wire("note", valid_from=LATER, valid_until=AT)) == (
        "invalid-event",
        "/valid_until",
    )
    assert refusal(wire("session", started=LATER, ended=AT)) == ("invalid-event", "/ended")
    assert decode_event(wire("note", valid_from=AT, valid_until=AT)).valid_from == AT
    assert decode_event(wire("note", valid_until=AT)).valid_until == AT


def test_version_is_judged_before_kind_and_fields():
    assert refusal(wire("note", v="2.0", at=4)) == ("unsupported-version", "/v")
    assert refusal(b'{"v":"2.0","kind":"dream"}') == ("unsupported-version", "/v")
    assert refusal(b'{"v":"one","kind":"dream"}') == ("malformed", "/v")
    assert refusal(b'{"v":1.0,"kind":"dream"}') == ("invalid-event", "/v")
    assert refusal(b'{"kind":"dream"}') == ("invalid-event", "/v")


@pytest.mark.parametrize(("kind", "at"), [(None, "/kind"), (7, "/kind"), ("", "/kind")])
def test_a_kind_that_is_no_name_is_refused(kind, at):
    assert refusal(json.dumps({"v": "1.0", "kind": kind}).encode()) == ("invalid-event", at)


def test_unknown_fields_of_a_newer_minor_are_ignored():
    newer = decode_event(wire("note", v="1.7", mood="calm"))
    assert newer.v == "1.7"
    assert newer.id == decode_event(wire("note")).id
    assert b"mood" not in encode(newer)


def test_id_is_that_of_kind_project_session_time_and_words():
    event = Failure(
        at=AT, source="tool", tool="Bash", call="make", failure="no rule", project="p", session="s"
    )
    words = ["Bash", None, "make", "no rule"]
    assert event.id == content_id("remem/1/event", ["error", "p", "s", AT, *words])


def test_a_wrong_id_is_refused_and_an_empty_one_computed():
    right = decode_event(wire("note")).id
    assert decode_event(wire("note", id=right)).id == right
    assert decode_event(wire("note", id="")).id == right
    assert refusal(wire("note", id="a" * 32)) == ("invalid-event", "/id")
    assert refusal(wire("note", id="a")) == ("invalid-event", "/id")


def test_a_better_reading_of_the_session_keeps_the_id():
    plain = Correction(at=AT, source="owner", said="No.", cause="message")
    better = replace_event(plain, agent_did="deleted it", ended="offer", cause="steering")
    assert better.id == plain.id
    assert better != plain


@pytest.mark.parametrize(
    "change", [{"at": LATER}, {"project": "p"}, {"session": "s"}, {"said": "n"}]
)
def test_other_content_is_another_event(change):
    plain = Correction(at=AT, source="owner", said="No.", cause="message")
    assert replace_event(plain, **change).id != plain.id


def test_a_summary_keeps_its_id_while_the_session_grows():
    first = SessionSummary(at=AT, source="tool", gist="", turns=1, started=AT, ended=AT)
    grown = replace_event(first, gist="more", turns=9, ended=LATER)
    assert grown.id == first.id


def test_kinds_with_equal_words_are_different_events():
    fields = {"at": AT, "source": "agent"}
    assert Surprise(statement="x", **fields).id != Note(text="x", **fields).id


def test_a_datetime_is_taken_and_respelled_and_a_naive_one_is_not():
    moment = datetime.datetime(2026, 3, 4, 9, tzinfo=datetime.UTC)
    note = Note(at=moment, source="owner", text="x", valid_from=moment)
    assert (note.at, note.valid_from) == (AT, AT)
    with pytest.raises(InvalidEventError, match="zone"):
        Note(at=moment.replace(tzinfo=None), source="owner", text="x")


def test_authority_falls_from_the_owner_to_strangers():
    assert SOURCES == ("owner", "tool", "agent", "external")
