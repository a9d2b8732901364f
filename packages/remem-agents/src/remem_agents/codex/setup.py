"""What Codex's configuration gets: the server in config.toml, and four hooks in hooks.json.

`codex mcp add` writes the same table, but was seen to drop a comment of its owner's (0.171).
"""

from pathlib import Path
from typing import Final

from remem_agents.codex.names import AGENT
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
from remem_agents.setup.machine import Machine

EVENTS: Final = ("SessionStart", "UserPromptSubmit", "PreToolUse", "Stop")


def folder(machine: Machine) -> Path:
    """Return its home."""
    return machine.folder("CODEX_HOME", ".codex")


def hooks_file(machine: Machine) -> Path:
    """Return the file of its hooks; each is trusted by its place in it, so ours come last."""
    return folder(machine) / "hooks.json"


def _files(machine: Machine, commands: Commands) -> list[Definition]:
    entry = server_entry(server(commands), "mcp_servers")
    return [
        Definition(
            folder(machine) / "config.toml", "toml", "so that it can ask the memory", (entry,)
        ),
        Definition(
            hooks_file(machine),
            "json",
            "so that lessons come at a prompt, a tool call and the end of a turn",
            hook_entries(machine, commands, AGENT, EVENTS, timeout=HOOK_SECONDS),
        ),
    ]


HOST: Final = Host(
    name=AGENT,
    title="Codex",
    signs=lambda machine: [folder(machine), "codex"],
    files=_files,
    after=f"skips hooks silently until you trust them: run `/hooks` in Codex and allow {NAME}'s",
)
