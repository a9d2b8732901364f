"""The rows of a rollout, in its three shapes, decoded into just the fields we read.

Enveloped rows are `{timestamp, type, payload}`; before September 2025 the payloads stood bare on
their lines, behind a first line of the session's own data. Bare ones are put into envelopes here.
"""

import re
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec

from remem_agents import lines
from remem_agents.codex.names import CONTEXT, EVENT, ITEM, META, PACKED
from remem_agents.damage import RowFormat
from remem_agents.transcript import ReadNotes

_NOTHING = msgspec.Raw(b"")
# The structs below are `gc=False`: decoded JSON has no cycles, and collecting costs a tenth.


class Part(msgspec.Struct, gc=False):
    """A part of a message or an output: input_text, output_text, Text, input_image …"""

    type: str = ""
    text: str | None = None
    content: str | None = None  # the oldest outputs: {content, success}
    success: bool | None = None


Parts = str | list[Part] | Part | None


class McpResult(msgspec.Struct, gc=False):
    """What an MCP server answered: `{Ok: {isError}}` or `{Err}` in events, bare in items."""

    ok: "McpResult | None" = msgspec.field(name="Ok", default=None)
    err: str | None = msgspec.field(name="Err", default=None)
    is_error: bool | None = msgspec.field(name="isError", default=None)
    is_error_old: bool | None = msgspec.field(name="is_error", default=None)
    content: Parts = None


class Invocation(msgspec.Struct, gc=False):
    """Which tool of which MCP server was called."""

    server: str = ""
    tool: str = ""


class Item(msgspec.Struct, gc=False):
    """What an item_completed event tells of: the event channel of paginated histories."""

    type: str = ""
    id: str | None = None
    content: Parts = None
    text: str | None = None
    command: str | list[str] | None = None
    status: str | None = None
    source: str | None = None
    exit_code: int | None = None
    stdout: str | None = None
    stderr: str | None = None
    aggregated_output: str | None = None
    server: str | None = None
    tool: str | None = None
    arguments: msgspec.Raw = _NOTHING
    result: McpResult | str | None = None
    error: Any = None
    changes: msgspec.Raw = _NOTHING


class Action(msgspec.Struct, gc=False):
    """What a local_shell_call or a web search does."""

    type: str = ""
    command: str | list[str] | None = None


class Payload(msgspec.Struct, gc=False):
    """What a row carries; which fields are there depends on its type."""

    type: str = ""
    # session_meta
    id: str | None = None
    session_id: str | None = None
    timestamp: str | int | float | None = None
    cwd: str | None = None
    source: str | dict[str, Any] | None = None
    originator: str | None = None
    forked_from_id: str | None = None
    parent_thread_id: str | None = None
    subagent_history_start_ordinal: int | None = None
    # turn_context, and the events of a turn
    turn_id: str | None = None
    approval_policy: str | dict[str, Any] | None = None
    reason: str | None = None
    num_turns: int | None = None
    # response items
    role: str | None = None
    content: Parts = None
    name: str | None = None
    namespace: str | None = None
    arguments: str | dict[str, Any] | None = None
    input: str | dict[str, Any] | None = None
    action: Action | None = None
    call_id: str | None = None
    output: Parts = None
    # events
    message: str | dict[str, Any] | None = None
    kind: str | None = None
    status: str | None = None
    success: bool | None = None
    stdout: str | None = None
    stderr: str | None = None
    result: McpResult | str | None = None
    invocation: Invocation | None = None
    item: Item | None = None


class Row(msgspec.Struct, gc=False):
    """One row of a rollout, in its envelope."""

    type: str = ""
    timestamp: str | int | float | None = None
    ordinal: int | None = None
    payload: Payload | None = None
    # of bare rows
    id: str | None = None
    record_type: str | None = None


_decode_envelope = msgspec.json.Decoder(Row).decode
_decode_payload = msgspec.json.Decoder(Payload).decode
_BARE_ITEMS = frozenset(
    {"message", "reasoning", "function_call", "function_call_output", "custom_tool_call",
     "custom_tool_call_output", "local_shell_call", "web_search_call"}
)  # fmt: skip


def _decode(line: bytes) -> Row:
    row = _decode_envelope(line)
    if row.payload is None:
        if row.type in _BARE_ITEMS:
            row.type, row.payload = ITEM, _decode_payload(line)
        elif not row.type and row.id is not None and row.record_type is None:
            row.type, row.payload = META, _decode_payload(line)
    return row


def _is_whole(value: dict[str, Any]) -> bool:
    return ("payload" in value and "timestamp" in value) or str(value.get("type")) in _BARE_ITEMS


FORMAT = RowFormat(
    decode=_decode,
    start=re.compile(r'\{"(?:timestamp|type|ordinal|payload|record_type)"'),
    is_whole=_is_whole,
)
_READ = frozenset({ITEM, EVENT, META, CONTEXT})


def read_rows(file: BinaryIO, notes: ReadNotes) -> Iterator[tuple[Row, Payload]]:
    """Decode a rollout row by row, counting lines and damage; never raise for content.

    Gives rows of the known types with their payloads; unknown ones are counted as skipped.
    """
    for row in lines.read_rows(file, FORMAT, notes):
        if row.payload is not None and row.type in _READ:
            yield row, row.payload
        else:
            notes.skipped += 1


class _Sign(msgspec.Struct):
    """The fields by which a row shows that Codex wrote it."""

    type: str = ""
    payload: msgspec.Raw = _NOTHING
    record_type: str | None = None
    id: str | None = None
    timestamp: str | int | float | None = None
    instructions: msgspec.Raw = _NOTHING
    originator: str | None = None


_decode_sign = msgspec.json.Decoder(_Sign).decode
_ENVELOPES = _READ | {"compacted", "world_state"}
# The first row may be longer than the opening, and old files are one object.
_CUT = re.compile(
    rb'\{"timestamp":"[^"]+",(?:"ordinal":\d+,)?"type":"session_meta","payload":'
    rb'|\A\s*\{\s*"session"\s*:\s*\{[^{}]*"(?:instructions|timestamp)"'
)
_UNPACKED_BYTES = 256 * 1024


def recognises(opening: bytes) -> bool:
    """Whether the first bytes of a file are rows of a rollout, or a packed one's."""
    if opening.startswith(PACKED):
        from remem_agents.codex.compressed import opening_of  # few need it: kept off the start

        opening = opening_of(opening, _UNPACKED_BYTES)
    for line in opening.split(b"\n"):
        try:
            sign = _decode_sign(line.strip(b"\0 \t\r"))
        except (msgspec.MsgspecError, RecursionError):
            continue
        if _is_ours(sign):
            return True
    return _CUT.search(opening) is not None


def _is_ours(sign: _Sign) -> bool:
    if sign.type:
        return sign.type in _ENVELOPES and bytes(sign.payload).startswith(b"{")
    if sign.record_type == "state":
        return True
    told = bool(bytes(sign.instructions)) or sign.originator is not None
    return sign.id is not None and sign.timestamp is not None and told
