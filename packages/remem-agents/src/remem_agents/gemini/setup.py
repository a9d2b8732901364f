"""What Gemini CLI's settings get: the server and four hooks, in one file.

Its alias may hold no underscore, its timeouts are milliseconds, and its shell on Windows is
PowerShell, which runs a quoted program only after `&`.
"""

import dataclasses
from pathlib import Path
from typing import Final

from remem_agents.gemini.names import AGENT
from remem_agents.setup.definitions import (
    HOOK_SECONDS,
    NAME,
    Commands,
    Definition,
    Host,
    hook_entries,
    server,
    server_entry,
)
from remem_agents.setup.entries import Entry
from remem_agents.setup.machine import Machine

# BeforeTool takes no context (0.61), so what bears on a call comes with its result.
EVENTS: Final = ("SessionStart", "BeforeAgent", "AfterTool", "AfterAgent")


def folder(machine: Machine) -> Path:
    """Return its folder."""
    given = machine.env.get("GEMINI_CLI_HOME")
    return (Path(given) if given else machine.home) / ".gemini"


def _hooks(machine: Machine, commands: Commands) -> tuple[Entry, ...]:
    entries = hook_entries(machine, commands, AGENT, EVENTS, name=NAME, timeout=HOOK_SECONDS * 1000)
    return tuple(_called(entry) for entry in entries)


def _called(entry: Entry) -> Entry:
    handler = entry.value["hooks"][0]
    if not handler["command"].startswith('"'):
        return entry
    called = handler | {"command": f"& {handler['command']}"}
    return dataclasses.replace(entry, value={"hooks": [called]})


def _files(machine: Machine, commands: Commands) -> list[Definition]:
    entries = (server_entry(server(commands), "mcpServers"), *_hooks(machine, commands))
    why = "so that it can ask the memory, and lessons come at a prompt, a tool call and an answer"
    return [Definition(folder(machine) / "settings.json", "json", why, entries)]


HOST: Final = Host(
    name=AGENT,
    title="Gemini CLI",
    signs=lambda machine: [folder(machine), "gemini"],
    files=_files,
    after="takes it up when it is started anew; `/hooks list` and `/mcp list` show it",
)
