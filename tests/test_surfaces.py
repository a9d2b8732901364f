"""What must not come back doesn't, on every surface, each beside a control that does.

Out of scope, expired, superseded, archived: not in an answer, but readable by who asks for it by
name. Forgotten: in no answer and no file, and back by no way in.
"""

import contextlib
import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from remem_cli.__main__ import main

AT = "2026-05-01T10:00:00.000000Z"
OVER = "2026-05-20T00:00:00.000000Z"


class Ran(NamedTuple):
    """What a command left behind."""

    code: int
    out: str

    @property
    def json(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's machine with nothing on it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("REMEM_HOME", str(tmp_path / "memory"))
    monkeypatch.setenv("REMEM_EMBED", "hashed")
    monkeypatch.delenv("REMEM_DB", raising=False)
    return tmp_path


@pytest.fixture
def run(home: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command; return its exit code and what it wrote on stdout."""

    def run_command(*argv: str | Path) -> Ran:
        capsys.readouterr()
        code = main([str(word) for word in argv])
        return Ran(code, capsys.readouterr().out)

    return run_command


@pytest.fixture
def emit(home: Path, run: Run) -> Callable[..., str]:
    """Store a note as any program would emit it; return its id."""

    def emit_note(text: str, **more: str) -> str:
        note = {"kind": "note", "v": "1.0", "at": AT, "source": "owner", "text": text} | more
        events = home / "events.jsonl"
        events.write_text(json.dumps(note) + "\n", "utf-8")
        assert run("ingest", "--events", events).code == 0
        with contextlib.closing(sqlite3.connect(home / "memory" / "memory.db")) as db:
            found = db.execute("select id from episodes order by n desc limit 1").fetchone()
        return str(found[0])

    return emit_note


def texts(run: Run, *argv: str) -> list[str]:
    """Ask in JSON and in words, which must agree; return the texts."""
    found = [hit["text"] for hit in run("recall", *argv, "--json").json["hits"]]
    told = run("recall", *argv).out
    for text in ("kumquat kept", "kumquat gone"):
        assert (text in told) == (text in found)
    return found


def exported(run: Run) -> str:
    ran = run("export", "-")
    assert ran.code == 0
    return ran.out


def said_in_history(run: Run, id_: str) -> list[str]:
    document = run("history", id_, "--json").json
    return [json.loads(episode["event"])["text"] for episode in document["history"]]


Emit = Callable[..., str]


def test_out_of_scope_is_not_answered(run: Run, emit: Emit) -> None:
    gone = emit("kumquat gone", project="b")
    kept = emit("kumquat kept", project="a")
    assert texts(run, "kumquat", "--project", "a") == ["kumquat kept"]
    assert texts(run, "kumquat gone", "--project", "a") == ["kumquat kept"]
    assert texts(run, "kumquat", "--project", "b") == ["kumquat gone"]
    assert said_in_history(run, kept) == ["kumquat kept"]
    assert said_in_history(run, gone) == ["kumquat gone"]


@pytest.mark.parametrize(
    "limits",
    [
        ("--kind", "correction"),
        ("--layer", "identity"),
        ("--agent", "codex"),
        ("--since", "2026-05-02"),
        ("--until", "2026-04-30"),
        ("--at", "2026-04-30"),
        ("--project", "a"),
        ("--budget", "1"),
    ],
)
def test_no_filter_lets_through_what_it_leaves_out(
    run: Run, emit: Emit, limits: tuple[str, str]
) -> None:
    emit("kumquat gone", project="b", agent="gemini")
    assert "kumquat gone" not in texts(run, "kumquat gone", *limits)
    assert texts(run, "kumquat gone") == ["kumquat gone"]


def test_expired_is_not_answered_and_stays_readable(run: Run, emit: Emit) -> None:
    gone = emit("kumquat gone", valid_until=OVER)
    emit("kumquat kept")
    assert texts(run, "kumquat") == ["kumquat kept"]
    assert sorted(texts(run, "kumquat", "--at", "2026-05-10")) == ["kumquat gone", "kumquat kept"]
    assert "kumquat gone" in run("show", gone).out
    assert said_in_history(run, gone) == ["kumquat gone"]
    assert "kumquat gone" in exported(run)


def test_not_yet_valid_is_not_answered(run: Run, emit: Emit) -> None:
    emit("kumquat gone", valid_from="2999-01-01T00:00:00.000000Z")
    emit("kumquat kept")
    assert texts(run, "kumquat") == ["kumquat kept"]
    assert "kumquat gone" in texts(run, "kumquat", "--at", "2999-02-01")


def test_superseded_is_not_answered_and_its_history_tells_why(run: Run, emit: Emit) -> None:
    old = emit("kumquat gone")
    new = emit("kumquat kept", supersedes=old, at="2026-05-02T10:00:00.000000Z")
    assert texts(run, "kumquat") == ["kumquat kept"]
    assert texts(run, "kumquat", "--at", "2026-05-02") == ["kumquat gone"]
    for id_ in (old, new):
        assert said_in_history(run, id_) == ["kumquat gone", "kumquat kept"]
    replaced = [e["replaced_by"] for e in run("history", new, "--json").json["history"]]
    assert replaced == [new, None]
    assert "kumquat gone" in run("show", old, "--json").json["event"]
    assert "kumquat gone" in exported(run)


def test_archived_is_answered_only_when_asked_for(run: Run, emit: Emit, home: Path) -> None:
    gone = emit("kumquat gone")
    emit("kumquat kept")
    with contextlib.closing(sqlite3.connect(home / "memory" / "memory.db")) as db, db:
        db.execute("update episodes set archived = ? where id = ?", (OVER, gone))
    assert texts(run, "kumquat") == ["kumquat kept"]
    assert sorted(texts(run, "kumquat", "--archived")) == ["kumquat gone", "kumquat kept"]
    assert run("show", gone, "--json").json["archived"] == OVER
    assert "archived" in run("history", gone).out
    assert "kumquat gone" in exported(run)


def test_forgotten_is_nowhere_and_its_neighbour_is(run: Run, emit: Emit, home: Path) -> None:
    gone, kept = emit("kumquat gone"), emit("kumquat kept")
    assert run("forget", gone, "--yes").code == 0
    assert texts(run, "kumquat gone") == ["kumquat kept"]
    assert texts(run, "kumquat", "--archived", "--at", "2026-05-10") == ["kumquat kept"]
    for command in ("show", "history"):
        assert run(command, gone) == Ran(1, "")
        assert run(command, gone, "--json") == Ran(1, "")
        assert "kumquat kept" in run(command, kept).out
    assert "kumquat gone" not in exported(run)
    assert "kumquat kept" in exported(run)
    run("reindex")
    assert texts(run, "kumquat gone") == ["kumquat kept"]


def test_forgotten_version_leaves_the_history(run: Run, emit: Emit) -> None:
    old = emit("kumquat gone")
    new = emit("kumquat kept", supersedes=old, at="2026-05-02T10:00:00.000000Z")
    run("forget", old, "--yes")
    assert said_in_history(run, new) == ["kumquat kept"]
    assert "kumquat gone" not in run("history", new).out


@pytest.mark.parametrize("way", ["emit", "import", "snapshot"])
def test_forgotten_comes_back_by_no_way_in(run: Run, emit: Emit, home: Path, way: str) -> None:
    gone = emit("kumquat gone")
    emit("kumquat kept")
    (home / "all.jsonl").write_text(exported(run), "utf-8")
    run("snapshot", "create")
    run("snapshot", "export", "latest", home / "all.zip")
    run("forget", gone, "--yes")
    if way == "emit":
        emit("kumquat gone")
    elif way == "import":
        assert run("import", home / "all.jsonl").code == 0
    else:
        shutil.rmtree(home / "memory" / "snapshots")  # a copy kept elsewhere is all there is
        assert run("snapshot", "import", home / "all.zip").code == 0
        assert run("snapshot", "restore", "latest").code == 0
    assert texts(run, "kumquat gone") == ["kumquat kept"]
    assert run("show", gone).code == 1
    assert "kumquat gone" not in exported(run)


def test_time_words_never_widen(run: Run, emit: Emit) -> None:
    emit("kumquat gone")
    ran = run("recall", "kumquat last week")
    assert ran.out.startswith("Nothing found for ")
    assert "--anytime" in ran.out
    assert run("recall", "kumquat last week", "--json").json["hits"] == []
    assert texts(run, "kumquat last week", "--anytime") == ["kumquat gone"]
