"""The folder of a memory: private, marked, never another program's."""

import datetime
import stat
from pathlib import Path

import pytest

from remem_core import ForeignHomeError, Memory
from remem_core.paths import Locations, locate
from remem_protocol import Note


def test_home_is_made_private_with_a_marker(memory: Memory, home: Path) -> None:
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert (home / ".remem-home").is_file()
    assert {stat.S_IMODE(p.stat().st_mode) for p in home.glob("memory.db*")} == {0o600}


def test_folder_of_another_program_is_refused_untouched(home: Path) -> None:
    home.mkdir()
    (home / "state.json").write_text("{}")
    with pytest.raises(ForeignHomeError, match="another program") as caught:
        Memory.open(home)
    assert caught.value.code == "out-of-scope"
    assert [p.name for p in home.iterdir()] == ["state.json"]


def test_lost_marker_is_put_back_beside_our_database(memory: Memory, home: Path) -> None:
    memory.close()
    (home / ".remem-home").unlink()
    Memory.open(home).close()
    assert (home / ".remem-home").is_file()


def test_each_place_has_its_variable(tmp_path: Path) -> None:
    env = {"REMEM_HOME": str(tmp_path / "h"), "REMEM_INBOX": str(tmp_path / "elsewhere")}
    places = locate(env=env)
    assert places.db == tmp_path / "h" / "memory.db"
    assert places.inbox == tmp_path / "elsewhere"
    assert Locations.variable("morning") == "REMEM_MORNING"


SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


def test_secret_is_in_no_byte_of_the_store(memory: Memory, home: Path) -> None:
    memory.emit(
        Note(
            text=f"the token is {SECRET} and the word is kumquat{i}",
            at=datetime.datetime(2026, 5, 1, 0, i, tzinfo=datetime.UTC),
            source="owner",
            ref=SECRET,
            session="s",
        )
        for i in range(20)
    )
    memory.recall(SECRET)
    memory.recall("kumquat3")
    for file in home.iterdir():  # the database, its WAL and what else lies there
        data = file.read_bytes()
        assert SECRET.encode() not in data
        assert SECRET[4:].lower().encode() not in data.lower()
    assert b"kumquat3" in b"".join(p.read_bytes() for p in home.glob("memory.db*"))
