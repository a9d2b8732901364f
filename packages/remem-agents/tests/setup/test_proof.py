"""What keeps a wired agent from us is found, and said what to do about."""

import dataclasses
import datetime
import json
from pathlib import Path

import pytest
from configurations import CLAUDE, CODEX, GEMINI, SETTINGS, TOML, everything_at_once
from homes import COMMANDS, Home

from remem_agents.setup.proof import Finding, check

FIRED = {
    "claude-code-Stop": datetime.timedelta(minutes=5),
    "claude-code-PreToolUse": datetime.timedelta(hours=5),
    "codex-Stop": datetime.timedelta(days=20),
    "gemini-cli-BeforeAgent": datetime.timedelta(),
}


def found(home: Home, cwd: Path | None = None) -> dict[str, Finding]:
    """Return the findings that are no praise, by their names."""
    commands = home.commands
    machine = home.machine
    told = check(machine, commands, home.notebook.load(), FIRED, cwd)
    return {finding.name: finding for finding in told if finding.verdict != "ok"}


@pytest.fixture
def wired(home: Home) -> Home:
    """Everything is set up, with programs that are there."""
    everything_at_once(home)
    folder = home.programs
    for name in ("python", "remem"):
        home.program(name, "#!/bin/sh\n")
    (folder / "remem_agents").mkdir()
    hook = folder / "remem_agents" / "hook.py"
    hook.touch()
    home.commands = dataclasses.replace(
        COMMANDS,
        hook=[str(folder / "python"), "-I", "-S", str(hook)],
        serve=[str(folder / "remem"), "serve"],
    )
    home.set_up()
    return home


def test_a_machine_without_agents_is_told_of_setup(home: Home) -> None:
    (finding,) = check(home.machine, COMMANDS, home.notebook.load(), {})
    assert finding.verdict == "ok"
    assert "remem setup" in finding.words


def test_all_is_well_but_for_codex_which_waits_for_its_owner(wired: Home) -> None:
    assert found(wired).keys() == {"codex trust"}
    assert "/hooks" in found(wired)["codex trust"].remedy


def test_consent_in_codex_is_seen_for_each_hook_at_its_place(wired: Home) -> None:
    file = wired.folder / ".codex" / "hooks.json"
    events = {"session_start": 0, "user_prompt_submit": 0, "pre_tool_use": 0, "stop": 1}
    states = [
        f'[hooks.state."{file}:{event}:{group}:0"]\ntrusted_hash = "sha256:0"\n'
        for event, group in events.items()
    ]
    wired.write(CODEX, wired.text(CODEX) + "".join(states[:-1]))
    assert found(wired)["codex trust"].words.endswith(": Stop")
    wired.write(CODEX, wired.text(CODEX) + states[-1])
    assert "codex trust" not in found(wired)


def test_hooks_that_codex_was_told_to_leave_are_found(wired: Home) -> None:
    wired.write(CODEX, wired.text(CODEX) + "[features]\nhooks = false\n")
    assert "[features]" in found(wired)["codex hooks"].remedy


def test_a_hooks_file_that_codex_passes_over_is_found(wired: Home) -> None:
    text = wired.text(".codex/hooks.json")
    wired.write(".codex/hooks.json", text.replace('"hooks"', '"model": "m",\n  "hooks"', 1))
    assert "'model'" in found(wired)["codex hooks"].words


def test_an_entry_that_went_missing_is_found(wired: Home) -> None:
    wired.write(CODEX, TOML)
    finding = found(wired)["codex setup"]
    assert finding.verdict == "warn"
    assert "mcp_servers.remem is missing" in finding.words


def test_a_file_that_its_agent_can_not_read_is_a_failure(wired: Home) -> None:
    wired.write(CLAUDE, SETTINGS[:40])
    assert found(wired)["claude-code setup"].verdict == "fail"


def test_a_moved_program_is_found(wired: Home) -> None:
    (wired.programs / "python").unlink()
    finding = found(wired)["programs"]
    assert finding.verdict == "fail"
    assert str(wired.programs / "python") in finding.words


def test_entries_of_an_earlier_version_are_found(wired: Home) -> None:
    wired.commands = dataclasses.replace(
        wired.commands, serve=[str(wired.programs / "x/remem"), "serve"]
    )
    assert "not as it would be now" in found(wired)["codex setup"].words


def test_another_remem_on_the_path_is_found(wired: Home) -> None:
    wired.commands = dataclasses.replace(wired.commands, serve=["/elsewhere/remem", "serve"])
    assert "/elsewhere/remem" in found(wired)["programs"].words


@pytest.mark.parametrize("place", [".claude/settings.json", "code/.claude/settings.local.json"])
def test_hooks_turned_off_for_everything_or_here_are_found(wired: Home, place: str) -> None:
    text = wired.text(place) if (wired.folder / place).exists() else "{}"
    settings = json.loads(text) | {"disableAllHooks": True}
    wired.write(place, json.dumps(settings))
    assert "claude-code hooks" in found(wired, wired.folder / "code")


def test_an_environment_without_hooks_is_found(wired: Home) -> None:
    wired.env["CLAUDE_CODE_SIMPLE"] = "1"
    assert found(wired)["claude-code hooks"].remedy == "unset CLAUDE_CODE_SIMPLE"


def test_a_folder_that_claude_code_does_not_trust_is_found(wired: Home) -> None:
    project = wired.folder / "code"
    state = json.loads(wired.text(".claude.json"))
    state["projects"] = {str(project): {"hasTrustDialogAccepted": False}}
    wired.write(".claude.json", json.dumps(state))
    assert "claude-code trust" in found(wired, project)
    assert "claude-code trust" not in found(wired, wired.folder / "other")


def test_a_plugin_beside_setup_is_found(wired: Home) -> None:
    wired.write(".claude/skills/remem/.claude-plugin/plugin.json", '{"name": "remem"}')
    assert "twice" in found(wired)["claude-code plugin"].words


def test_gemini_told_to_leave_our_hooks_is_found(wired: Home) -> None:
    text = wired.text(GEMINI).replace('"model"', '"hooksConfig": {"disabled": ["remem"]}, "model"')
    wired.write(GEMINI, text)
    assert found(wired).keys() >= {"gemini-cli hooks"}


def test_when_each_hook_was_called_last_is_told(wired: Home) -> None:
    told = check(wired.machine, wired.commands, wired.notebook.load(), FIRED)
    words = {finding.name: finding.words for finding in told}
    assert words["claude-code fired"] == "last called: PreToolUse 5 h ago, Stop 5 min ago"
    assert words["codex fired"] == "last called: Stop 20 days ago"
    assert "zed fired" not in words


def test_hooks_that_were_never_called_are_found(wired: Home) -> None:
    told = check(wired.machine, wired.commands, wired.notebook.load(), {})
    silent = {finding.name for finding in told if "ever called" in finding.words}
    assert silent == {"claude-code fired", "codex fired", "gemini-cli fired"}


def test_hooks_that_fell_silent_while_their_agent_is_used_are_found(wired: Home) -> None:
    used = {"codex": datetime.timedelta(hours=3), "claude-code": datetime.timedelta(minutes=1)}
    told = check(wired.machine, wired.commands, wired.notebook.load(), FIRED, None, used)
    fired = {finding.name: finding for finding in told if finding.name.endswith("fired")}
    assert fired["codex fired"].verdict == "warn"
    assert fired["codex fired"].words.endswith("20 days ago; but it was used 3 h ago")
    assert fired["claude-code fired"].verdict == "ok"
    used["codex"] = datetime.timedelta(days=19)  # nobody has worked with it since
    told = check(wired.machine, wired.commands, wired.notebook.load(), FIRED, None, used)
    assert "warn" not in {f.verdict for f in told if f.name.endswith("fired")}
