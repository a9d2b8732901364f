"""Everything out and in again: the same bytes, nothing lost, doubled or sneaked in."""

import io
import json
from collections.abc import Callable

import pytest

from remem_core import Memory
from remem_core.errors import DamagedImportError
from remem_core.lessons.identity import words_hash
from remem_core.store.connection import transaction
from remem_core.store.merging import Merger
from remem_protocol import (
    Alias,
    Correction,
    Episode,
    ExportHeader,
    LedgerEntry,
    Lesson,
    MalformedError,
    Note,
    Prediction,
    Tombstone,
    UnsupportedVersionError,
    Veto,
    content_id,
    encode,
    encode_stream,
)

AT = "2026-05-01T10:00:00.000000Z"
SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
Open = Callable[[str], Memory]


def note(text: str, minute: int = 0, **more: object) -> Note:
    at = f"2026-05-01T10:{minute:02d}:00.000000Z"
    return Note(text=text, at=at, source="owner", **more)  # type: ignore[arg-type]


def exported(memory: Memory) -> bytes:
    out = io.BytesIO()
    memory.export(out)
    return out.getvalue()


def types(data: bytes) -> list[str]:
    return [json.loads(line)["type"] for line in data.splitlines()]


def fill(memory: Memory) -> None:
    """A memory with a record of every type."""
    old = note("the port is 1", 1)
    memory.emit(
        [old, note("the port is 8417", 2, supersedes=old.id), note('ünïcode 日本語 \\ "q"')]
    )
    memory.emit([Correction(said="no, uv", cause="message", at=AT, source="owner", session="s1")])
    memory.emit([note("doomed kumquat", 9)])
    memory.recall("uv")
    memory.forget(note("doomed kumquat", 9).id)
    lesson, gone = content_id("x", ["lesson"]), content_id("x", ["gone"])
    with transaction(memory._db) as db:
        merger = Merger(db, now=AT)
        merger.put(
            Lesson(
                id=lesson,
                text="says uv",
                kind="correction",
                strength=1.5,
                seen=1,
                sources=(old.id,),
                created=AT,
                updated=AT,
                hash=words_hash("correction", "says uv"),
                origins=("a", "b"),
            ),
            None,
        )
        merger.put(
            Prediction(id=content_id("x", ["p"]), lesson=lesson, text="again", made=AT, due=AT),
            None,
        )
        merger.put(Alias(old=gone, new=lesson, at=AT), None)
        merger.put(Veto(hash=content_id("x", ["v"]), text="never", at=AT), None)
        merger.put(LedgerEntry(seq=1, at=AT, verb="VETO", subject=gone, before="b", ref="r"), None)
        db.execute(
            "insert into sessions values ('s1', 'my-agent', 'p', '/x', null, ?, ?, 2, 1, 1, ?)",
            (AT, AT, AT),
        )


def test_round_trip_through_an_empty_home_is_the_same_bytes(memory: Memory, other: Open) -> None:
    fill(memory)
    first = exported(memory)
    assert set(types(first)) == {
        "export", "tombstone", "veto", "session-entry", "episode", "lesson", "prediction",
        "alias", "ledger",
    }  # fmt: skip
    with other("second") as second:
        second.import_(io.BytesIO(first))
        assert exported(second) == first


def test_an_imported_memory_answers_like_the_one_it_came_from(memory: Memory, other: Open) -> None:
    fill(memory)
    with other("second") as second:
        second.import_(io.BytesIO(exported(memory)))
        found = [hit.text for hit in second.recall("port", at=AT[:14] + "30:00.000000Z")]
        assert "the port is 8417" in found
        assert "the port is 1" not in found  # superseded there too
        assert second.recall("kumquat") == []


def test_importing_twice_changes_nothing(memory: Memory, other: Open) -> None:
    fill(memory)
    with other("second") as second:
        second.emit([note("mine", 30)])
        second.import_(io.BytesIO(exported(memory)))
        once = exported(second)
        report = second.import_(io.BytesIO(exported(memory)))
        assert exported(second) == once
        assert (report.new, report.changed) == ({}, 0)


def test_two_memories_become_one_without_loss_or_doubling(memory: Memory, other: Open) -> None:
    memory.emit([note("common", 1), note("only here", 2)])
    with other("second") as second:
        second.emit([note("common", 1), note("only there", 3)])
        for _ in range(3):
            second.recall("common")
        memory.import_(io.BytesIO(exported(second)))
    episodes = [json.loads(line) for line in exported(memory).splitlines() if b'"episode",' in line]
    texts = [json.loads(e["event"])["text"] for e in episodes]
    assert sorted(texts) == ["common", "only here", "only there"]
    common = next(e for e in episodes if "common" in e["event"])
    assert common["recalls"] == 3
    assert common["created"].startswith("2026-06-01")  # the earlier of the two


def test_damaged_line_refuses_the_whole_import_by_number_and_code(
    memory: Memory, other: Open
) -> None:
    memory.emit([note(f"note {i}", i) for i in range(5)])
    lines = exported(memory).splitlines(keepends=True)
    lines[3] = b'{"type":"episode","v":"1.0"}\n'
    lines[4] = b"{oops\n"
    damaged = b"".join(lines)
    with other("second") as second:
        with pytest.raises(DamagedImportError, match="line 4: invalid-record") as caught:
            second.import_(io.BytesIO(damaged))
        assert [number for number, _ in caught.value.lines] == [4, 5]
        assert second.status().episodes == 0
        report = second.import_(io.BytesIO(damaged), sound_only=True)
        assert [number for number, _ in report.damaged] == [4, 5]
        assert second.status().episodes == 3


def test_stream_that_was_cut_is_refused(memory: Memory, other: Open) -> None:
    memory.emit([note(f"note {i}", i) for i in range(5)])
    lines = exported(memory).splitlines(keepends=True)
    with other("second") as second:
        with pytest.raises(DamagedImportError, match="ends before 3 of the records"):
            second.import_(io.BytesIO(b"".join(lines[:-3])))
        assert second.status().episodes == 0


@pytest.mark.parametrize("data", [b"", b"hello\n", b'{"type":"veto","v":"1.0"}\n'])
def test_what_is_no_export_is_refused(memory: Memory, data: bytes) -> None:
    with pytest.raises(MalformedError):
        memory.import_(io.BytesIO(data))


def test_export_of_a_newer_major_is_refused_as_that(memory: Memory) -> None:
    head = b'{"type":"export","v":"2.0","records":{}}\n'
    with pytest.raises(UnsupportedVersionError):
        memory.import_(io.BytesIO(head))


def test_episode_with_a_false_id_is_refused(memory: Memory, other: Open) -> None:
    memory.emit([note("true words", 1)])
    forged = exported(memory).replace(b"true words", b"fake words")
    with other("second") as second:
        with pytest.raises(DamagedImportError, match="invalid-record"):
            second.import_(io.BytesIO(forged))
        assert second.recall("words") == []
        second.import_(io.BytesIO(exported(memory)))
        assert len(second.recall("words")) == 1  # the control


def test_secret_in_an_import_is_redacted(memory: Memory, other: Open) -> None:
    event = note(f"token {SECRET} of the kumquat", 1)
    line = encode(event).decode()
    records = [
        ExportHeader(records={"episode": 1}),
        Episode(id=event.id, kind="note", event=line, created=AT),
    ]
    with other("second") as second:
        second.import_(io.BytesIO(b"".join(encode_stream(records))))
        (hit,) = second.recall("kumquat")
        assert SECRET not in hit.text
        assert SECRET.encode() not in exported(second)


def test_vetoed_lesson_and_what_hangs_on_it_stay_out(memory: Memory, other: Open) -> None:
    fill(memory)
    data = exported(memory)
    with other("second") as second:
        with transaction(second._db) as db:
            veto = Veto(hash=words_hash("correction", "says uv"), text="says uv", at=AT)
            Merger(db, now=AT).put(veto, None)
        second.import_(io.BytesIO(data))
        kinds = set(types(exported(second)))
        assert not kinds & {"lesson", "prediction", "alias"}
        assert "episode" in kinds  # the control


def test_tombstone_of_an_import_takes_nothing_that_is_here(memory: Memory, other: Open) -> None:
    memory.emit([note("keep me", 1), note("keep me too", 2)])
    with other("second") as second:
        second.emit([note("keep me", 1)])
        second.forget(note("keep me", 1).id)
        memory.import_(io.BytesIO(exported(second)))
    assert len(memory.recall("keep")) == 2
    assert b'"tombstone"' not in exported(memory)


def test_tombstones_travel_with_an_import(memory: Memory, other: Open) -> None:
    memory.emit([note("gone kumquat", 1)])
    memory.forget(note("gone kumquat", 1).id)
    with other("second") as second:
        second.import_(io.BytesIO(exported(memory)))
        assert second.emit([note("gone kumquat", 1)]).forgotten == 1
        assert second.emit([note("new kumquat", 2)]).new == 1  # the control


def test_unknown_record_types_are_counted_and_left(memory: Memory) -> None:
    stream = b'{"type":"export","v":"1.0","records":{"dream":1}}\n{"type":"dream","v":"1.3"}\n'
    assert memory.import_(io.BytesIO(stream)).unknown == 1


def test_ledger_is_joined_not_doubled(memory: Memory, other: Open) -> None:
    memory.emit([note("a", 1)])
    with other("second") as second:
        second.emit([note("b", 2)])
        second.import_(io.BytesIO(exported(memory)))
        entries = [json.loads(line) for line in exported(second).splitlines()]
    ledger = [e for e in entries if e["type"] == "ledger"]
    assert [e["seq"] for e in ledger] == [1, 2, 3]
    assert sorted(e["why"] for e in ledger) == [
        "an export imported",
        "events folded",
        "events folded",
    ]


def test_tombstone_record_keeps_its_span(memory: Memory) -> None:
    with transaction(memory._db) as db:
        stone = Tombstone(key="a" * 32, scope="time", at=AT, since=AT, until=AT)
        Merger(db, now=AT).put(stone, None)
    assert memory.emit([Note(text="in it", at=AT, source="owner")]).forgotten == 1
    assert memory.emit([note("after it", 1)]).new == 1
