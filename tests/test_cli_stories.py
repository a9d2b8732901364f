"""A person's days with the program, end to end: real files, real processes, one real store."""

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from remem_cli.demo import write_copies

SESSIONS = 12
# Runs `remem` and kills it, as `kill -9` does, at the nth time SQLite has done a few steps.
KILLED_AT = """
import os, signal, sqlite3, sys
from remem_cli.__main__ import main

left = int(sys.argv.pop(1))

def step():
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

class Connection(sqlite3.Connection):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.set_progress_handler(step, 20)

connect = sqlite3.connect
sqlite3.connect = lambda *args, **kwargs: connect(*args, **kwargs, factory=Connection)
code = main()
print(-left, file=sys.stderr)
sys.exit(code)
"""


class Person:
    """Someone with a folder of sessions and a memory of their own."""

    def __init__(self, folder: Path) -> None:
        self.sessions = folder / "sessions"
        self.sessions.mkdir(parents=True)
        self.home = folder / "memory"
        self.env = {
            **{name: value for name, value in os.environ.items() if "REMEM" not in name},
            "HOME": str(folder),
            "REMEM_HOME": str(self.home),
            "REMEM_EMBED": "hashed",
        }

    def start(self, *argv: str | Path, program: tuple[str, ...] = ("-m", "remem_cli")) -> Any:
        """Start a command."""
        return subprocess.Popen(
            [sys.executable, *program, *map(str, argv)],
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def remem(self, *argv: str | Path) -> str:
        """Run a command that must succeed; return what it said on both streams."""
        child = self.start(*argv)
        out, err = child.communicate()
        assert child.returncode == 0, err
        return str(out + err)

    def ask(self, *argv: str) -> Any:
        """Run a command that answers in JSON."""
        return json.loads(self.remem(*argv, "--json"))

    def content(self) -> list[tuple[Any, ...]]:
        """Everything that the store holds, in an order that no run can change."""
        with closing(sqlite3.connect(self.home / "memory.db")) as db:
            assert db.execute("pragma integrity_check").fetchall() == [("ok",)]
            db.execute("insert into words (words) values ('integrity-check')")
            rows = db.execute("select id, kind, project, event from episodes order by id")
            found = rows.fetchall()
            found += db.execute("select id, turns from sessions order by id").fetchall()
            found += db.execute("select path, size from files order by path").fetchall()
            found += db.execute(
                "select e.id, v.space, v.v from vectors v join episodes e using (n) order by e.id"
            ).fetchall()
        return found


@pytest.fixture
def person(tmp_path: Path) -> Person:
    """A person with a dozen sessions and no memory yet."""
    someone = Person(tmp_path)
    write_copies(someone.sessions, SESSIONS)
    return someone


@pytest.fixture
def undisturbed(person: Person, tmp_path: Path) -> list[tuple[Any, ...]]:
    """What the memory holds after one quiet run over the same sessions."""
    person.home = tmp_path / "quiet"
    person.env["REMEM_HOME"] = str(person.home)
    person.remem("ingest", person.sessions)
    content = person.content()
    person.home = tmp_path / "memory"
    person.env["REMEM_HOME"] = str(person.home)
    assert len(content) > SESSIONS * 3
    return content


def test_person_reads_their_sessions_in_asks_and_looks(person: Person) -> None:
    said = person.remem("ingest", person.sessions)
    assert f"Read {SESSIONS} files" in said
    assert person.ask("status")["by_kind"]["session"] == SESSIONS
    hit = person.ask("recall", "which tool installs packages, uv or pip?", "--kind", "correction")
    best = hit["hits"][0]
    assert best["text"].startswith("No, use uv, not pip.")
    shown = person.remem("show", best["id"][:10])
    assert "pip install slowapi" in shown
    assert "No, use uv, not pip." in shown


def test_second_run_finds_nothing_new(person: Person) -> None:
    person.remem("ingest", person.sessions)
    before = person.content()
    said = person.remem("ingest", person.sessions)
    assert f"Read 0 files ({SESSIONS} unchanged)." in said
    assert "Remembered 0 new." in said
    assert person.content() == before


def test_deleted_sessions_stay_remembered(person: Person) -> None:
    person.remem("ingest", person.sessions)
    before = person.content()
    for path in sorted(person.sessions.iterdir())[::2]:
        path.unlink()
    assert "Remembered 0 new." in person.remem("ingest", person.sessions)
    assert person.content() == before


def test_touched_sessions_are_read_again_and_change_nothing(person: Person) -> None:
    person.remem("ingest", person.sessions)
    before = person.ask("status")
    for path in person.sessions.iterdir():
        os.utime(path)
    assert f"Read {SESSIONS} files." in person.remem("ingest", person.sessions)
    assert person.ask("status")["by_kind"] == before["by_kind"]


def test_moved_and_copied_sessions_are_remembered_once(person: Person) -> None:
    person.remem("ingest", person.sessions)
    before = person.ask("status")
    copy = person.sessions.with_name("backup")
    shutil.copytree(person.sessions, copy)
    assert "Remembered 0 new." in person.remem("ingest", copy)
    assert person.ask("status")["by_kind"] == before["by_kind"]


def test_damaged_lines_are_counted(person: Person) -> None:
    path = min(person.sessions.iterdir())
    lines = path.read_bytes().split(b"\n")
    lines[2:2] = [b"\0" * 40, b'{"type":"user","uuid":']
    path.write_bytes(b"\n".join(lines))
    said = person.remem("ingest", person.sessions)
    assert f"2 damaged lines in {path}" in said
    assert f"Read {SESSIONS} files" in said


def test_four_programs_at_once_lose_and_double_nothing(
    person: Person, undisturbed: list[tuple[Any, ...]]
) -> None:
    children = [person.start("ingest", person.sessions) for _ in range(4)]
    for child in children:
        _, err = child.communicate()
        assert child.returncode == 0, err
        assert "locked" not in err
        assert "busy" not in err
    assert person.content() == undisturbed


def test_killed_ingest_is_made_up_for_by_the_next(
    person: Person, undisturbed: list[tuple[Any, ...]]
) -> None:
    whole = person.start("0", "ingest", person.sessions, program=("-c", KILLED_AT))
    steps = int(whole.communicate()[1].splitlines()[-1])
    shutil.rmtree(person.home)
    chance = random.Random(20261129)
    for _ in range(6):
        at = str(chance.randrange(1, steps))
        child = person.start(at, "ingest", person.sessions, program=("-c", KILLED_AT))
        child.communicate()
        assert child.returncode in (-9, 0)  # 0: a part was done before, so it took fewer steps
        if chance.random() < 0.5:
            person.remem("ingest", person.sessions)
            assert person.content() == undisturbed
            shutil.rmtree(person.home)
    person.remem("ingest", person.sessions)
    assert person.content() == undisturbed
