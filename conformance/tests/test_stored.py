"""A store's replies: sound whatever the case is about, told in steps, compared where named."""

import base64
import json

import msgspec
import pytest

from remem_conformance.cases import Case, Expect, Input, Step
from remem_conformance.stored import judge_stored

AT = "2026-03-04T09:00:00.000000Z"
ID = "jnnj5hcb4rnpuzloe6nxprumbagqrmzs"
EVENT = {
    "kind": "note",
    "v": "1.0",
    "id": ID,
    "at": AT,
    "source": "owner",
    "text": "The orchard service listens on port 8417.",
}
EPISODE = {
    "type": "episode",
    "v": "1.0",
    "id": ID,
    "kind": "note",
    "event": json.dumps(EVENT),
    "created": AT,
}
STONE = {"type": "tombstone", "v": "1.0", "key": ID, "scope": "episode", "at": AT}
OTHER = "kiiopmimamnxhzsggqxay74wnrl6v3si"


def judged(op, got, before=(), given=None, **expect):
    expected = Expect(**expect) if expect else msgspec.UNSET
    return judge_stored(Step(op, given or Input(), expected), got, before)


def exported(*records, promised=None):
    counted = {r["type"]: sum(o["type"] == r["type"] for o in records) for r in records}
    head = {"type": "export", "v": "1.0", "records": promised or counted}
    data = b"".join(json.dumps(record).encode() + b"\n" for record in (head, *records))
    return {"raw": base64.b64encode(data).decode()}


def test_episode_is_looked_at_with_its_event() -> None:
    assert judged("show", EPISODE, match={"id": ID, "event": {"text": EVENT["text"]}}) is None
    assert judged("show", EPISODE, near={"strength": 1.0}) is None
    assert judged("show", EPISODE, near={"strength": 1.1}) == "/strength: 1.0, expected 1.1"
    wrong = judged("show", EPISODE, match={"event": {"layer": "identity"}})
    assert str(wrong).startswith("/event/layer")


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"id": OTHER}, "MEM-002"),
        ({"kind": "error"}, "MEM-002"),
        ({"event": "{}"}, "invalid-event"),
        ({"created": "yesterday"}, "invalid-record"),
        ({"type": "mood"}, "not an episode"),
    ],
)
def test_unsound_episode_fails_whatever_is_expected(changes, why) -> None:
    assert why in str(judged("show", EPISODE | changes))
    assert why in str(judged("history", [EPISODE | changes]))


def test_hits_are_looked_for_in_any_order_and_the_first_where_named() -> None:
    hits = [{"id": ID, "kind": "note"}, {"id": OTHER, "kind": "error"}]
    assert judged("recall", hits, has=({"id": OTHER}, {"id": ID}), lacks=({"kind": "x"},)) is None
    assert judged("recall", hits, first={"id": ID}) is None
    assert str(judged("recall", hits, first={"id": OTHER})).startswith("/0/id")
    assert "nothing, expected" in str(judged("recall", [], first={"id": OTHER}))
    assert "nothing like" in str(judged("recall", hits, has=({"kind": "x"},)))
    assert "something like" in str(judged("recall", hits, lacks=({"kind": "error"},)))


def test_hits_are_one_a_thing_and_no_more_than_asked_for() -> None:
    assert "an id each" in str(judged("recall", [{"id": ID}, {"id": ID}]))
    assert "an id each" in str(judged("recall", [{"kind": "note"}]))
    assert "at most 0" in str(judged("recall", [{"id": ID}], given=Input(limit=0)))
    assert "not a list" in str(judged("recall", {}))


def test_words_are_looked_for_in_the_whole_reply() -> None:
    assert judged("recall", [{"id": ID, "text": "порт"}], says=("порт",)) is None
    assert "does not say" in str(judged("recall", [{"id": ID}], says=("порт",)))
    assert "says 'orchard'" in str(judged("export", exported(EPISODE), silent=("orchard",)))


@pytest.mark.parametrize(
    ("got", "why"),
    [
        (exported(EPISODE, STONE), "MEM-071"),
        (exported(EPISODE, promised={"episode": 2}), "MEM-070"),
        ({"raw": base64.b64encode(json.dumps(EPISODE).encode()).decode()}, "MEM-070"),
        ({"raw": ""}, "MEM-070"),
        ({"raw": "="}, "no base64"),
        ({}, "no base64"),
        ({"raw": base64.b64encode(b"\xff").decode()}, "no base64 of UTF-8"),
        (exported({**STONE, "scope": "mood"}), "invalid-record"),
    ],
)
def test_unsound_export_fails_whatever_is_expected(got, why) -> None:
    assert why in str(judged("export", got))


def test_bytes_are_compared_with_those_of_an_earlier_step() -> None:
    one, two = exported(EPISODE), exported(STONE, EPISODE)
    assert judged("export", one, [None, one], raw_of=2) is None
    assert "step 1" in str(judged("export", one, [two], raw_of=1))


def test_step_can_only_name_one_before_it() -> None:
    def case(number: int) -> Case:
        step = Step("export", Input())
        return Case("", ("X",), "must", "store", "import", Input(raw_of=number), Expect(match={}),
                    (step,))  # fmt: skip

    assert len(case(1).steps) == 2
    for number in (0, 2):
        with pytest.raises(ValueError, match="not before it"):
            case(number)
