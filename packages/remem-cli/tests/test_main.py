"""The command line as such: usage, errors, streams, interrupts."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from remem_cli.commands import COMMANDS

# The fixtures of conftest.py.
Run = Callable[..., Any]
Write = Callable[..., Path]

REMEM = [sys.executable, "-m", "remem_cli"]


def test_help_lists_every_command(run: Run) -> None:
    ran = run("--help")
    assert ran.code == 0
    assert all(f"\n    {name}" in ran.out for name in COMMANDS)


def test_version_is_told(run: Run) -> None:
    assert run("--version").out == "remem 0.1.0\n"


def test_no_command_is_wrong_usage(run: Run) -> None:
    ran = run()
    assert (ran.code, ran.out) == (2, "")
    assert "COMMAND" in ran.err


@pytest.mark.parametrize(
    "argv",
    [
        ["forget-all"],
        ["recall"],
        ["recall", "pip", "--kind", "rumour"],
        ["recall", "pip", "--since", "yesterday-ish"],
        ["recall", "pip", "--limit", "0"],
        ["recall", "pip", "--project", "a", "--cwd", "b"],
    ],
)
def test_wrong_usage_exits_with_2_and_says_why(run: Run, argv: list[str]) -> None:
    ran = run(*argv)
    assert (ran.code, ran.out) == (2, "")
    assert "error: " in ran.err


def test_error_is_one_line_with_its_code(run: Run) -> None:
    ran = run("show", "abcdefgh")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("remem: not-found: ")
    assert ran.err.count("\n") == 1


def test_foreign_home_is_refused_untouched(run: Run, machine: Path, write_session: Write) -> None:
    home = machine / "memory"
    home.mkdir()
    (home / "somebody-elses.json").write_text("{}")
    for argv in (["ingest", write_session("release")], ["status"], ["recall", "pip"]):
        ran = run(*argv)
        assert ran.code == 1
        assert ran.err.startswith("remem: out-of-scope: ")
    assert [path.name for path in home.iterdir()] == ["somebody-elses.json"]


def test_damaged_store_is_told_without_a_traceback(run: Run, machine: Path) -> None:
    home = machine / "memory"
    home.mkdir()
    (home / ".remem-home").touch()
    (home / "memory.db").write_bytes(b"not a database, " * 400)
    ran = run("status")
    assert ran.code == 1
    assert ran.err.startswith("remem: internal: ")
    assert "Traceback" not in ran.err


def test_debug_variable_shows_the_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REMEM_DEBUG", "1")
    with pytest.raises(Exception, match="nothing is remembered"):
        run("show", "abcdefgh")


def test_closed_pipe_ends_quietly() -> None:
    with subprocess.Popen(
        [*REMEM, "paths"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.close()
        errors = child.stderr.read()
        assert child.wait() == 141
    assert errors == b""


def test_interrupt_exits_with_130_and_one_line() -> None:
    with subprocess.Popen(
        [*REMEM, "ingest", "--events", "-"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as child:
        assert child.stdin is not None
        assert child.stderr is not None
        child.stdin.write(b"not an event\n")
        child.stdin.flush()
        assert child.stderr.readline().startswith(b"remem: line 1: malformed")
        os.kill(child.pid, signal.SIGINT)
        errors = child.stderr.read()
        assert child.wait() == 130
    assert errors.startswith(b"remem: interrupted")
    assert errors.count(b"\n") == 1


@pytest.mark.parametrize("setting", ["REMEM_EMBED", "REMEM_LLM"])
def test_wrong_setting_is_one_clear_error_however_many_files_there_are(
    run: Run, write_session: Write, monkeypatch: pytest.MonkeyPatch, setting: str
) -> None:
    monkeypatch.setenv(setting, "crystal-ball")
    ran = run("ingest", write_session("release"), write_session("date-picker"))
    assert ran.code == 1
    assert ran.err.count(setting) == 1
    assert setting in ran.err.splitlines()[-1]
    assert "Traceback" not in ran.err


def test_adapter_speaks_on_the_standard_streams() -> None:
    feed = '{"id":1,"op":"start","adapter":1,"protocol":"1.0"}\n{"id":2,"op":"stop"}\n'
    done = subprocess.run([*REMEM, "adapter"], input=feed, capture_output=True, text=True)
    assert done.returncode == 0
    first, _ = [json.loads(line) for line in done.stdout.splitlines()]
    assert first["ok"]["implementation"]["name"] == "remem"
