"""Repair builds caches again, reads what it can of a damaged file, and copies before it touches."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from remem_core import BusyError, Memory, NewerStoreError
from remem_core.embed import Embedder
from remem_core.keeping.repair import repair
from remem_core.paths import locate
from remem_core.reports import Repaired
from remem_core.store.checking import examine
from remem_protocol import Note

MakeNote = Callable[..., Note]
NOW = "2026-06-02T00:00:00.000000Z"


def mend(home: Path) -> Repaired:
    return repair(locate(home), now=NOW)


def fill(memory: Memory, note: MakeNote, count: int = 400) -> None:
    memory.emit([note(f"kumquat number n{i:04d} " + "word " * 40, i % 60) for i in range(count)])


def test_broken_word_index_is_found_and_built_again(
    memory: Memory, home: Path, note: MakeNote
) -> None:
    fill(memory, note, 20)
    memory._db.execute("insert into words (words) values ('delete-all')")
    memory.close()
    assert examine(home / "memory.db").words != ""
    repaired = mend(home)
    assert not repaired.damaged
    assert Path(repaired.kept).exists()
    assert examine(home / "memory.db").words == ""


@pytest.mark.parametrize("mended_by", ["repair", "reindex"])
@pytest.mark.parametrize("dropped", [["words"], ["vectors"], ["words", "vectors"]])
def test_dropped_cache_is_made_again(
    memory: Memory, home: Path, note: MakeNote, hashed: Embedder, dropped: list[str], mended_by: str
) -> None:
    fill(memory, note, 20)
    for table in dropped:
        memory._db.execute(f"drop table {table}")
    memory.close()
    assert examine(home / "memory.db").words == f"missing: {', '.join(sorted(dropped))}"
    if mended_by == "repair":
        assert not mend(home).damaged
    with Memory.open(home, embedder=hashed) as again:
        again.rebuild_words()
        assert again.embed_pending() == (20 if "vectors" in dropped else 0)
        assert again.status().vectors == {hashed.space: 20}
        assert "n0007" in again.recall("n0007")[0].text
        again.emit([note("A walrus came later.")])  # the triggers write to the new table
        assert "walrus" in again.recall("walrus")[0].text
    assert examine(home / "memory.db").words == ""


def test_vector_of_a_wrong_length_is_dropped_and_made_again(
    memory: Memory, home: Path, note: MakeNote, hashed: Embedder
) -> None:
    fill(memory, note, 20)
    memory._db.execute("update vectors set v = x'00112233' where r = 3")
    memory.close()
    assert examine(home / "memory.db").odd_vectors == 1
    assert mend(home).dropped_vectors == 1
    with Memory.open(home, embedder=hashed) as again:
        assert again.embed_pending() == 1


def test_free_pages_are_given_back_when_they_are_many(
    memory: Memory, home: Path, note: MakeNote
) -> None:
    fill(memory, note, 3000)
    memory._db.execute("pragma foreign_keys = off")
    memory._db.execute("delete from vectors")
    memory._db.execute("delete from episodes where n > 10")
    memory.close()
    before = examine(home / "memory.db")
    assert before.worth_vacuum
    assert mend(home).vacuumed
    assert examine(home / "memory.db").bytes < before.bytes / 2


def test_damaged_file_is_read_as_far_as_it_can_be(
    memory: Memory, home: Path, note: MakeNote, hashed: Embedder
) -> None:
    fill(memory, note)
    pages = [
        page
        for (page,) in memory._db.execute(
            "select pageno from dbstat where name = 'episodes' and pagetype = 'leaf' order by 1"
        )
    ]
    memory._db.execute("pragma wal_checkpoint(truncate)")
    memory.close()
    db = home / "memory.db"
    data = bytearray(db.read_bytes())
    for page in pages[3:6]:
        data[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
    db.write_bytes(data)
    damaged = db.read_bytes()
    assert examine(db).damage != ""
    repaired = mend(home)
    assert repaired.damaged
    assert 300 < repaired.salvaged < 405
    assert Path(repaired.kept).read_bytes() == damaged
    assert examine(db).damage == ""
    with Memory.open(home, embedder=hashed) as again:
        assert 300 < again.status().episodes < 400
        assert len(again.recall("n0399")) >= 1  # from behind the broken pages


def test_file_that_is_no_database_is_kept_and_a_new_one_begun(
    memory: Memory, home: Path, note: MakeNote, hashed: Embedder
) -> None:
    fill(memory, note, 20)
    kept = memory.snapshot()
    memory.close()
    (home / "memory.db").write_bytes(b"\0garbage" * 4096)
    repaired = mend(home)
    assert (repaired.damaged, repaired.salvaged) == (True, 0)
    assert Path(repaired.kept).read_bytes() == b"\0garbage" * 4096
    with Memory.open(home, embedder=hashed) as again:
        again.restore(kept.name)
        assert again.status().episodes == 20


def test_busy_store_is_not_damaged_and_not_replaced(
    memory: Memory, home: Path, note: MakeNote, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(memory, note, 20)
    monkeypatch.setattr("remem_core.store.checking.BUSY_SECONDS", 0.05)
    monkeypatch.setattr("remem_core.store.connection.BUSY_SECONDS", 0.05)
    with closing(sqlite3.connect(home / "memory.db", isolation_level=None)) as holder:
        holder.execute("begin immediate")
        with pytest.raises(BusyError):
            mend(home)
    assert memory.status().episodes == 20


def test_damaged_store_that_others_have_open_is_left_alone(
    memory: Memory, home: Path, note: MakeNote
) -> None:
    fill(memory, note)
    db = home / "memory.db"
    memory._db.execute("pragma wal_checkpoint(truncate)")
    data = bytearray(db.read_bytes())
    data[4096 * 30 : 4096 * 34] = b"\xff" * (4096 * 4)
    db.write_bytes(data)
    memory.status()  # it is in use
    with pytest.raises(BusyError, match="end them"):
        mend(home)
    assert db.read_bytes() == data


def test_newer_store_is_left_alone(memory: Memory, home: Path) -> None:
    memory._db.execute("pragma user_version = 99")
    memory.close()
    with pytest.raises(NewerStoreError, match="upgrade remem"):
        mend(home)
