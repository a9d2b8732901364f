"""`note`, `history`, `reindex`: what the owner tells, follows and builds anew."""

import contextlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
Write = Callable[..., Path]


def event(run: Run, id_: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(run("show", id_, "--json").json["event"])
    return told


def test_note_prints_its_id_alone_and_is_found(run: Run) -> None:
    ran = run("note", "the", "port", "is", "8417")
    assert ran.code == 0
    assert event(run, ran.out.strip())["text"] == "the port is 8417"
    assert event(run, ran.out.strip())["source"] == "owner"
    assert "8417" in run("recall", "port").out


def test_note_takes_layer_trigger_and_validity(run: Run) -> None:
    argv = ("--trigger", "deploy, ship it", "--from", "2026-01-01", "--until", "2999-01-01")
    told = event(run, run("note", *argv, "ask Ana").out.strip())
    assert (told["layer"], told["trigger"]) == ("procedural", "deploy, ship it")
    assert told["valid_from"] < told["valid_until"]
    assert "ask Ana" in run("recall", "shall we ship it?").out
    assert "ask Ana" not in run("recall", "the shipment").out


def test_note_is_of_a_repository_or_of_all(
    run: Run, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = machine / "orchard"
    for part in ("objects", "refs"):
        (folder / ".git" / part).mkdir(parents=True)
    (folder / ".git" / "config").write_text(
        '[remote "origin"]\n\turl = https://example.org/ana/orchard.git\n'
    )
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    monkeypatch.chdir(machine)
    assert "project" not in event(run, run("note", "everywhere").out.strip())
    orchard = event(run, run("note", "there", "--cwd", folder).out.strip())["project"]
    assert orchard == "git:example.org/ana/orchard"
    monkeypatch.chdir(folder)
    ran = run("note", "here")
    assert event(run, ran.out.strip())["project"] == orchard
    assert f"For {orchard} (--global: for all)." in ran.err
    assert "project" not in event(run, run("note", "all", "--global").out.strip())
    assert event(run, run("note", "b", "--project", "b").out.strip())["project"] == "b"


def test_secret_stays_out_of_a_note_and_the_owner_is_told(run: Run) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    ran = run("note", f"the token is {secret}")
    assert secret not in run("show", ran.out.strip()).out
    assert "What looked like a secret was left out." in ran.err


@pytest.mark.parametrize(
    "argv",
    [
        ("",),
        ("  ",),
        ("x", "--layer", "purple"),
        ("x", "--trigger", "y", "--layer", "identity"),
        ("x", "--from", "2026-02-01", "--until", "2026-01-01"),
        ("x", "--until", "7d"),
        ("x", "--global", "--project", "p"),
    ],
)
def test_contradicting_arguments_store_nothing(run: Run, argv: tuple[str, ...]) -> None:
    assert run("note", *argv).code == 2
    assert run("status", "--json").json["episodes"] == 0


def test_superseding_note_is_of_the_same_project(run: Run) -> None:
    old = run("note", "port 80", "--project", "p").out.strip()
    new = run("note", "port 81", "--supersedes", old[:8]).out.strip()
    assert event(run, new)["project"] == "p"
    ran = run("note", "port 82", "--supersedes", new, "--project", "q")
    assert ran.code == 1
    assert ran.err.startswith("remem: out-of-scope:")
    assert run("note", "port 82", "--supersedes", "zzzz").err.startswith("remem: not-found:")


def test_only_a_note_can_be_superseded(run: Run, write_session: Write) -> None:
    run("ingest", write_session("rate-limit"))
    said = run("recall", "uv", "--kind", "correction", "--json").json["hits"][0]["id"]
    assert run("note", "x", "--supersedes", said).err.startswith("remem: not-found:")


def test_what_was_forgotten_is_not_noted_again_in_silence(run: Run) -> None:
    id_ = run("note", "port 80", "--global").out.strip()
    run("forget", id_, "--yes")
    assert run("recall", "port", "--json").json["hits"] == []
    # Another moment is another note: the owner may say it again.
    assert run("note", "port 80", "--global").code == 0


def test_history_tells_the_oldest_first_and_when_it_was_replaced(run: Run) -> None:
    ids = [run("note", "port 80", "--global").out.strip()]
    for text in ("port 81", "port 82"):
        ids.append(run("note", text, "--supersedes", ids[-1]).out.strip())
    for id_ in ids:
        told = run("history", id_[:8]).out
        assert told.index("port 80") < told.index("port 81") < told.index("port 82")
        assert told.count("  replaced ") == 2
    document = run("history", ids[0], "--json").json
    assert [episode["id"] for episode in document["history"]] == ids
    assert [episode["replaced_by"] for episode in document["history"]] == [*ids[1:], None]
    assert document["ledger"] == []


def test_history_of_another_kind_is_the_one_there_is(run: Run, write_session: Write) -> None:
    run("ingest", write_session("rate-limit"))
    said = run("recall", "uv", "--kind", "correction", "--json").json["hits"][0]["id"]
    assert run("history", said).out.startswith("correction · ")
    assert run("history", "zzzz").code == 1


def test_history_of_nothing_leaves_no_memory_behind(run: Run, machine: Path) -> None:
    for command in (("history", "abcd"), ("reindex",)):
        assert run(*command).err.startswith("remem: not-found: nothing is remembered yet")
    assert not (machine / "memory").exists()


@pytest.fixture
def store(run: Run, machine: Path) -> Path:
    """A store whose caches were lost, and that has vectors of a model that is gone."""
    run("note", "Die Prüfung läuft", "--global")
    run("note", "the port is 8417", "--global")
    path = machine / "memory" / "memory.db"
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute("update vectors set space = 'gone' where n = 1")
        db.execute("delete from vectors where n = 2")
        db.execute("update episodes set body = 'Die Prufung lauft' where n = 1")
        db.execute("insert into words (words) values ('delete-all')")
    return path


def test_reindex_finds_again_what_was_lost(run: Run, store: Path) -> None:
    assert run("recall", "Pruefung", "--json").json["hits"] == []
    done = run("reindex", "--json").json
    assert (done["respelled"], done["embedded"], done["pruned"]) == (1, 2, 0)
    assert done["vectors"] == {"gone": 1, done["space"]: 2}
    assert len(run("recall", "Pruefung", "--json").json["hits"]) == 1
    again = run("reindex", "--json").json
    assert (again["respelled"], again["embedded"]) == (0, 0)


def test_reindex_drops_other_vectors_only_when_told(run: Run, store: Path) -> None:
    assert "1 vector of other models kept; --prune drops them." in run("reindex").err
    ran = run("reindex", "--prune", "--json")
    assert ran.json["pruned"] == 1
    assert list(ran.json["vectors"]) == [ran.json["space"]]
    assert run("reindex", "--quiet").err == ""
