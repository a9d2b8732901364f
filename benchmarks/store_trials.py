"""What `kill_store.py` and `full_disk.py` disturb: commands on a memory, and what must come of it.

A trial has a home as it is before, a command, and the content after an undisturbed run. Whatever
happened in between, the store must be sound, hold all that it held (or, where the command is one
step for everybody, be as before or as after), and after another run be as after the first.
"""

import io
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from remem_cli.commands import COMMANDS
from remem_cli.demo import write_copies
from remem_core import Memory
from remem_core.embed import open_embedder
from remem_core.errors import DamagedSnapshotError
from remem_core.store.checking import examine
from remem_protocol import Note

Content = list[tuple[Any, ...]]
_QUERIES = (
    "select id, kind, project, event, detector, archived is null from episodes order by id",
    "select id, turns, detector from sessions order by id",
    "select distinct iif(scope = 'time', '', key), scope from tombstones order by 1",  # its time
)
REINDEX = "reindex" if "reindex" in COMMANDS else "repair"


@dataclass(frozen=True)
class Trial:
    """A command on a home. `whole` commands are one step: before or after, nothing between."""

    name: str
    before: Path
    command: tuple[str, ...]
    whole: bool
    expected: Content


def environment(home: Path) -> dict[str, str]:
    """Return the environment of a child that works on a home."""
    return {**os.environ, "REMEM_HOME": str(home), "REMEM_EMBED": "hashed", "NO_COLOR": "1"}


def start(home: Path, command: tuple[str, ...]) -> subprocess.Popen[str]:
    """Start a command of the program on a home."""
    return subprocess.Popen(
        [sys.executable, "-m", "remem_cli", *command],
        env=environment(home),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(home: Path, command: tuple[str, ...]) -> tuple[int, str]:
    """Run a command to its end; return its code and what it said on stderr."""
    child = start(home, command)
    _, said = child.communicate()
    return child.returncode, said


def content(home: Path) -> Content:
    """Return what a store holds, or why it is not sound."""
    health = examine(home / "memory.db")
    if health.damage or health.words or health.orphans:
        return [("damaged", health.damage, health.words, health.orphans)]
    with closing(sqlite3.connect(home / "memory.db")) as db:
        return [row for query in _QUERIES for row in db.execute(query)]


def faults_of_snapshots(home: Path) -> list[str]:
    """Return what is wrong with those snapshots that are listed."""
    found = []
    with Memory.open(home, embedder=open_embedder({"REMEM_EMBED": "hashed"})) as memory:
        for snapshot in memory.snapshots.all():
            try:
                memory.snapshots.check(snapshot)
            except DamagedSnapshotError as error:
                found.append(error.message)
    return found


def judge(trial: Trial, home: Path) -> str:
    """Return what is wrong with a home after a disturbed run; "" when nothing is."""
    there, before = content(home), content(trial.before)
    if there and there[0][0] == "damaged":
        return f"damaged: {there[0]}"
    if trial.whole:
        if there not in (before, trial.expected):
            return "half done"
    elif lost := set(before) - set(there):
        return f"{len(lost)} lost"
    if len(there) != len(set(there)):
        return "doubled"
    return "; ".join(faults_of_snapshots(home))


def judge_again(trial: Trial, home: Path) -> str:
    """Run the command to its end and return what is different from an undisturbed run."""
    code, said = run(home, trial.command)
    if code != 0:
        return f"the next run failed: {said.strip()[-200:]}"
    return "" if content(home) == trial.expected else "the next run ended differently"


@contextmanager
def copy_of(home: Path, target: Path) -> Iterator[Path]:
    """Give a copy of a home, removed afterwards."""
    shutil.copytree(home, target)
    try:
        yield target
    finally:
        shutil.rmtree(target)


def trials(folder: Path, sessions: int) -> list[Trial]:
    """Make the homes and run each command once, undisturbed."""
    transcripts = folder / "sessions"
    transcripts.mkdir()
    write_copies(transcripts, sessions)
    full, half, export = folder / "full", folder / "half", folder / "export.jsonl"
    first = sorted(transcripts.iterdir())[: sessions // 3]
    _must(run(half, ("ingest", "--quiet", *map(str, first))))
    _must(run(full, ("ingest", "--quiet", str(transcripts))))
    _own_notes(half)
    _must(run(full, ("export", str(export))))
    later = folder / "later"
    shutil.copytree(full, later)
    _must(run(later, ("snapshot", "create")))
    _own_notes(later)
    wanted = [
        ("ingest", half, ("ingest", str(transcripts)), False),
        (REINDEX, full, (REINDEX,), False),
        ("snapshot", full, ("snapshot", "create"), False),
        ("import", half, ("import", str(export)), False),
        ("restore", later, ("snapshot", "restore", _oldest(later)), True),
        ("forget", full, ("forget", "--since", "1900-01-01", "--yes"), True),
    ]
    return [_undisturbed(folder, *trial) for trial in wanted]


def _oldest(home: Path) -> str:
    return min(path.stem for path in (home / "snapshots").glob("*.json"))


def _undisturbed(
    folder: Path, name: str, before: Path, command: tuple[str, ...], whole: bool
) -> Trial:
    with copy_of(before, folder / "undisturbed") as home:
        _must(run(home, command))
        return Trial(name, before, command, whole, content(home))


def _own_notes(home: Path) -> None:
    with Memory.open(home, embedder=open_embedder({"REMEM_EMBED": "hashed"})) as memory:
        memory.emit(
            Note(text=f"kumquat {i}", at=f"2026-05-01T10:{i:02d}:00.000000Z", source="owner")
            for i in range(50)
        )
        memory.export(io.BytesIO())


def _must(ran: tuple[int, str]) -> None:
    if ran[0] != 0:
        sys.exit(f"an undisturbed run failed: {ran[1]}")
