"""Lessons, predictions and ledgers in a reply: each agrees with itself, whatever is asked."""

import base64
import json

import msgspec
import pytest

from remem_conformance.cases import Case, EntryOf, Expect, ExpectedError, Input, Step
from remem_conformance.run import fill_in
from remem_conformance.slept import entry_of, words_hash
from remem_conformance.verdict import judge
from remem_protocol import content_id

AT, LATER = "2026-03-11T03:00:00.000000Z", "2026-03-25T03:00:00.000000Z"
ID, OTHER = "jnnj5hcb4rnpuzloe6nxprumbagqrmzs", "kiiopmimamnxhzsggqxay74wnrl6v3si"
TEXT = "The person said: “Use uv, not pip.”"
LESSON = {
    "type": "lesson",
    "v": "1.0",
    "id": ID,
    "text": TEXT,
    "kind": "correction",
    "strength": 1.2000000000000002,
    "seen": 2,
    "sources": [OTHER, ID],
    "created": AT,
    "updated": AT,
    "hash": words_hash("correction", TEXT),
}
MADE = {
    "type": "prediction",
    "v": "1.0",
    "id": content_id("remem/1/prediction", [ID, AT]),
    "lesson": ID,
    "text": "It is said again.",
    "made": AT,
    "due": LATER,
}
ENTRY = {"type": "ledger", "v": "1.0", "seq": 1, "at": AT, "verb": "CREATE", "subject": ID}


def judged(op, got, given=None, **expect):
    step = Step(op, given or Input(), Expect(**expect) if expect else msgspec.UNSET)
    return judge(step, {"ok": got})


def test_lessons_are_looked_at_in_any_order_with_strengths_to_six_places() -> None:
    other = LESSON | {"id": OTHER}
    like = [{"id": ID, "strength": 1.2, "sources": sorted([ID, OTHER])}, {"id": OTHER}]
    for got in ([LESSON, other], [other, LESSON]):
        assert judged("lessons", got, match=like) is None
    assert "2 entries" in str(judged("lessons", [LESSON, other], match=[]))
    assert "stands there twice" in str(judged("lessons", [LESSON, LESSON]))


@pytest.mark.parametrize(
    ("op", "record", "why"),
    [
        ("lessons", LESSON | {"seen": 3}, "MEM-030"),
        ("lessons", LESSON | {"hash": OTHER}, "MEM-038"),
        ("lessons", LESSON | {"kind": "mood"}, "invalid-record"),
        ("lessons", MADE, "not a lesson"),
        ("predictions", MADE | {"id": OTHER}, "MEM-042"),
        ("predictions", MADE | {"outcome": "failed"}, "MEM-041"),
        ("predictions", MADE | {"due": AT}, "MEM-043"),
        ("ledger", ENTRY | {"seq": 2}, "MEM-052"),
        ("ledger", ENTRY | {"verb": "DREAM"}, "invalid-record"),
    ],
)
def test_unsound_record_fails_whatever_is_expected(op, record, why) -> None:
    assert why in str(judged(op, [record]))


def test_words_are_hashed_in_one_case_and_spacing() -> None:
    assert words_hash("correction", "  Use\tUV. ") == words_hash("correction", "use uv.")
    assert words_hash("error", "use uv.") != words_hash("correction", "use uv.")


def test_a_lessons_own_ledger_may_have_gaps() -> None:
    late = ENTRY | {"seq": 7}
    assert judged("ledger", [late], Input(id=ID), has=({"seq": 7},)) is None


def test_sides_of_an_entry_are_records_by_name_or_what_else_stands_there() -> None:
    told = ENTRY | {"after": json.dumps([MADE, LESSON]), "before": "[redacted"}
    like = {"after": [{"id": ID, "strength": 1.2}, {"id": MADE["id"]}], "before": "[redacted"}
    assert judged("ledger", [told], has=(like,)) is None
    faded = ENTRY | {"after": json.dumps({"faded": [ID]})}
    assert judged("ledger", [faded], has=({"after": {"faded": [ID]}, "before": None},)) is None


def test_export_is_spelled_like_the_lists() -> None:
    head = {"type": "export", "v": "1.0", "records": {"lesson": 1}}
    raw = b"".join(json.dumps(record).encode() + b"\n" for record in (head, LESSON))
    got = {"raw": base64.b64encode(raw).decode()}
    assert judged("export", got, has=({"type": "lesson", "strength": 1.2},)) is None


def test_entry_is_the_last_of_its_verb_and_subject() -> None:
    ledger = [ENTRY, ENTRY | {"seq": 2, "subject": OTHER}, ENTRY | {"seq": 3, "verb": "VETO"}]
    assert entry_of(EntryOf(1, "CREATE"), [ledger]) == 2
    assert entry_of(EntryOf(1, "CREATE", ID), [ledger]) == 1
    assert entry_of(EntryOf(1, "MERGE"), [ledger]) is None


def test_request_carries_the_number_of_an_entry_or_fails() -> None:
    for verb, seq, wrong in (("CREATE", 1, None), ("MERGE", None, "no MERGE in the ledger")):
        given = Input(now=AT, seq_of=EntryOf(1, verb))
        request = {"now": AT, "seq_of": {"step": 1, "verb": verb}}
        why = fill_in(request, given, [[ENTRY]])
        assert (request, wrong is None) == ({"now": AT, "seq": seq}, why is None)
        assert why is None or wrong in why


def test_the_change_in_the_way_has_to_be_named() -> None:
    error = ExpectedError("not-found", later=EntryOf(1, "CREATE"))
    step = Step("undo", Input(now=AT, seq=1), Expect(error=error))
    assert judge(step, {"error": {"code": "not-found", "later": 1}}, [[ENTRY]]) is None
    assert "/later" in str(judge(step, {"error": {"code": "not-found"}}, [[ENTRY]]))


def test_an_entry_can_only_be_of_a_step_before() -> None:
    def case(number: int) -> Case:
        given = Input(now=AT, seq_of=EntryOf(number, "CREATE"))
        step = Step("ledger", Input(now=AT))
        return Case("", ("X",), "must", "sleep", "undo", given, Expect(match={}), (step,))

    assert len(case(1).steps) == 2
    with pytest.raises(ValueError, match="not before it"):
        case(2)
