"""The events of a log: `{type, data, id, timestamp}` a line, decoded into what we read."""

import re
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec

from remem_agents import lines
from remem_agents.copilot.names import ASSISTANT, RESUME, START, TOOL_END, TOOL_START, USER
from remem_agents.damage import RowFormat
from remem_agents.transcript import ReadNotes


class Part(msgspec.Struct, rename="camel", gc=False):
    """A part of a content; a shell's carries how its program ended."""

    type: str = ""
    text: str | None = None
    exit_code: int | None = None


Content = str | list[Part] | None


class ToolRequest(msgspec.Struct, rename="camel", gc=False):
    """A call that the model asked for in a message."""

    tool_call_id: str | None = None
    name: str | None = None
    arguments: str | dict[str, Any] | None = None
    mcp_server_name: str | None = None
    intention_summary: str | None = None


class Result(msgspec.Struct, rename="camel", gc=False):
    """What a tool gave back, or how a permission was decided."""

    content: Content = None
    contents: list[Part] | None = None
    kind: str | None = None
    feedback: str | None = None


class Error(msgspec.Struct, gc=False):
    """Why a tool gave nothing back."""

    code: str | None = None
    message: str | None = None


class PermissionRequest(msgspec.Struct, rename="camel", gc=False):
    """What the host asked a person to allow."""

    tool_call_id: str | None = None


class Context(msgspec.Struct, gc=False):
    """Where a session runs."""

    cwd: str | None = None


class Data(msgspec.Struct, rename="camel", gc=False):
    """What an event carries; which fields are there depends on its type."""

    session_id: str | None = None
    start_time: str | int | float | None = None
    context: Context | None = None
    detached_from_spawning_parent_session_id: str | None = None
    # user.message; its `transformedContent` is the harness's
    content: Content = None
    source: str | None = None
    delivery: str | None = None
    agent_mode: str | None = None
    is_autopilot_continuation: bool | None = None
    cross_session: Any = None
    # assistant.message
    message_id: str | None = None
    tool_requests: list[ToolRequest] | None = None
    parent_tool_call_id: str | None = None
    # tools and permissions
    tool_call_id: str | None = None
    tool_name: str | None = None
    mcp_server_name: str | None = None
    arguments: str | dict[str, Any] | None = None
    is_user_requested: bool | None = None
    success: bool | None = None
    result: Result | str | None = None
    error: Error | str | None = None
    request_id: str | None = None
    permission_request: PermissionRequest | None = None
    reason: str | None = None


class Row(msgspec.Struct, rename="camel", gc=False):
    """One event; `agent_id` is there when a subagent is at work."""

    type: str = ""
    id: str | None = None
    timestamp: str | int | float | None = None
    agent_id: str | None = None
    ephemeral: bool | None = None
    data: Data | None = None


def _is_whole(value: dict[str, Any]) -> bool:
    return "type" in value and isinstance(value.get("data"), dict)


FORMAT = RowFormat(
    decode=msgspec.json.Decoder(Row).decode,
    start=re.compile(r'\{"(?:type|id|timestamp|parentId|data)"'),
    is_whole=_is_whole,
)
CONVERSATION = frozenset({USER, ASSISTANT, TOOL_START, TOOL_END})
_READ = CONVERSATION | {
    START,
    RESUME,
    "abort",
    "permission.requested",
    "permission.completed",
    "session.snapshot_rewind",
    "tool.user_requested",
}


def read_rows(file: BinaryIO, notes: ReadNotes) -> Iterator[tuple[Row, Data]]:
    """Decode a log event by event, counting lines and damage; never raise for content.

    Gives events of the known types with their data; unknown ones are counted as skipped.
    """
    for row in lines.read_rows(file, FORMAT, notes):
        if row.data is not None and row.type in _READ:
            yield row, row.data
        else:
            notes.skipped += 1


class _Sign(msgspec.Struct):
    type: str = ""
    data: dict[str, Any] | None = None


_decode_sign = msgspec.json.Decoder(_Sign).decode


def recognises(opening: bytes) -> bool:
    """Whether the first bytes of a file are events of Copilot's."""
    for line in opening.split(b"\n"):
        try:
            sign = _decode_sign(line.strip(b"\0 \t\r"))
        except (msgspec.MsgspecError, RecursionError):
            continue
        if sign.data is not None and (sign.type in _READ or sign.type.startswith("session.")):
            return True
    return False


def texts_of(content: Content) -> list[str]:
    """List the texts of a content."""
    if isinstance(content, list):
        return [part.text for part in content if part.text]
    return [content] if content else []
