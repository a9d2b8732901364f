"""The calls of the model, under the many names and encodings of Codex's tools."""

import shlex
from typing import Any

import msgspec

from remem_agents.codex.names import POLL, SHELLS
from remem_agents.codex.rows import Item, Payload
from remem_agents.injected import without_injected
from remem_agents.transcript import clip
from remem_agents.turns import OpenCall

MAX_ID = 1024
_MCP = "mcp__"
_WRAPPERS = frozenset({"bash", "sh", "zsh", "pwsh", "powershell", "pwsh.exe", "powershell.exe"})
_SCRIPT_FLAGS = frozenset({"-c", "-lc", "-ic", "-lic", "-Command"})


class _Arguments(msgspec.Struct):
    """What a shell or the tool that looks after it was given."""

    command: str | list[str] | None = None
    cmd: str | list[str] | None = None
    justification: str | None = None
    session_id: int | str | None = None


_decode_arguments = msgspec.json.Decoder(_Arguments).decode


def call_of_row(payload: Payload) -> OpenCall:
    """Make the call of a function_call, custom_tool_call or local_shell_call row."""
    if payload.type == "local_shell_call":
        action = payload.action
        command = command_line(action.command if action else None)
        return _call(payload.call_id or payload.id, "local_shell", command)
    tool = tool_name(payload.namespace, payload.name)
    given = payload.arguments if payload.arguments is not None else payload.input
    text = given if isinstance(given, str) else _as_json(given)
    arguments = _arguments_of(text) if tool in SHELLS or tool == POLL else _Arguments()
    command = command_line(arguments.command or arguments.cmd) if tool in SHELLS else ""
    description = arguments.justification or ""
    return _call(payload.call_id or payload.id, tool, command or text, description)


def call_of_item(item: Item) -> OpenCall | None:
    """Make the call that a completed item tells of; None when it is not a call."""
    if item.type == "CommandExecution":
        return _call(item.id, "exec_command", command_line(item.command))
    if item.type == "FileChange":
        return _call(item.id, "apply_patch", _raw_text(item.changes))
    if item.type == "McpToolCall":
        tool = tool_name(_MCP + (item.server or ""), item.tool)
        return _call(item.id, tool, _raw_text(item.arguments))
    return None


def session_polled(call: OpenCall) -> str | None:
    """Name the running command that a call looks after."""
    if call.tool != POLL:
        return None
    session = _arguments_of(call.input).session_id
    return None if session is None else str(session)


def tool_name(namespace: str | None, name: str | None) -> str:
    """Name a tool; an MCP server's as `mcp__server__tool`, however it was split."""
    if namespace and namespace.startswith(_MCP) and not (name or "").startswith(_MCP):
        return f"{namespace.rstrip('_')}__{(name or '').lstrip('_')}"[:MAX_ID]
    return (name or "unknown")[:MAX_ID]


def command_line(command: str | list[str] | None) -> str:
    """Spell a command as typed: the script that a shell was started for, else argv joined."""
    if not isinstance(command, list):
        return command or ""
    program = command[0].replace("\\", "/").rsplit("/", 1)[-1].lower() if command else ""
    if program in _WRAPPERS and len(command) >= 3 and command[-2] in _SCRIPT_FLAGS:
        return command[-1]
    return shlex.join(command)


def _call(call_id: str | None, tool: str, given: str, description: str = "") -> OpenCall:
    return OpenCall(
        id=(call_id or "")[:MAX_ID],
        tool=tool,
        description=clip(description),
        input=clip(without_injected(given)),
    )


def _arguments_of(text: str) -> _Arguments:
    try:
        return _decode_arguments(text)
    except msgspec.MsgspecError:  # a model may write anything here
        return _Arguments()


def _as_json(value: dict[str, Any] | None) -> str:
    return "" if value is None else msgspec.json.encode(value).decode()


def _raw_text(raw: msgspec.Raw) -> str:
    # The decoder steps over it unread, so it may be damaged still.
    return bytes(raw).decode("utf-8", "replace")
