"""Partial values: what a case names must be so, what it leaves out may be anything."""

import pytest

from remem_conformance.cases import Expect
from remem_conformance.neutral import judge_events, judge_sessions
from remem_conformance.partial import difference

AT = "2026-03-04T09:00:00.000000Z"
SESSION = {"type": "session", "v": "1.0", "id": "s-1", "agent": "a", "started": AT, "ended": AT}
WORDS = {"role": "person", "at": AT, "text": "Go."}


@pytest.mark.parametrize(
    ("expected", "got", "place"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, None),
        ({"a": None}, {"b": 2}, None),
        ({"a": None}, {"a": 1}, "/a"),
        ({"a": {"b": [1, {"c": 2}]}}, {"a": {"b": [1, {"c": 3}]}}, "/a/b/1/c"),
        ([1], [1, 2], "/"),
        ({"a": True}, {"a": 1}, "/a"),
    ],
)
def test_difference_is_told_with_its_place(expected, got, place) -> None:
    wrong = difference(expected, got)
    assert wrong is None if place is None else str(wrong).startswith(f"{place}:")


def session(*turns, **fields):
    return {**SESSION, "turns": list(turns), **fields}


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        ({**WORDS, "via": "prompt"}, WORDS),
        (WORDS, {**WORDS, "text": " Go.\n"}),
        (WORDS, {**WORDS, "text": "Go.\ufffd"}),
    ],
)
def test_what_the_text_leaves_open_is_no_difference(expected, got) -> None:
    wanted = {"sessions": [{"turns": [expected]}]}
    assert judge_sessions(wanted, {"sessions": [session(got)]}) is None


def test_sessions_are_compared_in_any_order_and_none_is_left_over() -> None:
    two = [session(WORDS, id="s-2"), session()]
    wanted = [{"id": "s-1", "turns": []}, {"turns": [{"text": "Go."}]}]
    assert judge_sessions({"sessions": wanted}, {"sessions": two}) is None
    assert "nobody expects" in str(judge_sessions({"sessions": wanted[:1]}, {"sessions": two}))
    assert "there is none" in str(judge_sessions({"sessions": wanted}, {"sessions": []}))


def test_counts_are_compared_where_the_case_names_them() -> None:
    got = {"sessions": [], "damaged": 2, "failed": ["a"]}
    assert judge_sessions({"sessions": [], "damaged": 2}, got) is None
    assert str(judge_sessions({"sessions": [], "damaged": 1}, got)).startswith("/damaged")


def test_events_that_must_be_there_are_found_in_their_order(spoken) -> None:
    first, second = {"kind": "note", "text": "one"}, {"kind": "note", "text": "two"}
    reply = spoken("one", "two")
    assert judge_events(Expect(has=(first, second)), SESSION, reply) is None
    assert "no event like" in str(judge_events(Expect(has=(second, first)), SESSION, reply))
    assert "an event like" in str(judge_events(Expect(lacks=(second,)), SESSION, reply))
    assert judge_events(Expect(lacks=({"text": "three"},)), SESSION, reply) is None


@pytest.fixture
def spoken():
    """Give the events of a session that holds these notes."""
    from conformance.generate.shapes import event, with_id

    def make(*texts):
        head = {"session": "s-1", "agent": "a"}
        notes = [with_id(event("note", text=text, **head)) for text in texts]
        times = {"turns": 0, "started": AT, "ended": AT}
        return [*notes, with_id(event("session", gist="", **times, **head))]

    return make
