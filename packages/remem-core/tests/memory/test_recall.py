"""What comes back, and what must not: each refusal stands beside a control that does come."""

import datetime

import pytest

from remem_core import Memory
from remem_protocol import Correction, Note

DAY = datetime.datetime(2026, 5, 1, tzinfo=datetime.UTC)


def note(text: str, *, days: int = 0, **more: object) -> Note:
    return Note(text=text, at=DAY + datetime.timedelta(days=days), source="owner", **more)  # type: ignore[arg-type]


def texts(memory: Memory, query: str, **more: object) -> list[str]:
    return [hit.text for hit in memory.recall(query, touch=False, **more)]  # type: ignore[arg-type]


def test_identifier_is_found_among_its_decoys(memory: Memory) -> None:
    memory.emit(
        note(f"vault record amber-raven-{i:05d}, pin {i * 7}", days=i % 20) for i in range(300)
    )
    found = texts(memory, "what is the pin of amber-raven-00123?", limit=1)
    assert found == ["vault record amber-raven-00123, pin 861"]


def test_project_scope_hides_other_projects_and_shows_its_own(memory: Memory) -> None:
    memory.emit([note("deploy with make ship", project="a"), note("deploy by hand", project="b")])
    memory.emit([note("deploy on no Friday")])
    assert sorted(texts(memory, "deploy", project="a")) == [
        "deploy on no Friday",
        "deploy with make ship",
    ]
    assert texts(memory, "deploy", project="nowhere") == ["deploy on no Friday"]


def test_scope_holds_when_only_meaning_would_find_it(memory: Memory) -> None:
    memory.emit([note("the database password rotates weekly", project="b")])
    assert texts(memory, "the database password rotates weekly", project="a") == []
    assert len(texts(memory, "the database password rotates weekly", project="b")) == 1


def test_kind_layer_and_time_narrow(memory: Memory) -> None:
    memory.emit(
        [
            note("tabs not spaces", layer="identity"),
            note("tabs were discussed", days=5),
            Correction(said="no, tabs!", cause="message", at=DAY, source="owner"),
        ]
    )
    assert texts(memory, "tabs", kinds=["correction"]) == ["no, tabs!"]
    assert texts(memory, "tabs", layers=["identity"]) == ["tabs not spaces"]
    assert texts(memory, "tabs", since=DAY + datetime.timedelta(days=1)) == ["tabs were discussed"]
    assert len(texts(memory, "tabs", until=DAY + datetime.timedelta(days=1))) == 2


def test_expired_and_future_notes_stay_silent_but_answer_for_their_time(memory: Memory) -> None:
    memory.emit(
        [
            note("port is 80", valid_until="2026-05-10T00:00:00.000000Z"),
            note("port is 81", valid_from="2026-05-10T00:00:00.000000Z"),
            note("port is 82", valid_from="2026-12-01T00:00:00.000000Z"),
        ]
    )
    assert texts(memory, "port") == ["port is 81"]
    assert texts(memory, "port", at="2026-05-05T00:00:00Z") == ["port is 80"]


def test_superseded_note_does_not_come_back(memory: Memory) -> None:
    old = note("staging runs on port 80")
    memory.emit([old])
    assert texts(memory, "staging") == ["staging runs on port 80"]
    memory.emit([note("staging runs on port 81", days=1, supersedes=old.id)])
    assert texts(memory, "staging") == ["staging runs on port 81"]


def test_touch_strengthens_up_to_a_cap(memory: Memory) -> None:
    memory.emit([note("remember the milk")])
    for _ in range(15):
        memory.recall("milk")
    [hit] = memory.recall("milk", touch=False)
    episode = memory.show(hit.id)
    assert episode.strength == pytest.approx(2.0)
    assert episode.recalls == 15
    assert episode.touched == "2026-06-01T12:00:00.000000Z"


def test_what_was_recalled_often_comes_no_earlier_for_it(memory: Memory) -> None:
    memory.emit([note("gate 11 opens at dawn"), note("gate 12 opens at dawn", days=3)])
    newer_first = ["gate 12 opens at dawn", "gate 11 opens at dawn"]
    assert texts(memory, "opens dawn") == newer_first
    for _ in range(12):
        memory.recall("gate 11", limit=1)
    assert texts(memory, "opens dawn") == newer_first


def test_question_without_touch_changes_nothing(memory: Memory) -> None:
    memory.emit([note("remember the milk")])
    [hit] = memory.recall("milk", touch=False)
    assert memory.show(hit.id).recalls == 0


def test_recent_thing_comes_before_an_old_one_that_says_the_same(memory: Memory) -> None:
    memory.emit([note("lint before push"), note("lint before push", days=29)])
    ats = [hit.at for hit in memory.recall("lint before push", touch=False)]
    assert ats == sorted(ats, reverse=True)


@pytest.mark.parametrize("query", ["", "???", "'; drop table episodes; --", 'a "b', "NEAR(x y)"])
def test_odd_question_is_answered_or_silent_never_an_error(memory: Memory, query: str) -> None:
    memory.emit([note("something else entirely")])
    assert isinstance(memory.recall(query), list)


def test_answer_tells_its_parts_and_its_origin(memory: Memory) -> None:
    memory.emit([note("kubectl needs --context", project="p", session="s9", ref="mail-7")])
    [hit] = memory.recall("kubectl")
    assert (hit.ref, hit.project, hit.session, hit.kind) == ("mail-7", "p", "s9", "note")
    assert 0 < hit.score <= 1
    assert hit.parts.keyword == 1.0
    assert hit.parts.cosine is not None
