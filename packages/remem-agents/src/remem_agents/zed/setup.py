"""What Zed's settings get: the server."""

from pathlib import Path
from typing import Final

from remem_agents.setup.definitions import Commands, Definition, Host, server, server_entry
from remem_agents.setup.machine import Machine


def _folder(machine: Machine) -> Path:
    if machine.is_windows:
        return machine.app_data / "Zed"
    return (machine.home / ".config" if machine.is_mac else machine.config) / "zed"


def _files(machine: Machine, commands: Commands) -> list[Definition]:
    value = server(commands, source="custom") | {"env": {}}
    entry = server_entry(value, "context_servers")
    path = _folder(machine) / "settings.json"
    return [Definition(path, "json", "so that it can ask the memory", (entry,))]


HOST: Final = Host(
    name="zed",
    title="Zed",
    signs=lambda machine: [_folder(machine), "zed"],
    files=_files,
    after="takes it up by itself",
)
