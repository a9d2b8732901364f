"""`remem setup`: it shows, asks, does, tells what to do next, and takes all of it back."""

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from remem_cli.demo import copy_of
from remem_cli.programs import host_commands
from remem_protocol import OutOfScopeError

# The fixtures of conftest.py.
Run = Callable[..., Any]

SETTINGS = '{\n  "model": "large", // the big one\n}\n'
MOVED = ("CODEX_HOME", "GEMINI_CLI_HOME", "COPILOT_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR")
MOVED += ("OPENCODE_CONFIG_DIR", "CLAUDE_CODE_SAFE_MODE", "CLAUDE_CODE_SIMPLE")


class Terminal(io.StringIO):
    """A person who types."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def desk(machine: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with Claude Code's folder and no program, so that no real crontab is touched."""
    for name in MOVED:
        monkeypatch.delenv(name, raising=False)
    (machine / "bin").mkdir()
    monkeypatch.setenv("PATH", str(machine / "bin"))
    (machine / ".claude").mkdir()
    (machine / ".claude" / "settings.json").write_text(SETTINGS)
    return machine


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def findings(run: Run) -> dict[str, Any]:
    return {found["name"]: found for found in run("doctor", "--json").json["findings"]}


def test_a_dry_run_shows_every_change_and_makes_none(run: Run, desk: Path) -> None:
    before = files(desk)
    ran = run("setup", "--dry-run")
    assert ran.code == 0
    assert "~/.claude/settings.json" in ran.out
    assert "+ hooks.UserPromptSubmit" in ran.out
    assert "+ mcpServers.remem" in ran.out
    assert f"{sys.executable} -I -S" in ran.out
    assert files(desk) == before


def test_nobody_to_ask_means_nothing_is_done(
    run: Run, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    before = files(desk)
    ran = run("setup")
    assert ran.code == 1
    assert "+ hooks.Stop" in ran.out
    assert "--yes" in ran.err
    assert files(desk) == before


@pytest.mark.parametrize(("answer", "done"), [("y\n", True), ("\n", False), ("no\n", False)])
def test_the_owner_is_asked_and_only_a_yes_counts(
    run: Run, desk: Path, monkeypatch: pytest.MonkeyPatch, answer: str, done: bool
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    assert run("setup").code == (0 if done else 1)
    assert ("remem_agents" in (desk / ".claude/settings.json").read_text()) is done


def test_setup_and_removal_leave_no_trace(run: Run, desk: Path) -> None:
    before = files(desk)
    ran = run("setup", "--yes")
    assert ran.code == 0
    assert "remem doctor" in ran.err
    assert len(json.loads((desk / ".claude.json").read_text())["mcpServers"]) == 1
    removed = run("setup", "--remove", "--yes")
    assert removed.code == 0
    assert "gets the bytes it had before" in removed.out
    assert files(desk) == before
    assert not (desk / "memory").exists()


def test_the_memory_itself_outlives_a_removal(run: Run, desk: Path) -> None:
    run("setup", "--yes")
    run("note", "The orchard listens on port 8417.")
    run("setup", "--remove", "--yes")
    assert (desk / "memory" / "memory.db").exists()
    assert not (desk / "memory" / "setup.json").exists()


def test_a_second_setup_has_nothing_to_do_and_asks_nothing(run: Run, desk: Path) -> None:
    run("setup", "--yes")
    before = files(desk)
    ran = run("setup")
    assert ran.code == 0
    assert "nothing to do" in ran.out
    assert files(desk) == before


def test_one_agent_alone_is_set_up_and_taken_back(run: Run, desk: Path) -> None:
    (desk / ".codex").mkdir()
    run("setup", "--yes")
    before = files(desk / ".claude")
    assert run("setup", "--remove", "--only", "codex", "--yes").code == 0
    assert not files(desk / ".codex")
    assert files(desk / ".claude") == before


def test_an_agent_asked_for_by_name_need_not_be_found(run: Run, desk: Path) -> None:
    run("setup", "--only", "cursor", "--yes")
    assert (desk / ".cursor" / "mcp.json").exists()
    assert (desk / ".claude" / "settings.json").read_text() == SETTINGS
    run("setup", "--remove", "--yes")
    assert not (desk / ".cursor").exists()


def test_an_unknown_name_is_told_with_those_there_are(run: Run) -> None:
    ran = run("setup", "--only", "emacs")
    assert ran.code == 1
    assert "claude-code" in ran.err


def test_a_file_that_is_left_is_named_with_its_reason_and_others_go_on(
    run: Run, desk: Path
) -> None:
    (desk / ".codex").mkdir()
    (desk / ".codex" / "config.toml").write_text("model = \n")
    ran = run("setup", "--yes", "--json")
    assert ran.code == 1
    (refused,) = ran.json["refused"]
    assert (refused["host"], refused["reason"]) == ("codex", "unreadable")
    assert {change["host"] for change in ran.json["changes"]} == {"claude-code", "codex"}
    assert ran.json["applied"] is True


def test_another_programs_folder_is_not_written_into(run: Run, desk: Path) -> None:
    (desk / "memory").mkdir()
    (desk / "memory" / "theirs.db").touch()
    ran = run("setup", "--yes")
    assert ran.code == 1
    assert ran.err.startswith("remem: out-of-scope: ")
    assert (desk / ".claude" / "settings.json").read_text() == SETTINGS


def test_codex_that_can_not_be_asked_is_warned_of(run: Run, desk: Path) -> None:
    (desk / ".codex").mkdir()
    ran = run("setup", "--yes", "--trust-codex-hooks")
    assert ran.code == 0
    assert "run `/hooks` in Codex instead" in ran.err


def test_a_program_that_is_here_for_one_run_is_not_written_into_configurations(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "executable", "/home/sam/.cache/uv/archive-v0/x1/bin/python")
    with pytest.raises(OutOfScopeError, match="this run only"):
        host_commands({})


def test_every_program_is_named_by_its_whole_path() -> None:
    commands = host_commands({"PATH": ""})
    for words in (commands.hook, commands.serve, commands.sleep, commands.ingest):
        assert Path(words[0]).is_absolute()
    assert Path(commands.hook[-1]).name == "hook.py"
    assert Path(commands.hook[-1]).exists()


def test_doctor_tells_what_is_wired(run: Run, desk: Path) -> None:
    assert "remem setup" in findings(run)["setup"]["words"]
    run("setup", "--yes")
    finding = findings(run)["claude-code setup"]
    assert finding["verdict"] == "ok"
    assert "hooks.Stop" in finding["words"]


def test_doctor_finds_what_would_keep_the_hooks_from_running(run: Run, desk: Path) -> None:
    run("setup", "--yes")
    file = desk / ".claude" / "settings.json"
    file.write_text(file.read_text().replace('"model"', '"disableAllHooks": true,\n  "model"'))
    finding = findings(run)["claude-code hooks"]
    assert finding["verdict"] == "warn"
    assert "disableAllHooks" in finding["remedy"]


def test_doctor_finds_hooks_that_fell_silent(run: Run, desk: Path) -> None:
    run("setup", "--yes")
    assert findings(run)["claude-code fired"]["verdict"] == "warn"  # never called
    beat = desk / "memory" / "primed" / "beats" / "claude-code-Stop"
    beat.parent.mkdir(parents=True)
    beat.touch()
    assert findings(run)["claude-code fired"]["verdict"] == "ok"
    session = desk / ".claude" / "projects" / "-orchard" / "s1.jsonl"
    session.parent.mkdir(parents=True)
    session.write_text(copy_of("release", 0), "utf-8")
    os.utime(beat, (0, 0))
    assert "but it was used 0 min ago" in findings(run)["claude-code fired"]["words"]


def test_a_plugin_is_written_checked_and_found_stale(run: Run, desk: Path) -> None:
    folder = desk / "plugin"
    assert run("setup", "--plugin", folder, "--check").code == 1
    assert run("setup", "--plugin", folder).code == 0
    assert run("setup", "--plugin", folder, "--check").code == 0
    (folder / "hooks" / "hooks.json").write_text("{}")
    ran = run("setup", "--plugin", folder, "--check", "--json")
    assert ran.code == 1
    assert ran.json["stale"] == ["hooks/hooks.json"]


def test_a_plugin_is_not_written_over_something_else(run: Run, desk: Path) -> None:
    ran = run("setup", "--plugin", desk / ".claude")
    assert ran.code == 1
    assert "holds something else" in ran.err
