"""Sessions: the neutral transcript (SES)."""

import json

import pytest

from remem_protocol import (
    CALL_STATUSES,
    InvalidSessionError,
    PersonTurn,
    Session,
    UnsupportedVersionError,
    decode_session,
    encode,
)

AT = "2026-03-04T09:00:00.000000Z"
CALL = {"id": "1", "tool": "Bash", "result": {"status": "ok"}}
PERSON = {"role": "person", "at": AT, "text": "Go on."}
AGENT = {"role": "agent", "at": AT, "text": "", "calls": [CALL]}
SESSION = {
    "type": "session", "v": "1.0", "id": "s", "agent": "a", "started": AT, "ended": AT,
    "turns": [PERSON, AGENT],
}  # fmt: skip


def read(**fields: object) -> Session:
    return decode_session(json.dumps(SESSION | fields).encode())


def refusal_at(**fields: object) -> str | None:
    with pytest.raises(InvalidSessionError) as caught:
        read(**fields)
    return caught.value.at


def with_call(**fields: object) -> list[dict[str, object]]:
    return [PERSON, AGENT | {"calls": [CALL | fields]}]


def test_defaults_fill_what_is_left_out():
    person, agent = read().turns
    assert person == PersonTurn(at=AT, text="Go on.", via="prompt")
    assert agent.calls[0].description == agent.calls[0].input == agent.calls[0].result.text == ""
    assert decode_session(encode(read())) == read()


@pytest.mark.parametrize("field", ["type", "id", "agent", "started", "ended", "turns"])
def test_a_required_field_must_be_there(field):
    tree = {k: v for k, v in SESSION.items() if k != field}
    with pytest.raises(InvalidSessionError) as caught:
        decode_session(json.dumps(tree).encode())
    assert caught.value.at is None


def test_another_type_is_no_session():
    assert refusal_at(type="episode") == "/type"
    assert refusal_at(type=None) == "/type"


@pytest.mark.parametrize(
    ("fields", "at"),
    [
        ({"id": ""}, "/id"),
        ({"agent": ""}, "/agent"),
        ({"id": "s" * 1025}, "/id"),
        ({"started": "2026-03-04"}, "/started"),
        ({"started": "2026-02-30T00:00:00.000000Z"}, "/started"),
        ({"ended": "2026-03-04T08:59:59.999999Z"}, "/ended"),
        ({"project": 7}, "/project"),
        ({"turns": {}}, "/turns"),
        ({"turns": [PERSON, 7]}, "/turns/1"),
        ({"turns": [PERSON | {"role": "tool"}]}, "/turns/0/role"),
        ({"turns": [{"at": AT, "text": ""}]}, "/turns/0"),
        ({"turns": [PERSON, PERSON | {"via": "shouting"}]}, "/turns/1/via"),
        ({"turns": [PERSON | {"via": None}]}, "/turns/0/via"),
        ({"turns": [PERSON | {"at": "2026-02-30T00:00:00.000000Z"}]}, "/turns/0/at"),
        ({"turns": [AGENT | {"calls": None}]}, "/turns/0/calls"),
        ({"turns": with_call(tool="t" * 1025)}, "/turns/1/calls/0/tool"),
        ({"turns": with_call(result={})}, "/turns/1/calls/0/result"),
        ({"turns": with_call(result={"status": "bad"})}, "/turns/1/calls/0/result/status"),
        ({"turns": with_call(input={"a": 1})}, "/turns/1/calls/0/input"),
    ],
)
def test_what_is_wrong_is_refused_where_it_stands(fields, at):
    assert refusal_at(**fields) == at


@pytest.mark.parametrize("status", CALL_STATUSES)
def test_every_status_of_a_call_is_read(status):
    assert (
        read(turns=with_call(result={"status": status})).turns[1].calls[0].result.status == status
    )


def test_unknown_fields_are_ignored_at_every_depth():
    turns = [PERSON | {"mood": 1}, AGENT | {"calls": [CALL | {"x": {"y": []}}]}]
    assert read(v="1.3", turns=turns, weather="fine").turns == read().turns


def test_another_major_is_refused():
    with pytest.raises(UnsupportedVersionError):
        read(v="2.0", turns=7)


def test_head_is_what_is_known_before_the_turns():
    head = read(project="p", cwd="/c", parent="q").head
    assert (head.id, head.agent, head.started) == ("s", "a", AT)
    assert (head.project, head.cwd, head.parent) == ("p", "/c", "q")
