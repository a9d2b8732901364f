"""Where an agent has a command of its own: `claude mcp add`, and Codex's word on its hooks."""

import dataclasses
import json
import stat

import pytest
from configurations import CLAUDE, CODEX, SETTINGS, TOML
from homes import COMMANDS, Home

from remem_agents.codex.setup import HOST as CODEX_HOST
from remem_agents.codex.trust import consents, hooks_known
from remem_agents.setup.errors import SetupError

# What Claude Code 2.1.197 was seen to do: write the file anew, with more of its own in it.
CLAUDE_PROGRAM = """#!/usr/bin/env python3
import json, os, pathlib, sys
assert sys.argv[1:6] == ["mcp", "add", "--scope", "user", "remem"], sys.argv
assert sys.argv[6] == "--" and os.environ["DISABLE_TELEMETRY"] == "1"
path = pathlib.Path(os.environ["HOME"], ".claude.json")
state = json.loads(path.read_text()) if path.exists() else {}
state["userID"] = "u"
servers = state.setdefault("mcpServers", {})
servers["remem"] = {"type": "stdio", "command": sys.argv[7], "args": sys.argv[8:], "env": {}}
path.write_text(json.dumps(state, indent=2))
"""
BROKEN = "#!/bin/sh\necho 'needs a newer Node' >&2\nexit 1\n"
# What Codex 0.171 answers over its app server, with a hash of its own making.
CODEX_PROGRAM = """#!/usr/bin/env python3
import json, os, pathlib, sys
assert sys.argv[1:] == ["app-server"]
file = pathlib.Path(os.environ["HOME"], ".codex", "hooks.json")
for line in sys.stdin:
    asked = json.loads(line)
    if asked["method"] == "initialize":
        print(json.dumps({"id": asked["id"], "result": {}}), flush=True)
        print(json.dumps({"method": "configWarning", "params": {}}), flush=True)
    elif asked["method"] == "hooks/list":
        hooks = [
            {"key": f"{file}:{event}:{group}:0", "command": found["hooks"][0]["command"],
             "currentHash": "sha256:" + event, "source": "user", "trustStatus": "untrusted"}
            for event, groups in json.loads(file.read_text())["hooks"].items()
            for group, found in enumerate(groups) if found.get("hooks")
        ]
        told = {"hooks": hooks, "warnings": ["unknown field `other`"] if not hooks else []}
        print(json.dumps({"id": asked["id"], "result": {"data": [told]}}), flush=True)
"""


def test_claude_code_is_asked_to_add_the_server_itself(home: Home) -> None:
    home.program("claude", CLAUDE_PROGRAM)
    home.write(".claude.json", '{"projects": {},\n "numStartups": 7}', mode=0o600)
    before = home.snapshot()
    plan = home.set_up()
    assert [addition.host for addition in plan.additions] == ["claude-code"]
    state = json.loads(home.text(".claude.json"))
    assert state["mcpServers"]["remem"]["command"] == COMMANDS.serve[0]
    assert home.set_up().is_empty
    home.take_back()
    assert {k: v for k, v in home.snapshot().items() if k != ".claude"} == before


def test_what_claude_code_writes_after_is_kept_and_our_server_goes(home: Home) -> None:
    home.program("claude", CLAUDE_PROGRAM)
    home.write(".claude.json", '{"numStartups": 7}', mode=0o600)
    home.set_up()
    state = json.loads(home.text(".claude.json")) | {"numStartups": 8}
    home.write(".claude.json", json.dumps(state, indent=2), mode=0o600)
    home.take_back()
    assert json.loads(home.text(".claude.json")) == {"numStartups": 8, "userID": "u"}


def test_a_claude_code_that_does_not_start_is_done_without(home: Home) -> None:
    home.program("claude", BROKEN)
    home.write(CLAUDE, SETTINGS)
    home.write(".claude.json", '{"numStartups": 7}\n', mode=0o600)
    before = home.snapshot()
    home.set_up()
    assert home.text(".claude.json").startswith('{"numStartups": 7, "mcpServers": {"remem"')
    home.take_back()
    assert home.snapshot() == before


def test_a_file_made_for_the_server_is_private(home: Home) -> None:
    home.write(CLAUDE, SETTINGS)
    home.set_up()
    mode = (home.folder / ".claude.json").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


def with_consent(home: Home) -> None:
    """Set up, then again with the consents that Codex's answer asks for."""
    home.set_up()
    definition = consents(home.machine, home.commands)
    trusting = dataclasses.replace(CODEX_HOST, files=lambda machine, commands: [definition])
    hosts, home.hosts = home.hosts, (trusting,)
    home.set_up()
    home.hosts = hosts


def test_consent_is_noted_where_codex_looks_for_it_and_taken_back_with_the_rest(
    home: Home,
) -> None:
    home.program("codex", CODEX_PROGRAM)
    home.write(CODEX, TOML)
    other = {"hooks": [{"type": "command", "command": "say done"}]}
    home.write(".codex/hooks.json", json.dumps({"hooks": {"Stop": [other]}}))
    before = home.snapshot()
    with_consent(home)
    text = home.text(CODEX)
    key = f"{home.folder}/.codex/hooks.json:Stop:1:0"
    assert f'[hooks.state."{key}"]\ntrusted_hash = "sha256:Stop"\n' in text
    assert ":Stop:0:0" not in text  # another's hook is its owner's to review
    assert text.startswith(TOML)
    home.take_back()
    assert home.snapshot() == before


def test_a_later_setup_without_consent_keeps_the_one_that_was_given(home: Home) -> None:
    home.program("codex", CODEX_PROGRAM)
    home.write(CODEX, TOML)
    before = home.snapshot()
    with_consent(home)
    home.commands = dataclasses.replace(COMMANDS, serve=["/new/remem", "serve"])
    home.set_up()
    assert "trusted_hash" in home.text(CODEX)
    assert "/new/remem" in home.text(CODEX)
    home.take_back()
    assert home.snapshot() == before


def test_a_codex_that_can_not_be_asked_is_told_and_changes_nothing(home: Home) -> None:
    home.write(CODEX, TOML)
    with pytest.raises(SetupError, match="not on the PATH"):
        hooks_known(home.machine)
    home.program("codex", BROKEN)
    with pytest.raises(SetupError) as failed:
        hooks_known(home.machine)
    assert failed.value.reason == "failed"


def test_a_hooks_file_that_codex_does_not_read_is_told_with_its_own_words(home: Home) -> None:
    home.program("codex", CODEX_PROGRAM)
    home.write(".codex/hooks.json", '{"hooks": {}, "other": 1}')
    with pytest.raises(SetupError, match="unknown field `other`"):
        consents(home.machine, home.commands)
