"""What Copilot's configuration gets: the server, for the CLI and for VS Code, which share it.

No hooks: VS Code reads those of Claude Code's settings, and can not add to a prompt by its own.
"""

from pathlib import Path
from typing import Final

from remem_agents.copilot.names import AGENT
from remem_agents.setup.definitions import Commands, Definition, Host, server, server_entry
from remem_agents.setup.machine import Machine


def folder(machine: Machine) -> Path:
    """Return the folder that both read."""
    return machine.folder("COPILOT_HOME", ".copilot")


def _vs_code(machine: Machine) -> Path:
    if machine.is_windows:
        return machine.app_data / "Code" / "User"
    if machine.is_mac:
        return machine.home / "Library/Application Support/Code/User"
    return machine.config / "Code" / "User"


def _files(machine: Machine, commands: Commands) -> list[Definition]:
    entry = server_entry(server(commands, type="local") | {"tools": ["*"]}, "mcpServers")
    path = folder(machine) / "mcp-config.json"
    return [Definition(path, "json", "so that it can ask the memory", (entry,))]


HOST: Final = Host(
    name=AGENT,
    title="VS Code and Copilot CLI",
    signs=lambda machine: [folder(machine), _vs_code(machine), "copilot", "code"],
    files=_files,
    after="asks you to trust the server the first time",
)
