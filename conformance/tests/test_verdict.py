"""Judging: what counts as the same value, the same error, the same bytes; which verdict follows."""

import base64
from typing import Any

import pytest

from remem_conformance.cases import Case, Expect, ExpectedError, Input
from remem_conformance.verdict import canonical, judge, settle

OK = {"kind": "note", "text": "a"}


def case(op: Any = "decode", level: Any = "must", **expect: Any) -> Case:
    return Case("A case.", ("OVR-001",), level, "codec", op, Input(), Expect(**expect))


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        (OK, {"text": "a", "kind": "note"}),
        (OK, OK | {"layer": "semantic"}),
        ({"kind": "surprise"}, {"kind": "surprise", "said_by": "agent"}),
        ({"turns": [{"role": "person"}]}, {"turns": [{"role": "person", "via": "prompt"}]}),
        ({"turns": [{"role": "agent"}]}, {"turns": [{"role": "agent", "calls": []}]}),
        (
            {"turns": [{"role": "agent", "calls": [{"result": {}}]}]},
            {"turns": [{"role": "agent", "calls": [{"result": {"text": ""}, "input": ""}]}]},
        ),
    ],
)
def test_defaults_spelled_out_or_left_out_are_the_same(expected, got) -> None:
    assert judge(case(ok=expected), {"ok": got}) is None
    assert judge(case(ok=got), {"ok": expected}) is None


@pytest.mark.parametrize(
    "got",
    [
        OK | {"text": "b"},
        OK | {"layer": "identity"},
        OK | {"extra": 1},
        OK | {"trigger": None},
        {"kind": "note"},
        [OK],
        None,
    ],
)
def test_another_value_is_not_the_same(got) -> None:
    assert judge(case(ok=OK), {"ok": got}) is not None


def test_an_empty_text_that_is_no_default_is_kept() -> None:
    error = {"kind": "error", "description": "", "call": ""}
    assert canonical(error) == error
    assert canonical({"role": "person", "text": ""}) == {"role": "person", "text": ""}


def test_true_is_not_one() -> None:
    assert judge(case(ok={"turns": 1}), {"ok": {"turns": True}}) is not None


def test_errors_compare_by_code_and_by_place_only_where_one_is_named() -> None:
    anywhere = case(error=ExpectedError("invalid-event"))
    here = case(error=ExpectedError("invalid-event", "/at"))
    reply = {"error": {"code": "invalid-event", "at": "/id", "message": "whatever"}}
    assert judge(anywhere, reply) is None
    assert "expected at '/at'" in (judge(here, reply) or "")
    assert "expected invalid-event" in (judge(here, {"error": {"code": "malformed"}}) or "")
    assert judge(here, {"error": "invalid-event"}) is not None
    assert "accepted" in (judge(here, {"ok": {}}) or "")
    assert "refused" in (judge(case(ok=OK), reply) or "")


@pytest.mark.parametrize("reply", [{}, {"ok": 1, "error": {"code": "internal"}}, {"skip": "later"}])
def test_a_reply_without_one_answer_is_wrong(reply) -> None:
    assert "exactly one" in (judge(case(ok=OK), reply) or "")


def test_encoded_bytes_are_decoded_strictly() -> None:
    def reply(data: bytes) -> dict[str, Any]:
        return {"ok": {"raw": base64.b64encode(data).decode()}}

    encode = case("encode", ok=OK)
    assert judge(encode, reply(b'{ "text":"\\u0061", "kind":"note"}')) is None
    assert "do not decode" in (judge(encode, reply(b'{"kind":"note","text":"b","text":"a"}')) or "")
    assert "do not decode" in (judge(encode, reply(b'{"kind":"note",\n"text":"a"}')) or "")
    assert "no base64" in (judge(encode, {"ok": {"raw": "{}"}}) or "")
    assert "no base64" in (judge(encode, {"ok": OK}) or "")
    exact = case("encode", raw=base64.b64encode(b"{ }").decode())
    assert judge(exact, reply(b"{ }")) is None
    assert "expected the bytes" in (judge(exact, reply(b"{}")) or "")


def test_a_stream_is_compared_line_by_line() -> None:
    expected = [{"line": 1, "ok": OK}, {"line": 3, "error": {"code": "malformed"}}]
    stream = case("stream", ok=expected)
    good = [{"line": 1, "ok": OK}, {"line": 3, "error": {"code": "malformed", "message": "x"}}]
    assert judge(stream, {"ok": good}) is None
    assert "lines [1, 3]" in (judge(stream, {"ok": good[:1]}) or "")
    assert "line 3" in (judge(stream, {"ok": [good[0], {"line": 3, "ok": OK}]}) or "")
    assert "line 1" in (judge(stream, {"ok": [{"line": 1, "error": {}}, good[1]]}) or "")
    assert "not a list" in (judge(stream, {"ok": OK}) or "")


def test_verdict_follows_from_level_list_and_revision() -> None:
    must, should = case(ok=OK), case(level="should", ok=OK)
    assert settle(None, must, scored=True, reason=None) == ("pass", "")
    assert settle("bad", must, scored=True, reason=None) == ("fail", "bad")
    assert settle("bad", should, scored=True, reason=None) == ("warn", "bad")
    assert settle("bad", must, scored=True, reason="known") == ("xfail", "known: bad")
    assert settle(None, must, scored=True, reason="known")[0] == "xpass"
    assert settle("bad", must, scored=False, reason=None) == ("unscored", "bad")
    assert settle(None, must, scored=False, reason=None) == ("unscored", "would pass")
