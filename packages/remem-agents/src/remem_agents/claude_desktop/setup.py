"""What Claude Desktop's configuration gets: the server, defined as for Claude Code.

Its Code tab reads this file too and lets it win over Claude Code's own entry of the same name.
"""

from pathlib import Path
from typing import Final

from remem_agents.setup.definitions import Commands, Definition, Host, server, server_entry
from remem_agents.setup.machine import Machine


def folder(machine: Machine) -> Path:
    """Return the folder of its configuration."""
    if machine.is_windows:
        return machine.app_data / "Claude"
    if machine.is_mac:
        return machine.home / "Library/Application Support/Claude"
    return machine.config / "Claude"


def _files(machine: Machine, commands: Commands) -> list[Definition]:
    path = folder(machine) / "claude_desktop_config.json"
    entry = server_entry(server(commands), "mcpServers")
    return [Definition(path, "json", "so that it can ask the memory", (entry,))]


HOST: Final = Host(
    name="claude-desktop",
    title="Claude Desktop",
    signs=lambda machine: [folder(machine)],
    files=_files,
    after="reads it when it is started anew",
)
