"""`recall`, `show`, `status`, `paths`: what a person reads, and what a program does."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# The fixtures of conftest.py.
Run = Callable[..., Any]
Write = Callable[..., Path]


@pytest.fixture
def memory(run: Run, write_session: Write) -> None:
    """A memory of two sessions in two projects."""
    run("ingest", write_session("rate-limit"), write_session("date-picker"))


@pytest.mark.usefixtures("memory")
def test_recall_quotes_the_owner(run: Run) -> None:
    ran = run("recall", "uv", "or", "pip?")
    assert ran.code == 0
    assert "“No, use uv, not pip. This repo has a uv.lock and pip leaves it stale.”" in ran.out
    assert "2026-11-16" not in ran.out  # the copy is of another year
    assert "2025-11-16" in ran.out
    assert "/home/sam/code/harbour" in ran.out


@pytest.mark.usefixtures("memory")
def test_recall_json_is_one_document_and_nothing_else(run: Run) -> None:
    ran = run("recall", "uv or pip?", "--json")
    assert ran.err == ""
    assert {"id", "kind", "text", "score", "at", "project"} <= ran.json["hits"][0].keys()


@pytest.mark.usefixtures("memory")
def test_recall_is_limited_by_kind_project_time_and_number(run: Run) -> None:
    def found(*limits: str) -> list[dict[str, str]]:
        hits: list[dict[str, str]] = run("recall", "use install", "--json", *limits).json["hits"]
        return hits

    assert {hit["kind"] for hit in found("--kind", "correction")} == {"correction"}
    ours = found("--cwd", "/home/sam/code/ledger-ui")
    assert [hit["project"] for hit in ours] == [ours[0]["project"]] * len(ours)
    assert ours[0]["project"].endswith("/home/sam/code/ledger-ui")
    by_name = found("--project", ours[0]["project"])
    assert [hit["id"] for hit in by_name] == [hit["id"] for hit in ours]
    assert len(found("--limit", "1")) == 1
    assert found("--since", "2026-01-01") == []
    assert found("--until", "2009-01-01") == []
    assert found("--at", "2009-01-01") == []


@pytest.mark.usefixtures("memory")
def test_nothing_found_is_said_plainly_with_a_hint(run: Run) -> None:
    ran = run("recall", "zeppelin", "--since", "7d")
    assert ran.code == 0
    assert ran.out == "Nothing found. Try it without --since.\n"


def test_asking_leaves_no_memory_behind(run: Run, machine: Path) -> None:
    assert run("recall", "uv").out.startswith("Nothing found.")
    assert run("status").out.startswith("Nothing is remembered yet.")
    assert run("status", "--json").json["episodes"] == 0
    assert not (machine / "memory").exists()


@pytest.mark.usefixtures("memory")
def test_show_takes_the_first_letters_of_an_id(run: Run) -> None:
    hit = run("recall", "uv", "--kind", "correction", "--json").json["hits"][0]
    ran = run("show", hit["id"][:8])
    assert ran.code == 0
    assert hit["id"] in ran.out
    assert "“No, use uv, not pip." in ran.out
    assert "pip install slowapi" in ran.out  # what the agent had done
    assert "recalled   once" in ran.out


@pytest.mark.usefixtures("memory")
def test_show_json_is_the_protocols_record(run: Run) -> None:
    hit = run("recall", "uv", "--json").json["hits"][0]
    record = run("show", hit["id"], "--json").json
    assert (record["type"], record["v"]) == ("episode", "1.0")
    assert json.loads(record["event"])["id"] == hit["id"]


@pytest.mark.usefixtures("memory")
def test_status_counts_by_kind(run: Run) -> None:
    status = run("status", "--json").json
    assert status["by_kind"]["session"] == 2
    assert (status["projects"], status["files"], status["pending"]) == (2, 2, 0)
    assert "2 sessions" in run("status").out


def test_paths_name_the_variable_that_moves_each(
    run: Run, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REMEM_DB", str(machine / "elsewhere.db"))
    for place in run("paths", "--json").json["places"]:
        if place["name"] == "db":
            assert place == {
                "name": "db",
                "path": str(machine / "elsewhere.db"),
                "variable": "REMEM_DB",
            }
    assert "REMEM_HOME" in run("paths").out
