"""What OpenCode's configuration gets: the server. Its hooks are modules of JavaScript."""

from pathlib import Path
from typing import Final

from remem_agents.setup.definitions import Commands, Definition, Host, server_entry
from remem_agents.setup.machine import Machine


def _folder(machine: Machine) -> Path:
    return machine.folder("OPENCODE_CONFIG_DIR", machine.config / "opencode")


def _file(machine: Machine) -> Path:
    commented = _folder(machine) / "opencode.jsonc"
    return commented if machine.exists(commented) else _folder(machine) / "opencode.json"


def _files(machine: Machine, commands: Commands) -> list[Definition]:
    value = {"type": "local", "command": list(commands.serve), "enabled": True}
    entry = server_entry(value, "mcp")
    return [Definition(_file(machine), "json", "so that it can ask the memory", (entry,))]


HOST: Final = Host(
    name="opencode",
    title="OpenCode",
    signs=lambda machine: [_folder(machine), "opencode"],
    files=_files,
    after="takes it up when it is started anew",
)
