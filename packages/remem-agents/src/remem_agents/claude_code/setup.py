"""What Claude Code's configuration gets: four hooks in its settings, and the server."""

from pathlib import Path
from typing import Any, Final

from remem_agents.claude_code.names import AGENT
from remem_agents.setup.definitions import (
    HOOK_SECONDS,
    NAME,
    Adder,
    Commands,
    Definition,
    Host,
    hook_entries,
    server,
    server_entry,
)
from remem_agents.setup.entries import HOOK_MARK, Entry
from remem_agents.setup.machine import Machine

EVENTS: Final = ("SessionStart", "UserPromptSubmit", "PreToolUse", "Stop")


def folder(machine: Machine) -> Path:
    """Return the folder of its settings."""
    return machine.folder("CLAUDE_CONFIG_DIR", ".claude")


def state(machine: Machine) -> Path:
    """Return its state file: beside the folder, or inside where the environment moves that."""
    moved = machine.env.get("CLAUDE_CONFIG_DIR")
    return (folder(machine) if moved else machine.home) / ".claude.json"


def hooks(machine: Machine, commands: Commands) -> tuple[Entry, ...]:
    """Return the hooks. A line for the shell: a build before 2.1.139 would not see `args`.

    On Windows the shell may be Git Bash or PowerShell, which quote differently, so words it is.
    """
    if not machine.is_windows:
        return hook_entries(machine, commands, AGENT, EVENTS, timeout=HOOK_SECONDS)
    return tuple(
        Entry(("hooks", event), {"hooks": [_words(commands, event)]}, HOOK_MARK, is_item=True)
        for event in EVENTS
    )


def _words(commands: Commands, event: str) -> dict[str, Any]:
    program, *words = [*commands.hook, AGENT, event]
    return {"type": "command", "command": program, "args": words, "timeout": HOOK_SECONDS}


def _settings(machine: Machine, commands: Commands) -> Definition:
    why = "so that lessons come at a prompt, a tool call and the end of a turn"
    return Definition(folder(machine) / "settings.json", "json", why, hooks(machine, commands))


def _server(machine: Machine, commands: Commands) -> Definition:
    entry = server_entry(server(commands, type="stdio") | {"env": {}}, "mcpServers")
    return Definition(state(machine), "json", "so that it can ask the memory itself", (entry,))


def _adders(machine: Machine, commands: Commands) -> list[Adder]:
    """Let Claude Code write its state file itself: it does so all the time while it runs."""
    program = machine.which("claude")
    if program is None:
        return []
    argv = (program, "mcp", "add", "--scope", "user", NAME, "--", *commands.serve)
    return [Adder(argv, _server(machine, commands))]


def _files(machine: Machine, commands: Commands) -> list[Definition]:
    files = [_settings(machine, commands)]
    return files if machine.which("claude") else [*files, _server(machine, commands)]


HOST: Final = Host(
    name=AGENT,
    title="Claude Code",
    signs=lambda machine: [folder(machine), state(machine), "claude"],
    files=_files,
    adders=_adders,
    after="takes it up by itself; `/hooks` and `/mcp` show it",
)
