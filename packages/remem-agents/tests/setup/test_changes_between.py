"""What somebody else changes meanwhile stays; what fails half-way leaves nothing."""

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from configurations import (
    CLAUDE,
    CODEX,
    CONFIGURATIONS,
    GEMINI,
    GOOSE,
    OTHERS_HOOKS,
    SETTINGS,
    TOML,
    YAML,
    Refusals,
    claude_hooks_of_others,
    everything_at_once,
)
from homes import COMMANDS, Home

from remem_agents.setup.edits.json_text import JsonText
from remem_agents.setup.edits.putting import EDITORS, decode
from remem_agents.setup.errors import SetupError
from remem_agents.setup.removal import Reversal

Fill = Callable[[Home], Refusals | None]
JSON = JsonText()


def rewritten(path: Path, change: Callable[[Any], object]) -> None:
    """Do what an agent does: read the file, change something, write all of it in its own layout."""
    document = JSON.load(decode(path.read_bytes()))
    change(document)
    path.write_text(json.dumps(document, indent=2) + "\n")


@pytest.mark.parametrize(
    "fill",
    [fill for name, fill in CONFIGURATIONS.items() if name.startswith(("claude", "gemini"))],
)
def test_a_file_that_its_agent_rewrote_loses_our_entries_alone(home: Home, fill: Fill) -> None:
    fill(home)
    plan = home.set_up()
    originals: dict[Path, Any] = {}
    for change in plan.changes:
        if change.format == "json" and change.state.path.name != "hooks.json":
            before = decode(change.state.data or b"")
            originals[change.state.path] = JSON.load(before) | {"theme": "light"}
            rewritten(change.state.path, lambda document: document.update(theme="light"))
    home.take_back()
    for path, wanted in originals.items():
        assert JSON.load(decode(path.read_bytes())) == wanted


def test_a_line_added_by_hand_stays_and_so_does_every_other_byte(home: Home) -> None:
    everything_at_once(home)
    by_hand = {
        CLAUDE: ('"alwaysThinkingEnabled": true', '"alwaysThinkingEnabled": true,\n  "model": "m"'),
        CODEX: ("[profiles.fast]", "# added\n[profiles.fast]"),
        GOOSE: ("GOOSE_MODE: smart", "GOOSE_LEAD: x  # new\nGOOSE_MODE: smart"),
        GEMINI: ("// nothing yet", "// soon"),
    }
    wanted = {name: home.text(name).replace(old, new) for name, (old, new) in by_hand.items()}
    home.set_up()
    for name, (old, new) in by_hand.items():
        assert old in home.text(name)
        home.write(name, home.text(name).replace(old, new))
    home.take_back()
    assert {name: home.text(name) for name in by_hand} == wanted
    assert home.is_forgotten()


def test_another_programs_hooks_and_servers_added_after_ours_stay(home: Home) -> None:
    home.write(CLAUDE, SETTINGS)
    home.write(CODEX, TOML)
    home.write(GOOSE, YAML)
    home.set_up()
    theirs = {"hooks": [{"type": "command", "command": "other"}]}
    rewritten(home.folder / CLAUDE, lambda d: d["hooks"]["Stop"].append(theirs))
    document = tomlkit.parse(home.text(CODEX))
    document["mcp_servers"]["other"] = {"command": "other"}
    home.write(CODEX, tomlkit.dumps(document))
    home.write(GOOSE, home.text(GOOSE).replace("extensions:\n", "extensions:\n  a: {b: 1}\n"))
    home.take_back()
    assert JSON.load(home.text(CLAUDE)) == json.loads(SETTINGS) | {"hooks": {"Stop": [theirs]}}
    assert tomlkit.parse(home.text(CODEX))["mcp_servers"].keys() == {"notes", "other"}
    assert "# keep" in home.text(CODEX)
    assert home.text(GOOSE) == YAML.replace("extensions:\n", "extensions:\n  a: {b: 1}\n")


def test_a_file_that_somebody_broke_meanwhile_is_refused_and_remembered(home: Home) -> None:
    home.write(CLAUDE, SETTINGS)
    home.write(CODEX, TOML)
    home.set_up()
    home.write(CLAUDE, home.text(CLAUDE) + "}")
    removal = home.take_back()
    assert [(r.host, r.reason) for r in removal.refusals] == [("claude-code", "unreadable")]
    assert home.text(CODEX) == TOML
    home.write(CLAUDE, home.text(CLAUDE)[:-1])
    assert home.take_back().refusals == ()
    assert home.text(CLAUDE) == SETTINGS
    assert home.is_forgotten()


def test_a_file_that_is_gone_or_was_put_back_needs_nothing(home: Home) -> None:
    home.write(CLAUDE, SETTINGS)
    home.write(CODEX, TOML)
    home.set_up()
    (home.folder / CODEX).unlink()
    home.write(CLAUDE, SETTINGS)
    home.take_back()
    assert not (home.folder / CODEX).exists()
    assert home.text(CLAUDE) == SETTINGS
    assert home.is_forgotten()


def test_an_entry_whose_timeout_its_owner_changed_is_still_ours(home: Home) -> None:
    claude_hooks_of_others(home)
    home.set_up()
    rewritten(
        home.folder / CLAUDE,
        lambda d: d["hooks"]["Stop"][-1]["hooks"][0].update(timeout=60),
    )
    home.take_back()
    assert JSON.load(home.text(CLAUDE)) == json.loads(OTHERS_HOOKS)


def test_a_server_of_our_name_that_another_program_put_there_meanwhile_stays(home: Home) -> None:
    home.write(GEMINI, "{}")
    home.set_up()
    other = {"command": "npx", "args": ["remem-cloud"]}
    rewritten(home.folder / GEMINI, lambda d: d["mcpServers"].update(remem=other))
    home.take_back()
    assert json.loads(home.text(GEMINI)) == {"mcpServers": {"remem": other}}


def test_an_upgrade_moves_our_entries_where_they_stand(home: Home) -> None:
    everything_at_once(home)
    before = home.snapshot()
    home.set_up()
    old = home.text(CLAUDE), home.text(CODEX), home.text(".codex/hooks.json"), home.text(GOOSE)
    home.commands = dataclasses.replace(
        COMMANDS,
        hook=["/new/python", "-I", "-S", "/new/remem_agents/hook.py"],
        serve=["/new/remem", "serve"],
    )
    home.set_up()
    now = home.text(CLAUDE), home.text(CODEX), home.text(".codex/hooks.json"), home.text(GOOSE)
    for text, was in zip(now, old, strict=True):
        moved = was.replace("/opt/remem/bin/python", "/new/python")
        moved = moved.replace("/opt/remem/lib/", "/new/").replace("/opt/remem/bin/", "/new/")
        assert text == moved
    home.take_back()
    assert home.snapshot() == before


def test_an_upgrade_after_a_foreign_change_keeps_it(home: Home) -> None:
    home.write(CLAUDE, SETTINGS)
    home.set_up()
    home.write(CLAUDE, home.text(CLAUDE).replace("vim", "emacs"))
    home.commands = dataclasses.replace(
        COMMANDS, hook=["/new/python", "-I", "-S", "/new/remem_agents/hook.py"]
    )
    home.set_up()
    home.take_back()
    assert home.text(CLAUDE) == SETTINGS.replace("vim", "emacs")


# --- failures half-way ---


def test_a_file_changed_between_look_and_write_puts_everything_back(home: Home) -> None:
    everything_at_once(home)
    before = home.snapshot()
    plan = home.plan()
    changed = plan.changes[-1]
    stale = dataclasses.replace(changed.state, data=b"what was there when we looked")
    late = dataclasses.replace(
        plan, changes=(*plan.changes[:-1], dataclasses.replace(changed, state=stale))
    )
    with pytest.raises(SetupError) as failed:
        home.carry_out(late)
    assert failed.value.reason == "changed"
    assert home.snapshot() == before
    assert home.is_forgotten()


def test_a_set_up_that_the_power_ended_can_be_taken_back(home: Home) -> None:
    everything_at_once(home)
    before = home.snapshot()
    plan = home.plan()
    for change in plan.changes:  # what `apply` does before it writes, then half of the writing
        home.notebook.keep(change.base)
    noted = home.notebook.load().noting(*(change.record("") for change in plan.changes))
    home.notebook.save(noted)
    half = plan.changes[: len(plan.changes) // 2]
    for change in half:
        change.state.target.write_bytes(change.after)
    home.take_back()
    assert home.snapshot() == before
    assert home.is_forgotten()


def test_removal_goes_on_where_one_file_fails(home: Home) -> None:
    home.write(CLAUDE, SETTINGS)
    home.write(CODEX, TOML)
    home.set_up()
    removal = home.plan_removal()

    def aged(reversal: Reversal) -> Reversal:
        is_claudes = reversal.state.path.name == "settings.json"
        stale = dataclasses.replace(reversal.state, data=b"earlier")
        return dataclasses.replace(reversal, state=stale) if is_claudes else reversal

    stale = dataclasses.replace(removal, reversals=tuple(map(aged, removal.reversals)))
    failures = home.carry_out_removal(stale)
    assert [(f.host, f.reason) for f in failures] == [("claude-code", "changed")]
    assert home.text(CODEX) == TOML
    home.take_back()
    assert home.text(CLAUDE) == SETTINGS


def test_a_damaged_manifest_is_refused_and_nothing_is_written(home: Home) -> None:
    home.write(CLAUDE, SETTINGS)
    home.notebook.path.write_text('{"records": 3}')
    with pytest.raises(SetupError) as refused:
        home.set_up()
    assert refused.value.reason == "unreadable"
    assert home.text(CLAUDE) == SETTINGS


def test_copies_of_configurations_are_for_their_owner_alone(home: Home) -> None:
    home.write(CLAUDE, SETTINGS)
    home.set_up()
    assert home.notebook.backups.stat().st_mode & 0o077 == 0
    assert home.notebook.path.stat().st_mode & 0o077 == 0
    (copy,) = home.notebook.backups.iterdir()
    assert copy.read_text() == SETTINGS
    assert copy.stat().st_mode & 0o077 == 0


def test_every_format_has_an_editor_that_a_definition_names(home: Home) -> None:
    everything_at_once(home)
    assert {change.format for change in home.plan().changes} <= EDITORS.keys()
