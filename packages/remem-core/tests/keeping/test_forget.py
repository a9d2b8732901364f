"""What is forgotten is gone to the last byte, and does not come back on any way in."""

import io
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from remem_core import Memory
from remem_core.lessons.identity import words_hash
from remem_core.store.checking import examine
from remem_protocol import (
    AgentTurn,
    Call,
    CallResult,
    Lesson,
    Note,
    NotFoundError,
    PersonTurn,
    Session,
)

MakeNote = Callable[..., Note]
Export = Callable[[Memory], bytes]
Open = Callable[[str], Memory]
PROJECT = "git:example.org/ana/orchard"


def at(minute: int) -> str:
    return f"2026-05-01T11:{minute:02d}:00.000000Z"


def session(id_: str, words: str, *, project: str | None = None) -> Session:
    """A session in which a call failed and the person corrected the agent."""
    call = Call(
        id="c1",
        tool="Bash",
        description="",
        input="make ship",
        result=CallResult(status="failed", text=f"no rule for {words}"),
    )
    return Session(
        id=id_,
        agent="my-agent",
        project=project,
        started=at(0),
        ended=at(9),
        turns=(
            PersonTurn(at=at(0), text="ship it", via="prompt"),
            AgentTurn(at=at(1), text="Shipping.", calls=(call,)),
            PersonTurn(at=at(2), text=f"No, that is wrong: use {words}.", via="prompt"),
        ),
    )


def raw_bytes(home: Path) -> bytes:
    """Everything in a home's files, in lower case."""
    return b"".join(p.read_bytes() for p in home.rglob("*") if p.is_file()).lower()


def found(memory: Memory, query: str) -> list[str]:
    return [hit.text for hit in memory.recall(query, touch=False)]


def test_forgotten_words_are_in_no_byte_of_the_home(
    memory: Memory, home: Path, note: MakeNote
) -> None:
    memory.emit([note(f"ordinary words number {i}", i) for i in range(40)])
    memory.emit([note("the Kumquat harvest is Persimmon", 41), note("papayas stay", 42)])
    memory.snapshot()
    assert b"kumquat" in raw_bytes(home)
    assert b"persimmon" in raw_bytes(home)
    forgotten = memory.forget(note("the Kumquat harvest is Persimmon", 41).id[:8])
    assert (forgotten.episodes, forgotten.clean, len(forgotten.snapshots)) == (1, True, 1)
    there = raw_bytes(home)
    for word in (b"kumquat", b"persimmon", b"harvest"):
        assert word not in there
    assert b"papaya" in there  # the control
    assert found(memory, "papayas") == ["papayas stay"]


def test_many_forgotten_words_leave_no_byte_either(
    memory: Memory, home: Path, note: MakeNote
) -> None:
    memory.emit([note(f"zebra{i:03d} stays", i % 60, ref=str(i)) for i in range(300)])
    memory.emit(
        [note(f"quagga{i:03d} goes", i % 60, project=PROJECT, ref=str(i)) for i in range(300)]
    )
    memory.forget(project=PROJECT)
    there = raw_bytes(home)
    assert b"quagga" not in there
    assert b"orchard" not in there  # not even the project's name
    assert b"zebra299" in there


def test_words_beside_a_forgotten_thing_are_indexed_without_it(
    memory: Memory, home: Path, note: MakeNote
) -> None:
    memory.emit(
        [
            note("which port has the kumquat?", 1, session="s"),
            note("port 8417", 2, session="s"),
            note("papaya", 3, session="s"),
        ]
    )
    memory.forget(note("which port has the kumquat?", 1, session="s").id)
    assert b"kumquat" not in raw_bytes(home)
    assert examine(home / "memory.db").words == ""
    assert "port 8417" not in found(memory, "kumquat")
    assert found(memory, "papaya")[0] == "papaya"


def test_session_read_again_stays_forgotten_and_another_does_not(memory: Memory) -> None:
    sessions = [session("s1", "kumquats"), session("s2", "papayas")]
    memory.ingest(sessions)
    forgotten = memory.forget(session="s1")
    assert forgotten.episodes >= 2
    assert forgotten.sessions == 1
    again = memory.ingest(sessions)
    assert again.new == 0
    assert again.forgotten == forgotten.episodes
    assert found(memory, "kumquats") == []
    assert found(memory, "papayas") != []
    assert memory.status().sessions == 1


def test_copy_of_a_forgotten_thing_in_a_forked_session_stays_out(memory: Memory) -> None:
    memory.ingest([session("s1", "kumquats"), session("s2", "kumquats")])  # s2 is a fork of s1
    memory.forget(session="s1")
    memory.ingest([session("s2", "kumquats")])
    assert found(memory, "kumquats") == []


def test_project_forgotten_takes_its_past_not_its_future(memory: Memory, note: MakeNote) -> None:
    memory.emit([note("old kumquat", 1, project=PROJECT), note("elsewhere kumquat", 2)])
    memory.forget(project=PROJECT)
    later = Note(
        text="new kumquat", at="2026-06-01T13:00:00.000000Z", source="owner", project=PROJECT
    )
    assert memory.emit([note("another old kumquat", 3, project=PROJECT)]).forgotten == 1
    assert memory.emit([later]).new == 1
    assert found(memory, "kumquat") == ["elsewhere kumquat"]  # the later one is not yet


def test_time_forgotten_takes_what_happened_since(memory: Memory, note: MakeNote) -> None:
    memory.emit([note("early kumquat", 1), note("late kumquat", 30)])
    memory.forget(since="2026-05-01T10:20:00Z")
    assert found(memory, "kumquat") == ["early kumquat"]
    assert memory.emit([note("late kumquat", 30), note("later kumquat", 40)]).forgotten == 2
    assert memory.emit([note("earlier kumquat", 0)]).new == 1


def test_dry_run_counts_and_keeps(memory: Memory, note: MakeNote, exported: Export) -> None:
    memory.emit([note("kumquat", 1), note("papaya", 2)])
    before = exported(memory)
    forgotten = memory.forget(note("kumquat", 1).id, dry_run=True)
    assert (forgotten.episodes, forgotten.ids) == (1, (note("kumquat", 1).id,))
    assert exported(memory) == before


def test_nothing_of_that_id_is_said(memory: Memory) -> None:
    with pytest.raises(NotFoundError):
        memory.forget("abcd2345")


def test_forgetting_is_in_the_ledger_without_the_words(
    memory: Memory, note: MakeNote, exported: Export
) -> None:
    memory.emit([note("the kumquat", 1)])
    memory.forget(note("the kumquat", 1).id)
    ledger = [line for line in exported(memory).splitlines() if b'"ledger","v"' in line]
    assert b'"verb":"FORGET"' in ledger[-1]
    assert note("the kumquat", 1).id.encode() in ledger[-1]
    assert b"kumquat" not in exported(memory)


def test_old_export_does_not_bring_it_back_but_brings_the_rest(
    memory: Memory, note: MakeNote, exported: Export
) -> None:
    memory.emit([note("kumquat", 1), note("papaya", 2)])
    old = exported(memory)
    memory.forget(note("kumquat", 1).id)
    memory.forget(note("papaya", 2).id, dry_run=True)
    report = memory.import_(io.BytesIO(old))
    assert report.kept_out == 1
    assert found(memory, "kumquat") == []
    assert found(memory, "papaya") == ["papaya"]


def test_old_snapshot_does_not_bring_it_back_but_brings_the_rest(
    memory: Memory, note: MakeNote
) -> None:
    memory.emit([note("kumquat", 1), note("papaya", 2)])
    kept = memory.snapshot()
    memory.forget(note("kumquat", 1).id)
    memory.emit([note("mango", 3)])
    memory.restore(kept.name)
    assert found(memory, "kumquat") == []
    assert found(memory, "papaya") == ["papaya"]
    assert found(memory, "mango") == []


def test_surfaces_do_not_show_what_was_forgotten(memory: Memory, note: MakeNote) -> None:
    gone, control = note("kumquat", 1), note("papaya", 2)
    memory.emit([gone, control])
    memory.forget(gone.id)
    with pytest.raises(NotFoundError):
        memory.show(gone.id)
    assert memory.show(control.id).id == control.id
    assert memory.status().episodes == 1
    assert sum(memory.status().vectors.values()) == 1  # its vector went too


def test_what_a_forgotten_note_had_replaced_is_valid_again(memory: Memory, note: MakeNote) -> None:
    old = note("the port is 1", 1)
    new = note("the port is 2", 2, supersedes=old.id)
    memory.emit([old, new])
    assert found(memory, "port") == ["the port is 2"]
    memory.forget(new.id)
    assert found(memory, "port") == ["the port is 1"]


def test_lesson_that_rests_on_it_goes_with_it(
    memory: Memory,
    note: MakeNote,
    exported: Export,
    put: Callable[[Memory, Iterable[object]], None],
) -> None:
    gone, control = note("kumquat", 1), note("papaya", 2)
    memory.emit([gone, control])
    put(
        memory,
        [_lesson("a" * 32, "says kumquat", gone.id), _lesson("b" * 32, "says papaya", control.id)],
    )
    assert memory.forget(gone.id).lessons == 1
    assert b"says kumquat" not in exported(memory)
    assert b"says papaya" in exported(memory)


def _lesson(id_: str, text: str, source: str) -> Lesson:
    return Lesson(
        id=id_,
        text=text,
        kind="note",
        strength=1.0,
        seen=1,
        sources=(source,),
        created=at(0),
        updated=at(0),
        hash=words_hash("note", text),
    )
