"""What Cursor's configuration gets: the server. Its hooks can not add to a prompt."""

from typing import Final

from remem_agents.setup.definitions import Commands, Definition, Host, server, server_entry
from remem_agents.setup.machine import Machine


def _files(machine: Machine, commands: Commands) -> list[Definition]:
    path = machine.home / ".cursor" / "mcp.json"
    entry = server_entry(server(commands), "mcpServers")
    return [Definition(path, "json", "so that it can ask the memory", (entry,))]


HOST: Final = Host(
    name="cursor",
    title="Cursor",
    signs=lambda machine: [machine.home / ".cursor", "cursor"],
    files=_files,
    after="asks you to allow the server the first time",
)
