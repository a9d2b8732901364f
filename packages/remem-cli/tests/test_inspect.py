"""`remem inspect`: what would be remembered, and nothing stored."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from remem_protocol import AgentTurn, PersonTurn, Session, encode

# The fixtures of conftest.py.
Run = Callable[..., Any]
Write = Callable[..., Path]

AT = "2026-03-04T05:06:07.000000Z"


def _session(name: str, said: str) -> bytes:
    turns = (AgentTurn(at=AT, text="Installed it with pip."), PersonTurn(at=AT, text=said))
    return encode(Session(id=name, agent="test", project="p", started=AT, ended=AT, turns=turns))


def test_inspect_reads_an_agents_file(run: Run, machine: Path, write_session: Write) -> None:
    ran = run("inspect", write_session("release"))
    assert ran.code == 0
    assert "never force-push main" in ran.out
    assert not (machine / "memory").exists()


def test_inspect_answers_each_neutral_session_in_order(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed = _session("one", "No, use uv, not pip.") + b"\n" + _session("two", "Thanks!") + b"\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(feed)))
    ran = run("inspect", "-", "--json")
    answers = [json.loads(line) for line in ran.out.splitlines()]
    assert [answer["session"] for answer in answers] == ["one", "two"]
    assert "correction" in [event["kind"] for event in answers[0]["events"]]
    assert "correction" not in [event["kind"] for event in answers[1]["events"]]


def test_bad_session_is_told_and_the_next_one_answered(run: Run, machine: Path) -> None:
    file = machine / "sessions.jsonl"
    file.write_bytes(b'{"type":"session","v":"1.0"}\n' + _session("two", "Thanks!") + b"\n")
    ran = run("inspect", file, "--json")
    assert ran.code == 0
    assert ran.err.startswith("remem: line 1: invalid-session: ")
    assert json.loads(ran.out)["session"] == "two"


def test_file_of_no_session_is_an_error(run: Run, machine: Path) -> None:
    file = machine / "notes.txt"
    file.write_text("shopping list\n")
    assert run("inspect", file).code == 1
    assert run("inspect", machine / "gone").err.startswith("remem: not-found: ")


def test_inspect_reads_an_agents_session_from_stdin(
    run: Run, write_session: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = write_session("rate-limit").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert "use uv, not pip" in run("inspect", "-", "--json").out
