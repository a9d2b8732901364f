"""Finding the message lists in a file, whatever they are wrapped in.

People save what they sent to a model in many ways: the list alone, the request around it, a
request with its response, one of these a line, or one message a line. Requests of one
conversation repeat what was said before, so of those that continue one another the last counts.
"""

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from remem_agents.damage import RowFormat
from remem_agents.lines import BUFFER_BYTES, MAX_LINE_BYTES, read_rows
from remem_agents.transcript import ReadNotes
from remem_protocol import MalformedError, TooLargeError

Json = dict[str, Any]
_LISTS = ("messages", "input", "contents", "history")
_PROMPTS = frozenset({"input", "contents"})  # may be a prompt alone
_WRAPPERS = ("request", "body", "params")
_IDS = ("session_id", "conversation_id", "thread_id", "chat_id", "custom_id", "id")
_TIMES = ("timestamp", "created_at", "created", "create_time", "time")
# Tuples, because what is looked for in them may be a list or an object.
_ROLES = ("user", "assistant", "system", "developer", "tool", "function", "model")
_ITEMS = (
    "message",
    "reasoning",
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "mcp_call",
)
_MAX_OPEN = 64


@dataclass(slots=True)
class MessageList:
    """A conversation's messages, with the id and time of what they were wrapped in.

    `reply` is the model's answer where a log keeps it beside the request.
    """

    messages: list[Json]
    id: str | None = None
    time: str | int | float | None = None
    reply: list[Json] = field(default_factory=list)


def is_message(value: object) -> bool:
    """Whether a value is a message, or an item, of one of the APIs."""
    if not isinstance(value, dict):
        return False
    if value.get("role") in _ROLES:
        return any(key in value for key in ("content", "parts", "tool_calls", "function_call"))
    return value.get("type") in _ITEMS and "payload" not in value


def time_of(value: Json) -> str | int | float | None:
    """Find when something was sent, under any of the usual names."""
    for key in _TIMES:
        if isinstance(time := value.get(key), str | int | float) and not isinstance(time, bool):
            return time
    return None


def unwrap(value: object) -> list[MessageList]:
    """Find the lists in a decoded document; none when it is something else."""
    if isinstance(value, list):
        if value and all(is_message(entry) for entry in value):
            return [MessageList(value)]
        found = [unwrap(entry) for entry in value if isinstance(entry, dict)]
        return [inner for lists in found for inner in lists]
    if not isinstance(value, dict):
        return []
    for key in _WRAPPERS:
        if isinstance(value.get(key), dict):
            found_inside = unwrap(value[key])
            return [_described(inner, value) for inner in found_inside]
    for key in _LISTS:
        messages = _messages(key, value.get(key))
        if messages:
            return [_described(MessageList(messages), value)]
    return []


def _messages(key: str, value: object) -> list[Json]:
    if isinstance(value, str) and key in _PROMPTS:
        return [{"role": "user", "content": value}]
    if not isinstance(value, list) or not value:
        return []
    turns = [entry.get("content") if _is_turn(entry) else entry for entry in value]
    return turns if all(is_message(entry) for entry in turns) else []


def _is_turn(value: object) -> bool:
    """Whether a value is a checkpoint's turn, {"id", "content": Content}."""
    return (
        isinstance(value, dict) and "role" not in value and isinstance(value.get("content"), dict)
    )


def _described(found: MessageList, around: Json) -> MessageList:
    given = next((around[key] for key in _IDS if isinstance(around.get(key), str)), None)
    time = time_of(around)
    return MessageList(
        found.messages,
        id=found.id or given or None,
        time=found.time if found.time is not None else time,
        reply=found.reply or _reply(around.get("response")),
    )


def _reply(response: Any) -> list[Json]:
    """Find the message in a response of any of the APIs."""
    if not isinstance(response, dict):
        return []
    if isinstance(response.get("body"), dict):
        response = response["body"]
    choices, candidates = response.get("choices"), response.get("candidates")
    reply: list[object]
    if isinstance(choices, list):
        reply = [choice.get("message") for choice in choices[:1] if isinstance(choice, dict)]
    elif isinstance(candidates, list):
        reply = [entry.get("content") for entry in candidates[:1] if isinstance(entry, dict)]
    elif isinstance(response.get("output"), list):
        reply = response["output"]
    else:
        reply = [response]
    return [entry for entry in reply if isinstance(entry, dict) and is_message(entry)]


_ROWS: RowFormat[Json] = RowFormat(
    msgspec.json.Decoder(Json).decode,
    re.compile(r'\{"(?:role|type|messages|contents|input)"'),
    lambda value: is_message(value) or bool(unwrap(value)),
)
# What a cut opening must begin with, and hold.
_BEGINS = re.compile(
    rb'\s*(?:\[\s*)?\{\s*"(?:role|content|parts|messages|input|contents|history|request|body|model'
    rb'|system|max_tokens|tools|id|stream|temperature)"\s*:'
)
_LIST = re.compile(rb'"(?:messages|input|contents|history)"\s*:\s*\[')
_ROLE = re.compile(rb'"role"\s*:\s*"(?:user|assistant|system|developer|model)"')


def recognises(opening: bytes) -> bool:
    """Whether the first bytes of a file are a list of messages, or requests with such lists."""
    opening = opening.removeprefix(b"\xef\xbb\xbf").lstrip(b"\0 \t\r\n")
    for part in (opening, opening.split(b"\n", 1)[0]):
        try:
            value = msgspec.json.decode(part)
        except (msgspec.MsgspecError, RecursionError):
            continue
        return is_message(value) or bool(unwrap(value))
    if _BEGINS.match(opening) is None or _ROLE.search(opening) is None:
        return False
    return opening.startswith(b"[") or _LIST.search(opening) is not None


def read_lists(path: Path, notes: ReadNotes) -> Iterator[MessageList]:
    """Read the lists in a file; messages that stand one a line are one list.

    Raise MalformedError when there are none, TooLargeError for a document over 256 MiB, OSError
    when the file can't be opened.
    """
    loose: list[Json] = []
    count = 0
    with path.open("rb", buffering=BUFFER_BYTES) as file:
        for value in _documents(file, notes):
            if is_message(value):
                loose.append(value)
                continue
            found = unwrap(value)
            count += len(found)
            notes.skipped += not found
            yield from found
    if loose:
        yield MessageList(loose)
    elif not count and (notes.damaged or notes.skipped):
        raise MalformedError("no list of messages of an API that is known")


def _documents(file: BinaryIO, notes: ReadNotes) -> Iterator[Json]:
    if _begins_with_row(file):
        yield from read_rows(file, _ROWS, notes)
        return
    content = file.read(MAX_LINE_BYTES + 1)
    if len(content) > MAX_LINE_BYTES:
        raise TooLargeError(f"one document of over {MAX_LINE_BYTES} bytes")
    is_list = content.lstrip().startswith(b"[")
    if is_list:  # rows are objects
        content = b'{"messages":' + content + b"}"
    for row in read_rows(io.BytesIO(content.replace(b"\n", b" ")), _ROWS, notes):
        entries = row.get("messages") if is_list else [row]
        yield from (entry for entry in entries or () if isinstance(entry, dict))


def _begins_with_row(file: BinaryIO) -> bool:
    """Whether the first line is a whole object, so that the file may be one of lines."""
    first = b""
    while (line := file.readline(MAX_LINE_BYTES)) and not (first := line.strip(b"\0 \t\r\n")):
        pass
    file.seek(0)
    try:
        _ROWS.decode(first)
    except (msgspec.MsgspecError, RecursionError):
        return False
    return True


def latest(lists: Iterable[MessageList]) -> Iterator[MessageList]:
    """Of requests that continue one another, keep the last; 64 conversations may be under way."""
    under_way: list[tuple[list[object], MessageList]] = []
    for found in lists:
        bare = [_bare(message) for message in found.messages]
        for place, (before, _) in enumerate(under_way):
            if bare[: len(before)] == before:
                under_way[place] = bare, found
                break
        else:
            under_way.append((bare, found))
        if len(under_way) > _MAX_OPEN:
            yield under_way.pop(0)[1]
    for _, found in under_way:
        yield found


def _bare(value: object) -> object:
    """Leave out marks for the cache, which move from request to request."""
    if isinstance(value, dict):
        return {key: _bare(inner) for key, inner in value.items() if key != "cache_control"}
    return [_bare(inner) for inner in value] if isinstance(value, list) else value
