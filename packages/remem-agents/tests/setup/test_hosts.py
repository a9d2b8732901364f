"""What each agent's files get: the form it reads, where it reads it, on each platform."""

import dataclasses
import json
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
from homes import COMMANDS, Home

from remem_agents import hook
from remem_agents.priming.moments import EVENTS
from remem_agents.registry import READERS
from remem_agents.setup.definitions import Definition, Host
from remem_agents.setup.entries import HOOK_MARK, SERVER_MARK, is_ours, nested
from remem_agents.setup.hosts import HOSTS
from remem_agents.setup.machine import Machine

BY_NAME = {host.name: host for host in HOSTS}
HOOKED = {"claude-code", "codex", "gemini-cli"}
each_hooked = pytest.mark.parametrize("name", sorted(HOOKED))


def on(home: Home, platform: str) -> Machine:
    return dataclasses.replace(home.machine, platform=platform)


def definitions(home: Home, name: str, platform: str = "linux") -> list[Definition]:
    return BY_NAME[name].files(on(home, platform), COMMANDS)


def handlers(home: Home, name: str, platform: str = "linux") -> dict[str, dict[str, Any]]:
    """Return the one handler of each event."""
    return {
        entry.path[1]: entry.value["hooks"][0]
        for definition in definitions(home, name, platform)
        for entry in definition.entries
        if entry.is_item
    }


def test_hooks_are_set_up_where_the_hook_program_knows_the_agent(home: Home) -> None:
    hooked = {host.name for host in HOSTS if host.name != "nightly" and handlers(home, host.name)}
    assert hooked == HOOKED
    assert hooked <= EVENTS.keys()
    assert hooked <= {reader.name for reader in READERS}


@each_hooked
def test_every_event_that_the_hook_program_answers_is_wired(home: Home, name: str) -> None:
    assert EVENTS[name].keys() | {"SessionStart"} == handlers(home, name).keys()


@each_hooked
def test_a_hook_names_its_agent_and_its_event(home: Home, name: str) -> None:
    for event, handler in handlers(home, name).items():
        assert handler["type"] == "command"
        assert shlex.split(handler["command"]) == [*COMMANDS.hook, name, event]


@each_hooked
def test_a_hook_has_five_seconds_in_its_agents_own_unit(home: Home, name: str) -> None:
    unit = 1000 if name == "gemini-cli" else 1
    assert {handler["timeout"] for handler in handlers(home, name).values()} == {5 * unit}


def test_on_windows_claude_code_gets_words_and_no_line_for_a_shell(home: Home) -> None:
    for event, handler in handlers(home, "claude-code", "win32").items():
        assert [handler["command"], *handler["args"]] == [*COMMANDS.hook, "claude-code", event]


def test_on_windows_a_quoted_program_is_called_the_way_of_powershell(home: Home) -> None:
    spaced = ["C:\\Program Files\\py.exe", "-I", "-S", "C:\\r\\remem_agents\\hook.py"]
    commands = dataclasses.replace(COMMANDS, hook=spaced)
    files = BY_NAME["gemini-cli"].files(on(home, "win32"), commands)
    (first, *_) = [entry for entry in files[0].entries if entry.is_item]
    line = first.value["hooks"][0]["command"]
    assert line == "& " + subprocess.list2cmdline([*spaced, "gemini-cli", "SessionStart"])
    assert is_ours(first.value, HOOK_MARK)


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_every_server_entry_starts_the_server_and_is_known_as_ours(
    home: Home, platform: str
) -> None:
    for host in HOSTS:
        servers = [
            entry.value
            for definition in host.files(on(home, platform), COMMANDS)
            for entry in definition.entries
            if entry.path[-1] == "remem"
        ]
        assert len(servers) == (0 if host.name == "nightly" else 1)
        for value in servers:
            words = json.dumps(value)
            assert all(json.dumps(word) in words for word in COMMANDS.serve)
            assert is_ours(value, SERVER_MARK)


@pytest.mark.parametrize(
    "value",
    [
        {"command": "npx", "args": ["-y", "remem"]},
        {"command": "/usr/bin/remem", "args": ["mcp"]},
        {"command": "/opt/remember", "args": ["serve"]},
        {"command": "python", "args": ["/x/my_remem_agents_hook.py", "serve"]},
        {"url": "http://localhost/remem/serve"},
    ],
)
def test_other_programs_are_not_taken_for_ours(value: dict[str, Any]) -> None:
    assert not is_ours(value, SERVER_MARK)
    assert not is_ours(value, HOOK_MARK)


FORMS = {
    "claude-code": ("mcpServers", {"type": "stdio", "env": {}}),
    "claude-desktop": ("mcpServers", {}),
    "codex": ("mcp_servers", {}),
    "gemini-cli": ("mcpServers", {}),
    "cursor": ("mcpServers", {}),
    "windsurf": ("mcpServers", {}),
    "copilot": ("mcpServers", {"type": "local", "tools": ["*"]}),
    "zed": ("context_servers", {"source": "custom", "env": {}}),
}


@pytest.mark.parametrize(("name", "form"), FORMS.items())
def test_the_usual_form_and_what_an_agent_adds_to_it(
    home: Home, name: str, form: tuple[str, dict[str, Any]]
) -> None:
    (entry,) = [e for d in definitions(home, name) for e in d.entries if e.path[-1] == "remem"]
    command, *words = COMMANDS.serve
    assert entry.path == (form[0], "remem")
    assert entry.value == {"command": command, "args": words} | form[1]


def test_opencode_and_goose_have_forms_of_their_own(home: Home) -> None:
    (opencode,) = definitions(home, "opencode")[0].entries
    assert nested(opencode.path, opencode.value)["mcp"]["remem"]["command"] == COMMANDS.serve
    (goose,) = definitions(home, "goose")[0].entries
    assert (goose.value["type"], goose.value["cmd"]) == ("stdio", COMMANDS.serve[0])


PLACES = {
    ("claude-desktop", "darwin"): "Library/Application Support/Claude/claude_desktop_config.json",
    ("claude-desktop", "win32"): "AppData/Roaming/Claude/claude_desktop_config.json",
    ("claude-desktop", "linux"): ".config/Claude/claude_desktop_config.json",
    ("goose", "darwin"): ".config/goose/config.yaml",
    ("goose", "win32"): "AppData/Roaming/Block/goose/config/config.yaml",
    ("zed", "win32"): "AppData/Roaming/Zed/settings.json",
    ("zed", "darwin"): ".config/zed/settings.json",
    ("windsurf", "linux"): ".codeium/windsurf/mcp_config.json",
    ("copilot", "linux"): ".copilot/mcp-config.json",
}


@pytest.mark.parametrize(("where", "place"), PLACES.items())
def test_files_lie_where_each_platform_has_them(
    home: Home, where: tuple[str, str], place: str
) -> None:
    (definition,) = definitions(home, *where)
    assert definition.path == home.folder / place


MOVED = {
    "CLAUDE_CONFIG_DIR": ("claude-code", {"settings.json", ".claude.json"}),
    "CODEX_HOME": ("codex", {"config.toml", "hooks.json"}),
    "GEMINI_CLI_HOME": ("gemini-cli", {".gemini/settings.json"}),
    "COPILOT_HOME": ("copilot", {"mcp-config.json"}),
    "OPENCODE_CONFIG_DIR": ("opencode", {"opencode.json"}),
    "XDG_CONFIG_HOME": ("zed", {"zed/settings.json"}),
}


@pytest.mark.parametrize(("variable", "moved"), MOVED.items())
def test_a_variable_moves_the_files_of_its_agent(
    home: Home, variable: str, moved: tuple[str, set[str]]
) -> None:
    home.env[variable] = "/work/place"
    paths = {d.path.relative_to("/work/place").as_posix() for d in definitions(home, moved[0])}
    assert paths == moved[1]


@pytest.mark.parametrize("host", HOSTS, ids=lambda host: host.name)
def test_an_agent_that_left_no_sign_is_not_set_up(home: Home, host: Host) -> None:
    assert not host.is_here(home.machine)


def test_a_program_on_the_path_is_a_sign(home: Home) -> None:
    home.program("codex", "#!/bin/sh\n")
    assert BY_NAME["codex"].is_here(home.machine)
    assert not BY_NAME["gemini-cli"].is_here(home.machine)


def test_the_two_programs_of_claude_start_the_same_server(home: Home) -> None:
    """Claude Desktop's Code tab reads both files, and one name may mean one thing only."""
    (desktop,) = definitions(home, "claude-desktop")[0].entries
    (code,) = [e for d in definitions(home, "claude-code") for e in d.entries if not e.is_item]
    same = {"command", "args"}
    assert {k: desktop.value[k] for k in same} == {k: code.value[k] for k in same}


def test_the_hook_program_lies_where_its_mark_says() -> None:
    assert Path(hook.__file__).as_posix().endswith("remem_agents/hook.py")
