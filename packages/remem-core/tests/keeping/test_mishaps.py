"""What machines do to a store: each is told in one clear line, and loses nothing."""

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from remem_core import BusyError, Memory, NewerStoreError, StoreError
from remem_core.embed import Embedder
from remem_core.store import connection
from remem_core.store.checking import examine
from remem_protocol import Note

MakeNote = Callable[..., Note]

# A process that stores notes one by one and tells each that it was promised to be kept.
WRITER = """
import sys
from pathlib import Path
from remem_core import Memory
from remem_protocol import Note
with Memory.open(Path(sys.argv[1])) as memory:
    for i in range(100_000):
        at = f"2026-05-01T{i // 3600 % 24:02d}:{i // 60 % 60:02d}:{i % 60:02d}.000000Z"
        note = Note(text=f"kumquat {i:06d} " + "x" * 500, at=at, source="owner")
        memory.emit([note], embed=False)
        print(i, flush=True)
"""


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Mount a small disk of its own; skip where that is not allowed."""
    points: list[Path] = []

    def mount(options: str) -> Path:
        point = tmp_path / f"disk{len(points)}"
        point.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(point)]
        if shutil.which("mount") is None or subprocess.run(command, capture_output=True).returncode:
            pytest.skip("mounting a small disk needs root")
        points.append(point)
        return point

    yield mount
    for point in points:
        subprocess.run(["umount", "-l", str(point)], check=True)


def one_line(error: Exception) -> str:
    text = str(error)
    assert "\n" not in text
    return text


def stored(home: Path, hashed: Embedder) -> list[str]:
    """Return the texts of a sound store."""
    assert examine(home / "memory.db").damage == ""
    assert examine(home / "memory.db").words == ""
    with Memory.open(home, embedder=hashed) as memory:
        rows = memory._db.execute("select body from episodes order by at").fetchall()
    return [body for (body,) in rows]


def test_busy_store_is_called_busy_and_works_again(
    home: Path, hashed: Embedder, note: MakeNote, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "BUSY_SECONDS", 0.05)
    with (
        Memory.open(home, embedder=hashed) as memory,
        contextlib.closing(sqlite3.connect(home / "memory.db", isolation_level=None)) as holder,
    ):
        holder.execute("begin immediate")
        with pytest.raises(BusyError) as caught:
            memory.emit([note("kumquat", 1)])
        assert "try again" in one_line(caught.value)
        assert memory.recall("kumquat", touch=False) == []  # reading goes on
        holder.execute("rollback")
        assert memory.emit([note("kumquat", 1)]).new == 1


def test_full_disk_is_said_and_loses_nothing(
    mounted: Callable[[str], Path], hashed: Embedder, note: MakeNote
) -> None:
    disk = mounted("size=3m")
    home, kept = disk / "home", list[int]()

    def store_until_it_fails(memory: Memory) -> None:
        for i in range(2_000):
            memory.emit([note(f"kumquat {i:06d} " + "x" * 2_000, i % 60)], embed=False)
            kept.append(i)

    with Memory.open(home, embedder=hashed) as memory:
        with pytest.raises(StoreError) as caught:
            store_until_it_fails(memory)
        assert "the disk is full" in one_line(caught.value)
        assert len(kept) > 20
        assert memory.recall(f"kumquat {kept[0]:06d}", touch=False) != []
    subprocess.run(["mount", "-o", "remount,size=30m", str(disk)], check=True)
    assert sorted(text.split()[1] for text in stored(home, hashed)) == [f"{i:06d}" for i in kept]
    with Memory.open(home, embedder=hashed) as memory:
        assert memory.emit([note("room again", 1)]).new == 1


def test_snapshot_on_a_full_disk_is_none_and_leaves_nothing(
    mounted: Callable[[str], Path], hashed: Embedder, note: MakeNote
) -> None:
    disk = mounted("size=4m")
    with Memory.open(disk / "home", embedder=hashed) as memory:
        memory.emit([note(f"kumquat {i} " + "x" * 2_000, i % 60, ref=str(i)) for i in range(300)])
        memory._db.execute("pragma wal_checkpoint(truncate)")
        free = shutil.disk_usage(disk).free
        (disk / "filler").write_bytes(b"x" * (free - 200_000))
        with pytest.raises(StoreError) as caught:
            memory.snapshot()
        assert "disk is full" in one_line(caught.value)
        assert memory.snapshots.all() == []
        assert memory.snapshots.leftovers() == []
        (disk / "filler").unlink()
        memory.snapshot()


def test_read_only_home_is_said(
    mounted: Callable[[str], Path], hashed: Embedder, note: MakeNote
) -> None:
    disk = mounted("size=8m")
    with Memory.open(disk / "home", embedder=hashed) as memory:
        memory.emit([note("kumquat", 1)])
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    with pytest.raises(StoreError) as caught:
        Memory.open(disk / "home", embedder=hashed)
    assert "cannot be written" in one_line(caught.value)
    subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
    assert stored(disk / "home", hashed) == ["kumquat"]


def test_killed_process_loses_nothing_that_it_had_stored(home: Path, hashed: Embedder) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(home)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    told = [int(process.stdout.readline()) for _ in range(40)]
    os.kill(process.pid, signal.SIGKILL)
    told += [int(line) for line in process.stdout.read().split() if line]
    process.stdout.close()
    assert process.wait() == -signal.SIGKILL
    there = [int(text.split()[1]) for text in stored(home, hashed)]
    assert there[: len(told)] == told  # at most one more, killed before it could say so
    assert len(there) - len(told) in (0, 1)


@pytest.mark.parametrize("cut", ["in a frame", "in a header", "garbage after"])
def test_half_written_log_keeps_every_whole_transaction(
    memory: Memory, home: Path, tmp_path: Path, hashed: Embedder, note: MakeNote, cut: str
) -> None:
    memory.emit([note("before", 1)])
    memory._db.execute("pragma wal_checkpoint(truncate)")
    for i in range(2, 12):
        memory.emit([note(f"kumquat {i:02d}", i)], embed=False)
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in (".remem-home", "memory.db", "memory.db-wal"):
        shutil.copy(home / name, copy / name)  # as a power cut would leave them
    log = copy / "memory.db-wal"
    data = log.read_bytes()
    if cut == "in a frame":
        log.write_bytes(data[: len(data) * 2 // 3 + 1_000])
    elif cut == "in a header":
        log.write_bytes(data[: 32 + 4_120 * (len(data) // 4_120 * 2 // 3) + 10])
    else:
        log.write_bytes(data + b"\xff" * 10_000)
    there = stored(copy, hashed)
    assert there[0] == "before"
    assert there[1:] == [f"kumquat {i:02d}" for i in range(2, 1 + len(there))]
    assert len(there) == 11 if cut == "garbage after" else 3 < len(there) < 11


def test_newer_store_is_said_to_every_program_that_has_it_open(
    memory: Memory, home: Path, hashed: Embedder
) -> None:
    memory._db.execute("pragma user_version = 99")
    with pytest.raises(NewerStoreError) as caught:
        Memory.open(home, embedder=hashed)
    assert "upgrade remem" in one_line(caught.value)


def test_store_under_another_programs_name_is_not_opened(home: Path) -> None:
    home.mkdir()
    (home / ".remem-home").touch()
    (home / "memory.db").write_bytes(b"SQLite format 3\0" + b"\0" * 5_000)
    with pytest.raises(StoreError) as caught:
        Memory.open(home)
    assert "memory.db" in one_line(caught.value)
