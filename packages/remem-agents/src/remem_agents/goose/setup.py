"""What Goose's configuration gets: the server, as an extension."""

from pathlib import Path
from typing import Final

from remem_agents.setup.definitions import NAME, Commands, Definition, Host, server_entry
from remem_agents.setup.machine import Machine

# Goose's unit is the second; its own default.
TIMEOUT: Final = 300


def _folder(machine: Machine) -> Path:
    if machine.is_windows:
        return machine.app_data / "Block" / "goose" / "config"
    return machine.config / "goose"


def _files(machine: Machine, commands: Commands) -> list[Definition]:
    command, *words = commands.serve
    how = {"type": "stdio", "cmd": command, "args": words, "envs": {}}
    value = {"name": NAME} | how | {"enabled": True, "timeout": TIMEOUT}
    entry = server_entry(value, "extensions")
    path = _folder(machine) / "config.yaml"
    return [Definition(path, "yaml", "so that it can ask the memory", (entry,))]


HOST: Final = Host(
    name="goose",
    title="Goose",
    signs=lambda machine: [_folder(machine), "goose"],
    files=_files,
    after="takes it up in the next session",
)
