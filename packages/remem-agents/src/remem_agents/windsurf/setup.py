"""What Windsurf's configuration gets: the server."""

from typing import Final

from remem_agents.setup.definitions import Commands, Definition, Host, server, server_entry
from remem_agents.setup.machine import Machine


def _files(machine: Machine, commands: Commands) -> list[Definition]:
    path = machine.home / ".codeium" / "windsurf" / "mcp_config.json"
    entry = server_entry(server(commands), "mcpServers")
    return [Definition(path, "json", "so that it can ask the memory", (entry,))]


HOST: Final = Host(
    name="windsurf",
    title="Windsurf",
    signs=lambda machine: [machine.home / ".codeium" / "windsurf", "windsurf"],
    files=_files,
    after="takes it up at the refresh button of its MCP list",
)
