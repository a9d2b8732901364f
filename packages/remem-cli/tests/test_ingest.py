"""`remem ingest`: what is read, what is told, what is stored."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from remem_protocol import Note, encode

# The fixtures of conftest.py.
Run = Callable[..., Any]
Write = Callable[..., Path]


def _note(text: str) -> bytes:
    return encode(Note(text=text, at="2026-11-29T08:00:00.000000Z", source="owner")) + b"\n"


def _counts(run: Run) -> dict[str, int]:
    counts: dict[str, int] = run("status", "--json").json["by_kind"]
    return counts


def test_ingest_finds_the_agents_own_folder(run: Run, machine: Path, write_session: Write) -> None:
    write_session("rate-limit", folder=machine / ".claude" / "projects" / "-home-sam-code-harbour")
    ran = run("ingest")
    assert ran.code == 0
    assert "Read 1 file" in ran.err
    assert _counts(run)["correction"] >= 1


def test_ingest_without_any_agent_says_what_to_do(run: Run) -> None:
    ran = run("ingest")
    assert ran.code == 1
    assert ran.err.startswith("remem: not-found: no agent's sessions on this machine")


def test_ingest_twice_remembers_nothing_new(run: Run, write_session: Write) -> None:
    path = write_session("release")
    run("ingest", path)
    before = run("status", "--json").json
    ran = run("ingest", path)
    assert ran.code == 0
    assert "1 unchanged" in ran.err
    assert "Remembered 0 new." in ran.err
    assert run("status", "--json").json["by_kind"] == before["by_kind"]


def test_ingest_reads_a_grown_file_again(run: Run, write_session: Write) -> None:
    path = write_session("release")
    whole = path.read_bytes()
    path.write_bytes(b"".join(whole.splitlines(keepends=True)[:4]))
    run("ingest", path)
    before = _counts(run)
    path.write_bytes(whole)
    assert run("ingest", path).code == 0
    after = _counts(run)
    assert after["correction"] > before.get("correction", 0)
    assert after["session"] == before["session"]


def test_damaged_file_is_counted_and_named_and_the_run_goes_on(
    run: Run, write_session: Write
) -> None:
    damaged, whole = write_session("release", 1), write_session("rate-limit", 2)
    lines = damaged.read_bytes().splitlines(keepends=True)
    damaged.write_bytes(
        b"".join([*lines[:3], b"\0" * 300 + b"\n", lines[3][:90] + b"\n", *lines[3:]])
    )
    ran = run("ingest", damaged, whole)
    assert ran.code == 0
    assert f"2 damaged lines in {damaged}" in ran.err
    assert "Read 2 files" in ran.err


def test_missing_file_is_named_and_the_rest_is_read(
    run: Run, machine: Path, write_session: Write
) -> None:
    ran = run("ingest", machine / "gone.jsonl", write_session("release"))
    assert ran.code == 0
    assert f"remem: not-found: no such file or folder in {machine / 'gone.jsonl'}" in ran.err
    assert "Read 1 file (1 failed)." in ran.err


def test_nothing_readable_exits_with_1(run: Run, machine: Path) -> None:
    (machine / "notes.jsonl").write_text("shopping list\n")
    assert run("ingest", machine / "notes.jsonl").code == 1
    assert run("ingest", machine / "gone.jsonl").code == 1


def test_unknown_agent_is_told_with_the_known_ones(run: Run, write_session: Write) -> None:
    ran = run("ingest", write_session("release"), "--agent", "abacus")
    assert ran.code == 1
    assert "claude-code" in ran.err


def test_dry_run_counts_and_leaves_nothing_behind(
    run: Run, machine: Path, write_session: Write
) -> None:
    ran = run("ingest", write_session("release"), "--dry-run")
    assert ran.code == 0
    assert "Would remember" in ran.err
    assert "Would remember 0 new" not in ran.err
    assert not (machine / "memory").exists()


def test_dry_run_changes_no_memory(run: Run, write_session: Write) -> None:
    run("ingest", write_session("rate-limit", 1))
    before = run("status", "--json").json
    run("ingest", write_session("release", 2), "--dry-run")
    after = run("status", "--json").json
    for name in ("by_kind", "sessions", "files", "vectors"):
        assert after[name] == before[name]


def test_vectors_can_wait_for_the_next_run(run: Run, write_session: Write) -> None:
    path = write_session("release")
    run("ingest", path, "--no-embed")
    assert run("status", "--json").json["pending"] > 0
    ran = run("ingest", path)
    assert "Embedded" in ran.err
    assert run("status", "--json").json["pending"] == 0


def test_quiet_says_only_what_went_wrong(run: Run, machine: Path, write_session: Write) -> None:
    path = write_session("release")
    assert run("ingest", path, "--quiet").err == ""
    ran = run("ingest", path, machine / "gone.jsonl", "--quiet")
    assert len(ran.err.splitlines()) == 1


def test_events_are_read_from_a_file(run: Run, machine: Path) -> None:
    file = machine / "events.jsonl"
    file.write_bytes(_note("Deploys go out on Tuesdays.") + _note("The server is called heron."))
    ran = run("ingest", "--events", file)
    assert ran.code == 0
    assert "Remembered 2 new: 2 notes." in ran.err
    again = run("ingest", "--events", file)
    assert "Remembered 0 new." in again.err


def test_bad_event_lines_are_numbered_and_the_good_ones_stored(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    unversioned = json.dumps({"kind": "note", "text": "x"}).encode()
    feed = b"{broken\n\n" + _note("Deploys go out on Tuesdays.") + unversioned + b"\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(feed)))
    ran = run("ingest", "--events", "-")
    assert ran.code == 0
    assert "remem: line 1: malformed: " in ran.err
    assert "remem: line 4: invalid-event: " in ran.err
    assert "remem: 2 lines could not be read" in ran.err
    assert _counts(run) == {"note": 1}


def test_only_bad_events_exit_with_1(run: Run, machine: Path) -> None:
    file = machine / "events.jsonl"
    file.write_bytes(b"[1]\n")
    assert run("ingest", "--events", file).code == 1


def test_event_of_a_later_kind_is_told_not_refused(run: Run, machine: Path) -> None:
    file = machine / "events.jsonl"
    file.write_text('{"v":"1.7","kind":"dream","at":"2026-11-29T08:00:00.000000Z"}\n')
    ran = run("ingest", "--events", file)
    assert ran.code == 0
    assert "1 of a kind that this version does not know" in ran.err


def test_inbox_is_emptied_into_the_memory_and_bad_lines_are_named(
    run: Run, monkeypatch: pytest.MonkeyPatch, machine: Path
) -> None:
    inbox = machine / "inbox"
    inbox.mkdir()
    monkeypatch.setenv("REMEM_INBOX", str(inbox))
    (inbox / "mail.jsonl").write_bytes(_note("Deploys go out on Tuesdays.") + b"{broken\n")
    ran = run("ingest")
    assert ran.code == 0
    assert "From 1 file of the inbox 1 new: 1 note." in ran.err
    assert f"1 line could not be read; moved to {inbox / 'mail.bad'}" in ran.err
    assert [path.name for path in inbox.iterdir()] == ["mail.bad"]
    assert _counts(run) == {"note": 1}
