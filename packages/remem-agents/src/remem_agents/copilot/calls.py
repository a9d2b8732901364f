"""The calls of the model: asked for in a message, or only seen when they start."""

from typing import Any

import msgspec

from remem_agents.copilot.names import SHELLS
from remem_agents.copilot.rows import Data, ToolRequest
from remem_agents.injected import without_injected
from remem_agents.transcript import clip
from remem_agents.turns import OpenCall

_MAX_ID = 1024
_OWN_SERVER = "remem-"


class _Arguments(msgspec.Struct):
    command: str = ""
    description: str = ""


_decode_arguments = msgspec.json.Decoder(_Arguments).decode


def call_of_request(request: ToolRequest) -> OpenCall:
    """Make the call that a message asks for."""
    tool = _tool(request.mcp_server_name, request.name)
    return _call(request.tool_call_id, tool, request.arguments, request.intention_summary)


def call_of_start(data: Data) -> OpenCall:
    """Make the call that a tool.execution_start event tells of."""
    tool = _tool(data.mcp_server_name, data.tool_name)
    return _call(data.tool_call_id, tool, data.arguments, None)


def _tool(server: str | None, name: str | None) -> str:
    """Name a tool, an MCP server's as `mcp__server__tool`; Copilot joins them by a hyphen."""
    name = name or "unknown"
    if server is None and name.startswith(_OWN_SERVER):
        server = _OWN_SERVER[:-1]
    if server:
        name = f"mcp__{server}__{name.removeprefix(f'{server}-')}"
    return name[:_MAX_ID]


def _call(
    call_id: str | None, tool: str, given: str | dict[str, Any] | None, intention: str | None
) -> OpenCall:
    text = given if isinstance(given, str) else _as_json(given)
    arguments = _arguments_of(text)
    command = arguments.command if tool in SHELLS else ""
    return OpenCall(
        id=(call_id or "")[:_MAX_ID],
        tool=tool,
        description=clip(arguments.description or intention or ""),
        input=clip(without_injected(command or text)),
    )


def _as_json(value: dict[str, Any] | None) -> str:
    return "" if value is None else msgspec.json.encode(value).decode()


def _arguments_of(text: str) -> _Arguments:
    try:
        return _decode_arguments(text)
    except msgspec.MsgspecError:  # a tool of another make, or of a grammar of its own
        return _Arguments()
