"""The plugin: the same hooks and server as set-up, in the folder that Claude Code loads."""

import json
from pathlib import Path

import pytest
from homes import COMMANDS, Home

from remem_agents.claude_code.setup import hooks
from remem_agents.setup.errors import SetupError
from remem_agents.setup.plugin import plugin_files, stale_files, write_plugin


def test_the_plugin_holds_the_hooks_and_the_server_of_setup(home: Home) -> None:
    files = plugin_files(home.machine, COMMANDS)
    told = json.loads(files["hooks/hooks.json"])["hooks"]
    assert told == {entry.path[-1]: [entry.value] for entry in hooks(home.machine, COMMANDS)}
    server = json.loads(files[".mcp.json"])["mcpServers"]["remem"]
    assert [server["command"], *server["args"]] == COMMANDS.serve


def test_its_parts_lie_where_claude_code_looks(home: Home) -> None:
    files = plugin_files(home.machine, COMMANDS)
    assert json.loads(files[".claude-plugin/plugin.json"])["name"] == "remem"
    skill = files["skills/remem/SKILL.md"].decode()
    head, _, body = skill.removeprefix("---\n").partition("\n---\n")
    assert [line.partition(":")[0] for line in head.splitlines()] == ["name", "description"]
    assert body.strip()


def test_the_plugin_is_never_written_over_something_else(home: Home, tmp_path: Path) -> None:
    files = plugin_files(home.machine, COMMANDS)
    folder = tmp_path / "skills" / "remem"
    write_plugin(folder, files)
    write_plugin(folder, files)
    assert stale_files(folder, files) == []
    (folder / ".claude-plugin" / "plugin.json").write_text('{"name": "other"}')
    with pytest.raises(SetupError) as refused:
        write_plugin(folder, files)
    assert refused.value.reason == "taken"
