"""The shapes in a session file: lines as they are indexed, and messages as they are read.

The same line is decoded twice, first into `Line`, which steps over everything that only a message
needs, then, if it still counts when the file has ended, into `Carrier`.
"""

import re
from typing import Any

import msgspec

from remem_agents.damage import RowFormat

NOTHING = msgspec.Raw(b"")
Stamp = str | int | float | None
# The structs below are `gc=False`: decoded JSON has no cycles.


class Stub(msgspec.Struct, gc=False):
    """What the index wants to know of a message."""

    id: str | None = None
    type: str = ""
    content: msgspec.Raw = NOTHING


class Metadata(msgspec.Struct, rename="camel", gc=False):
    """What is said of the whole session; every field may come later, or again."""

    session_id: str | None = None
    project_hash: str | None = None
    start_time: Stamp = None
    kind: str | None = None
    directories: list[str] | None = None
    messages: list[Stub] | None = None


class Line(Metadata, gc=False, kw_only=True):
    """A line to be indexed: metadata, a message, `$set` or `$rewindTo`."""

    id: str | None = None
    type: str = ""
    set: Metadata | None = msgspec.field(default=None, name="$set")
    rewind_to: str | None = msgspec.field(default=None, name="$rewindTo")


class FunctionCall(msgspec.Struct, gc=False):
    """A call as the model wrote it."""

    id: str | None = None
    name: str | None = None
    args: msgspec.Raw = NOTHING


class FunctionResponse(msgspec.Struct, gc=False):
    """A result as the model got it: by convention {"output"} or {"error"}."""

    id: str | None = None
    name: str | None = None
    response: msgspec.Raw = NOTHING


class Part(msgspec.Struct, rename="camel", gc=False):
    """A part of a message's content."""

    text: str | None = None
    thought: bool | str | None = None
    function_call: FunctionCall | None = None
    function_response: FunctionResponse | None = None


Content = str | list[Part | str] | Part | None


class ToolCall(msgspec.Struct, rename="camel", gc=False):
    """A call with its fate, as the program recorded it."""

    id: str | None = None
    name: str | None = None
    display_name: str | None = None
    args: msgspec.Raw = NOTHING
    result: Content = None
    result_display: msgspec.Raw = NOTHING
    status: str | None = None
    timestamp: Stamp = None


class Message(msgspec.Struct, rename="camel", gc=False):
    """A message: of the user, of gemini, or a notice (info, error, warning)."""

    id: str | None = None
    type: str = ""
    timestamp: Stamp = None
    content: Content = None
    display_content: Content = None
    tool_calls: list[ToolCall] | None = None


class Messages(msgspec.Struct, gc=False):
    """The part of `$set` that carries messages."""

    messages: list[Message] | None = None


class Carrier(Message, gc=False, kw_only=True):
    """A line to be read: a message, or a list of them."""

    messages: list[Message] | None = None
    set: Messages | None = msgspec.field(default=None, name="$set")


def _is_whole(value: dict[str, Any]) -> bool:
    is_message = "id" in value and "type" in value
    return is_message or "sessionId" in value or "$set" in value or "$rewindTo" in value


_START = re.compile(r'\{"(?:id|sessionId|\$set|\$rewindTo)"')
LINES = RowFormat(msgspec.json.Decoder(Line).decode, _START, _is_whole)
CARRIERS = RowFormat(msgspec.json.Decoder(Carrier).decode, _START, _is_whole)

# Inside a quoted text these quotes would be escaped.
_SIGNS = (re.compile(rb'"sessionId"\s*:\s*"'), re.compile(rb'"projectHash"\s*:\s*"'))
_LIST = re.compile(rb'"messages"\s*:\s*\[')
_REPLY = re.compile(rb'"type"\s*:\s*"gemini"')


def recognises(opening: bytes) -> bool:
    """Whether the first bytes of a file are of a Gemini CLI session, of either format."""
    opening = opening.removeprefix(b"\xef\xbb\xbf").lstrip(b"\0 \t\r\n")
    first = opening.split(b"\n", 1)[0]
    try:
        line = LINES.decode(first)
    except (msgspec.MsgspecError, RecursionError):
        if not opening.startswith(b"{"):
            return False
        signed = all(sign.search(opening) for sign in _SIGNS)
        return signed or bool(_LIST.search(opening) and _REPLY.search(opening))
    return line.session_id is not None and line.project_hash is not None
