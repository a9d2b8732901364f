"""Snapshots: what was, kept as it was, and laid back as a whole or not at all."""

import contextlib
import io
import json
import sqlite3
import stat
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from remem_core import Memory
from remem_core.embed import Embedder
from remem_core.errors import DamagedSnapshotError, NewerStoreError
from remem_core.keeping.packing import pack, unpack
from remem_core.lessons.identity import words_hash
from remem_core.store.connection import SCHEMA_VERSION, connect
from remem_protocol import Lesson, Note, NotFoundError, Record, Veto

MakeNote = Callable[..., Note]
Export = Callable[[Memory], bytes]
Open = Callable[[str], Memory]
Put = Callable[[Memory, Iterable[Record]], None]


def episodes(data: bytes) -> list[bytes]:
    return [line for line in data.splitlines() if line.startswith(b'{"type":"episode"')]


def test_snapshot_is_private_with_a_manifest_that_fits(
    memory: Memory, home: Path, note: MakeNote
) -> None:
    memory.emit([note("kumquat", 1)])
    kept = memory.snapshot("a reason")
    assert stat.S_IMODE((home / "snapshots").stat().st_mode) == 0o700
    there = sorted((home / "snapshots").iterdir())
    assert [p.suffix for p in there] == [".db", ".json"]
    assert {stat.S_IMODE(p.stat().st_mode) for p in there} == {0o600}
    manifest = json.loads(there[1].read_text())
    assert (manifest["why"], manifest["schema"]) == ("a reason", SCHEMA_VERSION)
    assert manifest["counts"]["episode"] == 1
    assert manifest["bytes"] == there[0].stat().st_size
    memory.snapshots.check(kept)


def test_two_snapshots_of_one_second_are_two(memory: Memory) -> None:
    first, second = memory.snapshot(), memory.snapshot()
    assert first.name != second.name
    assert [s.name for s in memory.snapshots.all()] == [first.name, second.name]


def test_restoring_gives_back_what_was_and_keeps_what_it_replaces(
    memory: Memory, note: MakeNote, exported: Export
) -> None:
    memory.emit([note("kumquat", 1), note("papaya", 2)])
    memory.recall("kumquat")
    then = episodes(exported(memory))
    kept = memory.snapshot()
    memory.emit([note("mango", 3)])
    for _ in range(3):
        memory.recall("kumquat")
    now = episodes(exported(memory))
    replaced, _ = memory.restore(kept.name)
    assert episodes(exported(memory)) == then
    assert memory.recall("mango", touch=False) == []
    memory.restore(replaced.name)
    assert episodes(exported(memory)) == now
    assert len(memory.recall("mango")) == 1


def test_restoring_leaves_the_ledger_longer_never_shorter(
    memory: Memory, note: MakeNote, exported: Export
) -> None:
    kept = memory.snapshot()
    memory.emit([note("kumquat", 1)])
    memory.restore(kept.name)
    verbs = [
        json.loads(line)["verb"]
        for line in exported(memory).splitlines()
        if b'"ledger","v"' in line
    ]
    assert verbs == ["CREATE", "RESTORE"]


def test_another_process_sees_the_restored_memory(
    memory: Memory, home: Path, hashed: Embedder, note: MakeNote
) -> None:
    memory.emit([note("kumquat", 1)])
    kept = memory.snapshot()
    memory.emit([note("papaya", 2)])
    with Memory.open(home, embedder=hashed) as running:
        assert len(running.recall("papaya")) == 1
        memory.restore(kept.name)
        assert running.recall("papaya") == []
        assert [hit.text for hit in running.recall("kumquat")] == ["kumquat"]
        running.emit([note("mango", 3)])
    assert [hit.text for hit in memory.recall("mango")] == ["mango"]


def test_restored_memory_is_found_by_words_and_by_meaning(memory: Memory, note: MakeNote) -> None:
    memory.emit([note("the orchard listens on port 8417", 1)])
    kept = memory.snapshot()
    memory.forget(since="2030-01-01T00:00:00Z")
    other = memory.emit([note("something else", 2)])
    assert other.new == 1
    memory.restore(kept.name)
    (hit,) = memory.recall("orchard port")
    assert hit.parts.cosine is not None


def test_changed_byte_is_refused_and_nothing_changes(
    memory: Memory, note: MakeNote, exported: Export
) -> None:
    memory.emit([note("kumquat", 1)])
    kept = memory.snapshot()
    memory.emit([note("papaya", 2)])
    before = exported(memory)
    data = bytearray(Path(kept.path).read_bytes())
    data[-100] ^= 1
    Path(kept.path).write_bytes(data)
    with pytest.raises(DamagedSnapshotError, match="not the bytes that were kept"):
        memory.restore(kept.name)
    assert exported(memory) == before


def test_cut_or_missing_file_is_listed_as_damaged(memory: Memory, note: MakeNote) -> None:
    memory.emit([note("kumquat", 1)])
    cut, missing, sound = memory.snapshot(), memory.snapshot(), memory.snapshot()
    Path(cut.path).write_bytes(Path(cut.path).read_bytes()[:5000])
    Path(missing.path).unlink()
    said = {s.name: s.damaged for s in memory.snapshots.all()}
    assert "5,000" in said[cut.name]
    assert said[missing.name] == "its file is missing"
    assert said[sound.name] == ""
    with pytest.raises(DamagedSnapshotError):
        memory.restore(cut.name)


def test_interrupted_copy_is_no_snapshot(memory: Memory, home: Path) -> None:
    memory.snapshot()
    (home / "snapshots" / ".abc.part").write_bytes(b"half")
    (home / "snapshots" / "2026-01-01T00-00-00Z.db").write_bytes(b"")
    assert len(memory.snapshots.all()) == 1
    assert len(memory.snapshots.leftovers()) == 2


def test_newer_snapshot_is_refused(memory: Memory, note: MakeNote) -> None:
    memory.emit([note("kumquat", 1)])
    with memory.snapshots.part() as part:
        copied = memory.snapshot()
        part.write_bytes(Path(copied.path).read_bytes())
        db = connect(part)
        db.execute(f"pragma user_version = {SCHEMA_VERSION + 1}")
        db.execute("pragma journal_mode = delete")
        db.close()
        newer = memory.snapshots.keep(part, "2027-01-01T00-00-00Z", copied.made, "")
    with pytest.raises(NewerStoreError, match="upgrade remem"):
        memory.restore(newer.name)
    assert len(memory.recall("kumquat")) == 1


def test_unknown_name_is_said_and_latest_is_one(memory: Memory) -> None:
    with pytest.raises(NotFoundError, match="snapshot list"):
        memory.restore("latest")
    memory.snapshot()
    memory.restore("latest")


def test_packed_snapshot_goes_to_another_home(
    memory: Memory, note: MakeNote, other: Open, exported: Export
) -> None:
    memory.emit([note("kumquat", 1)])
    packed = io.BytesIO()
    pack(memory.snapshots, memory.snapshot().name, packed)
    with other("second") as second:
        taken = unpack(second.snapshots, packed)
        assert unpack(second.snapshots, packed) == taken  # twice is once
        second.restore(taken.name)
        assert episodes(exported(second)) == episodes(exported(memory))


@pytest.mark.parametrize("change", ["store", "manifest", "name", "no zip"])
def test_packed_snapshot_that_was_touched_is_refused(
    memory: Memory, note: MakeNote, other: Open, change: str
) -> None:
    memory.emit([note("kumquat", 1)])
    packed = io.BytesIO()
    pack(memory.snapshots, memory.snapshot().name, packed)
    with zipfile.ZipFile(packed) as file:
        manifest, store = json.loads(file.read("manifest.json")), file.read("memory.db")
    if change == "store":
        store = store.replace(b"kumquat", b"tomatos")
    elif change == "manifest":
        manifest["bytes"] -= 1
    elif change == "name":
        manifest["name"] = "../../outside"
    touched = io.BytesIO(b"PK no zip")
    if change != "no zip":
        touched = io.BytesIO()
        with zipfile.ZipFile(touched, "w") as file:
            file.writestr("manifest.json", json.dumps(manifest))
            file.writestr("memory.db", store)
    with other("second") as second:
        with pytest.raises(DamagedSnapshotError):
            unpack(second.snapshots, touched)
        assert second.snapshots.all() == []
        assert list(second.snapshots.folder.glob("*")) == []


def test_snapshot_of_an_older_schema_is_brought_up_to_date_and_restored(
    memory: Memory, note: MakeNote
) -> None:
    memory.emit([note("kumquat", 1)])
    with memory.snapshots.part() as part:
        made = memory.snapshot()
        part.write_bytes(Path(made.path).read_bytes())
        with contextlib.closing(sqlite3.connect(part)) as old:
            old.executescript(_AS_SCHEMA_1)
        older = memory.snapshots.keep(part, "2026-01-01T00-00-00Z", made.made, "")
    before = Path(older.path).read_bytes()
    memory.emit([note("papaya", 2)])
    memory.restore(older.name)
    assert [hit.text for hit in memory.recall("kumquat")] == ["kumquat"]
    assert memory.recall("papaya") == []
    assert Path(older.path).read_bytes() == before


_AS_SCHEMA_1 = """
drop trigger lesson_sources_of_new;
drop trigger lesson_sources_of_changed;
drop trigger lesson_sources_of_gone;
drop table lesson_sources;
drop table vetoes;
drop table veto_sources;
drop table sleep_run;
drop table sleep_journal;
drop index lessons_by_kind;
drop index lessons_by_hash;
drop index predictions_by_lesson;
drop index predictions_open;
drop index aliases_by_new;
drop index episodes_by_kind;
drop index ledger_by_subject;
drop index ledger_taken_back;
alter table lessons drop column archived;
drop table tombstones;
drop index ledger_by_time;
alter table ledger drop column ref;
delete from _sqlite_migrations where name not like 'm001%';
pragma user_version = 1;
"""


def test_vetoed_lesson_does_not_come_back_with_a_snapshot(
    memory: Memory, note: MakeNote, put: Put, exported: Export
) -> None:
    source = note("kumquat", 1)
    memory.emit([source])
    at = "2026-05-01T10:00:00.000000Z"
    common = {"kind": "note", "strength": 1.0, "seen": 1, "sources": (source.id,)}
    texts = {"a": "says that kumquats are ripe in May", "b": "asked for tabs, never spaces"}
    lessons = [
        Lesson(
            id=c * 32,
            hash=words_hash("note", text),
            text=text,
            created=at,
            updated=at,
            **common,
        )
        for c, text in texts.items()
    ]
    put(memory, lessons)
    kept = memory.snapshot()
    put(memory, [Veto(hash=words_hash("note", texts["a"]), text=texts["a"], at=at)])
    memory.restore(kept.name)
    there = [line for line in exported(memory).splitlines() if b'"type":"lesson"' in line]
    assert [b"tabs" in line for line in there] == [True]
