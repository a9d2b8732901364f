"""The rows of a session file: one line is one row, decoded into just the fields we read."""

import re
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec

from remem_agents import lines
from remem_agents.damage import RowFormat
from remem_agents.transcript import ReadNotes

_NOTHING = msgspec.Raw(b"")
# The structs below are `gc=False`: decoded JSON has no cycles, and collecting costs a tenth.


class Inner(msgspec.Struct, gc=False):
    """A block inside a result or a queued prompt."""

    type: str = ""
    text: str | None = None


class Block(msgspec.Struct, gc=False):
    """A block of a message: text, tool_use, tool_result, thinking, image …"""

    type: str = ""
    text: str | None = None
    id: str | None = None
    name: str | None = None
    input: msgspec.Raw = _NOTHING
    tool_use_id: str | None = None
    content: str | list[Inner] | dict[str, Any] | None = None
    is_error: bool | None = None


class Message(msgspec.Struct, gc=False):
    """The API's message inside a row; one message may be spread over several rows."""

    id: str | None = None
    model: str | None = None
    content: str | list[Block] | None = None


class Origin(msgspec.Struct, gc=False):
    """Who wrote a user row."""

    kind: str | None = None


class Decision(msgspec.Struct, gc=False):
    """How a permission was decided, and by whom."""

    decision: str | None = None
    source: str | None = None


class Attachment(msgspec.Struct, rename="camel", gc=False):
    """What a row of type attachment carries; only queued_command holds a person's words."""

    type: str = ""
    prompt: str | list[Inner] | None = None
    command_mode: str | None = None
    origin: Origin | str | None = None
    is_meta: bool | None = None


class Row(msgspec.Struct, rename="camel", gc=False):
    """One row of a session file; every field may be missing."""

    type: str = ""
    uuid: str | None = None
    session_id: str | None = None
    timestamp: str | int | float | None = None
    cwd: str | None = None
    entrypoint: str | None = None
    agent_id: str | None = None
    message: Message | None = None
    attachment: Attachment | None = None
    operation: str | None = None
    content: str | list[Inner] | None = None
    tool_use_result: msgspec.Raw = _NOTHING
    # Any of these on a user row: a program wrote it.
    is_sidechain: bool | None = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    is_visible_in_transcript_only: bool | None = None
    is_virtual: bool | None = None
    ephemeral: bool | None = None
    turn_companion: Any = None
    text_not_typed: bool | None = None
    scheduled_task_id: Any = None
    wakeup_source: Any = None
    plan_content: str | None = None
    origin: Origin | str | None = None
    prompt_source: str | None = None
    # How a call was denied.
    tool_denial_kind: str | None = None
    tool_denial_unanswered: bool | None = None
    user_feedback: str | None = None
    permission_decision: Decision | None = None
    interrupted_by_shutdown: bool | None = None
    is_api_error_message: bool | None = None


def _is_whole(value: dict[str, Any]) -> bool:
    return "type" in value and "sessionId" in value


FORMAT = RowFormat(
    decode=msgspec.json.Decoder(Row).decode,
    start=re.compile(r'\{"(?:parentUuid|type|uuid|sessionId|isSidechain|logicalParentUuid)"'),
    is_whole=_is_whole,
)
_READ = frozenset({"user", "assistant", "attachment", "queue-operation"})


def read_rows(
    file: BinaryIO, notes: ReadNotes, max_line_bytes: int = lines.MAX_LINE_BYTES
) -> Iterator[Row]:
    """Decode a session file row by row, counting lines and damage; never raise for content.

    Gives only rows of the types that hold turns; others, the unknown ones of next month among
    them, are counted as skipped.
    """
    for row in lines.read_rows(file, FORMAT, notes, max_line_bytes):
        if row.type in _READ:
            yield row
        else:
            notes.skipped += 1


class _Sign(msgspec.Struct, rename="camel"):
    """The fields by which a row shows that Claude Code wrote it."""

    type: str = ""
    uuid: str | None = None
    session_id: str | None = None
    leaf_uuid: str | None = None
    message_id: str | None = None


_decode_sign = msgspec.json.Decoder(_Sign).decode
_CONVERSATION = frozenset({"user", "assistant", "system", "attachment", "progress"})
# The first row may be longer than the opening. Inside a quoted text these quotes are escaped.
_CUT_ROW = re.compile(rb'"(?:parentUuid|isSidechain)"\s*:.*?"sessionId"\s*:\s*"', re.DOTALL)


def recognises(opening: bytes) -> bool:
    """Whether the first bytes of a file are rows of a Claude Code session."""
    for line in opening.split(b"\n"):
        try:
            sign = _decode_sign(line.strip(b"\0 \t\r"))
        except (msgspec.MsgspecError, RecursionError):
            if _CUT_ROW.search(line):
                return True
            continue
        if _is_ours(sign):
            return True
    return False


def _is_ours(sign: _Sign) -> bool:
    if sign.type in _CONVERSATION:
        return sign.uuid is not None and sign.session_id is not None
    if sign.type == "summary":
        return sign.leaf_uuid is not None
    if sign.type == "file-history-snapshot":
        return sign.message_id is not None
    return sign.type == "queue-operation" and sign.session_id is not None
