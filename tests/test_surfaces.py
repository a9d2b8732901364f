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
from remem_core import Memory
from remem_core.lessons.changes import Change, revised
from remem_core.lessons.identity import lesson_id, words_hash
from remem_core.lessons.sources import source_of
from remem_core.lessons.wording import tell
from remem_core.store import changing
from remem_core.store.connection import transaction
from remem_protocol import Correction, Lesson

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


# -- lessons: on every surface that tells of them, a vetoed, closed, foreign or forgotten one is not

LEARNED = "2026-05-02T03:00:00.000000Z"


@pytest.fixture
def learn(home: Path) -> Callable[..., Lesson]:
    """Make a lesson of a correction, as sleep does; return it."""

    def learn_from(said: str, project: str | None = "a", minute: int = 0) -> Lesson:
        at = f"2026-05-01T10:{minute:02d}:00.000000Z"
        event = Correction(said=said, cause="message", at=at, source="owner", project=project)
        source = source_of(event)
        assert source is not None
        text = tell("correction", [source])
        lesson = Lesson(
            id=lesson_id("correction", project, source.id),
            text=text,
            kind="correction",
            project=project,
            strength=1.0,
            seen=1,
            sources=(source.id,),
            created=LEARNED,
            updated=LEARNED,
            hash=words_hash("correction", text),
        )
        with Memory.open() as memory:
            memory.emit([event])
            change(memory, Change(verb="CREATE", subject=lesson.id, at=LEARNED, after=(lesson,)))
        return lesson

    return learn_from


def change(memory: Memory, made: Change) -> None:
    with transaction(memory._db) as db:
        changing.apply(db, made, unwanted=None)


def close(old: Lesson, **fields: Any) -> None:
    """Close a lesson or put it aside."""
    verb: Any = "CORRECT" if "valid_until" in fields else "ARCHIVE"
    with Memory.open() as memory:
        after = revised(old, **fields)
        change(memory, Change(verb=verb, subject=old.id, at=OVER, before=(old,), after=(after,)))


def listed(run: Run, *argv: str) -> set[str]:
    """List lessons in JSON and in words, which must agree; return their ids."""
    found = run("lessons", *argv, "--json").json["lessons"]
    told = run("lessons", *argv).out
    for lesson in found:
        assert lesson["text"].splitlines()[0] in told
    return {lesson["id"] for lesson in found}


Learn = Callable[..., Lesson]


def test_lesson_out_of_scope_is_not_listed(run: Run, learn: Learn) -> None:
    ours, theirs = learn("kumquat kept", "a"), learn("kumquat gone", "b", 1)
    everyones = learn("kumquat everywhere", None, 2)
    assert listed(run, "--project", "a") == {ours.id, everyones.id}
    assert "kumquat gone" not in run("lessons", "--project", "a").out
    assert listed(run, "--project", "c") == {everyones.id}
    assert listed(run) == {ours.id, theirs.id, everyones.id}
    assert listed(run, "--kind", "error") == set()


def test_lesson_that_is_over_is_listed_only_for_who_asks(run: Run, learn: Learn) -> None:
    kept, closed = learn("kumquat kept"), learn("kumquat gone", minute=1)
    aside = learn("kumquat faded", minute=2)
    close(closed, valid_until=OVER, superseded_by=kept.id)
    close(aside, archived=OVER)
    assert listed(run) == {kept.id}
    assert listed(run, "--all") == {kept.id, closed.id, aside.id}
    assert listed(run, "--at", "2026-05-10T00:00:00Z") == {kept.id, closed.id}
    assert listed(run, "--at", "2026-05-01T00:00:00Z") == set()
    assert "kumquat gone" in run("show", closed.id).out
    assert "CORRECT" in run("history", closed.id).out


def test_vetoed_lesson_is_on_no_surface(run: Run, learn: Learn) -> None:
    kept, gone = learn("kumquat kept"), learn("kumquat gone", minute=1)
    assert run("veto", gone.id[:8]).code == 0
    assert listed(run, "--all") == {kept.id}
    for command in ("show", "history", "veto"):
        assert run(command, gone.id).code == 1
    assert run("show", kept.id).code == 0
    assert run("status", "--json").json["lessons"] == 1
    measured = run("measure", "--json").out
    assert "kumquat kept" in measured
    assert "kumquat gone" not in measured
    lines = [json.loads(line) for line in exported(run).splitlines()]
    assert [r["id"] for r in lines if r["type"] == "lesson"] == [kept.id]


@pytest.mark.parametrize("way", ["sleep", "import", "snapshot"])
def test_vetoed_lesson_comes_back_by_the_owner_alone(
    run: Run, learn: Learn, home: Path, way: str
) -> None:
    kept, gone = learn("write tests before code"), learn("uv it is, never pip", minute=1)
    (home / "all.jsonl").write_text(exported(run), "utf-8")
    assert run("snapshot", "create").code == 0
    run("veto", gone.id)
    if way == "sleep":
        assert run("sleep", "--now", "2026-05-03T03:00:00Z").code == 0
    elif way == "import":
        assert run("import", home / "all.jsonl").code == 0
    else:
        assert run("snapshot", "restore", "latest").code == 0
    assert listed(run, "--all") == {kept.id}
    assert [v["lesson"] for v in run("unveto", "--json").json["vetoes"]] == [gone.id]
    assert run("unveto", gone.id[:8], "--json").code == 0
    assert listed(run, "--all") == {kept.id, gone.id}


def test_forgotten_source_takes_its_lesson_from_every_surface(run: Run, learn: Learn) -> None:
    kept, gone = learn("kumquat kept"), learn("kumquat gone", minute=1)
    vetoed = learn("kumquat vetoed", minute=2)
    run("veto", vetoed.id)
    run("forget", gone.sources[0], "--yes")
    run("forget", vetoed.sources[0], "--yes")
    assert listed(run, "--all") == {kept.id}
    for argv in (("ledger",), ("ledger", "--json"), ("unveto",), ("export", "-")):
        out = run(*argv).out
        assert "kumquat gone" not in out
        assert "kumquat vetoed" not in out
    assert "kumquat kept" in run("ledger").out
    learned = run("ledger", gone.id[:8])
    assert "CREATE" in learned.out
    assert run("undo", "4").code == 1


def test_undone_is_not_there_and_its_undo_makes_it_again(run: Run, learn: Learn) -> None:
    kept, gone = learn("kumquat kept"), learn("kumquat gone", minute=1)
    (created,) = [
        e["seq"] for e in run("ledger", gone.id, "--json").json["ledger"] if e["verb"] == "CREATE"
    ]
    undone = run("undo", str(created), "--json").json
    assert listed(run, "--all") == {kept.id}
    assert run("show", gone.id).code == 1
    assert run("undo", str(undone["seq"])).code == 0
    assert listed(run, "--all") == {kept.id, gone.id}
