"""`lessons`, `ledger`, `undo`, `veto`, `unveto`: what a person reads of what was learned."""

from collections.abc import Callable
from typing import Any

import pytest

from remem_core import Memory
from remem_core.lessons.changes import Change, revised
from remem_core.lessons.identity import lesson_id, prediction_id, words_hash
from remem_core.lessons.sources import source_of
from remem_core.lessons.wording import tell
from remem_core.store import changing
from remem_core.store.connection import transaction
from remem_protocol import Correction, Lesson, Prediction

Run = Callable[..., Any]
NIGHT, NEXT = "2026-05-02T03:00:00.000000Z", "2026-05-03T03:00:00.000000Z"


@pytest.fixture
def learned(machine: object) -> Lesson:
    """A lesson that was said twice and expects a third time."""
    events = [
        Correction(
            said=said, cause="message", at=f"2026-05-0{day}T10:00:00.000000Z", source="owner"
        )
        for day, said in ((1, "Use uv here, not pip."), (2, "uv, not pip, I said."))
    ]
    first, second = (source_of(event) for event in events)
    assert first is not None
    assert second is not None
    text = tell("correction", [first])
    old = Lesson(
        id=lesson_id("correction", None, first.id),
        text=text,
        kind="correction",
        strength=1.0,
        seen=1,
        sources=(first.id,),
        created=NIGHT,
        updated=NIGHT,
        hash=words_hash("correction", text),
    )
    new = revised(old, sources=(first.id, second.id), strength=1.5, updated=NEXT)
    expects = Prediction(
        id=prediction_id(old.id, NEXT),
        lesson=old.id,
        text="The person will say uv again.",
        made=NEXT,
        due="2999-01-01T00:00:00.000000Z",
    )
    with Memory.open() as memory:
        memory.emit(events)
        with transaction(memory._db) as db:
            for change in (
                Change(verb="CREATE", subject=old.id, at=NIGHT, after=(old,), why="said"),
                Change(verb="CORROBORATE", subject=old.id, at=NEXT, before=(old,), after=(new,)),
                Change(verb="PREDICT", subject=expects.id, at=NEXT, after=(expects,)),
            ):
                changing.apply(db, change, unwanted=None)
    return new


def test_lessons_quote_and_say_what_they_rest_on_and_expect(run: Run, learned: Lesson) -> None:
    ran = run("lessons")
    assert ran.code == 0
    assert "“Use uv here, not pip.”" in ran.out
    assert "every project · seen 2 times · strength 1.50" in ran.out
    assert "expects by 2999-01-01: The person will say uv again." in ran.out


def test_lessons_say_what_to_do_when_there_are_none(run: Run) -> None:
    assert "remem sleep" in run("lessons").out
    assert run("lessons", "--json").json == {"lessons": []}
    assert run("ledger").out == "Nothing has changed yet.\n"
    assert run("unveto").out == "No veto holds.\n"


def test_show_tells_a_lesson_with_its_sources(run: Run, learned: Lesson) -> None:
    out = run("show", learned.id[:8]).out
    for told in (learned.id, learned.hash, "uv, not pip, I said.", learned.sources[1][:8]):
        assert told in out


def test_ledger_tells_a_life_by_what_changed(run: Run, learned: Lesson) -> None:
    for argv in (("ledger", learned.id[:8]), ("history", learned.id[:8])):
        out = run(*argv).out
        assert "CREATE" in out
        assert "sources: 1 → 2" in out
        assert "strength: 1.00 → 1.50" in out
        assert "prediction: The person will say uv again." in out
    assert [e["verb"] for e in run("ledger", "--limit", "1", "--json").json["ledger"]] == [
        "PREDICT"
    ]
    assert run("ledger", "zzzzzz").err.startswith("remem: not-found: ")


def test_undo_names_what_is_in_the_way_and_takes_back_the_last(run: Run, learned: Lesson) -> None:
    numbers = {e["verb"]: e["seq"] for e in run("ledger", learned.id, "--json").json["ledger"]}
    refused = run("undo", str(numbers["CREATE"]))
    assert refused.code == 1
    assert f"change {numbers['CORROBORATE']} (CORROBORATE)" in refused.err
    assert run("undo", str(numbers["CORROBORATE"])).code == 0
    assert run("lessons", "--json").json["lessons"][0]["seen"] == 1
    assert run("undo", "many").code == 2


def test_veto_says_how_to_lift_it_and_unveto_brings_it_back(run: Run, learned: Lesson) -> None:
    ran = run("veto", learned.id[:8])
    assert f"remem unveto {learned.id[:8]}" in ran.out
    assert run("lessons", "--json").json["lessons"] == []
    assert "Use uv here" in run("unveto").out
    assert "It is back." in run("unveto", learned.id[:8]).out
    assert run("lessons", "--json").json["lessons"][0]["id"] == learned.id
    assert run("unveto", learned.id[:8]).code == 1
