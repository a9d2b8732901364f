"""What can be saved of a line that is not one row: crashes and cuts cost a line, never a file.

Seen in the wild: runs of NUL bytes where a crash left a hole, two rows on one line where a
newline was lost, a row cut in the middle with the next one behind it, an emoji cut in half
(lone surrogates), a field whose shape a newer version changed.
"""

import json
import re
from typing import Any

import msgspec

from remem_agents.claude_code.rows import Row, decode_row
from remem_agents.transcript import ReadNotes

_DECODER = json.JSONDecoder()
_ROW_START = re.compile(r'\{"(?:parentUuid|type|uuid|sessionId|isSidechain|logicalParentUuid)"')
_MAX_STARTS = 64


def salvage(line: bytes, notes: ReadNotes) -> list[Row]:
    """Get the rows out of a line that did not decode; count it when it was damaged."""
    text, why = _text_of(line)
    if text.strip():
        objects, broken = _objects_in(text)
        why = why or broken
    else:
        objects = []
    if why:
        notes.damage(why)
    return [row for found in objects if (row := _row_of(found)) is not None]


def _text_of(line: bytes) -> tuple[str, str | None]:
    why = None
    if b"\0" in line:
        line, why = line.replace(b"\0", b""), "NUL bytes"
    try:
        return line.decode("utf-8-sig"), why
    except UnicodeDecodeError:
        return line.decode("utf-8-sig", errors="replace"), why or "not UTF-8"


def _objects_in(text: str) -> tuple[list[dict[str, Any]], str | None]:
    """Find the JSON objects that stand on one line, and what is wrong with the line."""
    objects: list[dict[str, Any]] = []
    place, starts, broken = 0, 0, None
    while (place := _skip_blanks(text, place)) < len(text):
        if objects:
            broken = broken or "more than one record"
        try:
            value, place = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            broken = "not JSON"
            start = _ROW_START.search(text, place + 1)
            starts += 1
            if start is None or starts > _MAX_STARTS:
                break
            place = start.start()
            continue
        # After a cut, an object may be a part of the row that was cut.
        if isinstance(value, dict) and (broken != "not JSON" or _is_whole_row(value)):
            objects.append(value)
    return objects, broken


def _skip_blanks(text: str, place: int) -> int:
    while place < len(text) and text[place] in " \t\r\n":
        place += 1
    return place


def _is_whole_row(value: dict[str, Any]) -> bool:
    return "type" in value and "sessionId" in value


def _row_of(value: dict[str, Any]) -> Row | None:
    """Decode an object as a row, leaving out fields and blocks of another shape than ours."""
    if (row := _decoded(value)) is not None:
        return row
    message = value.get("message")
    if isinstance(message, dict) and isinstance(message.get("content"), list):
        blocks = [block for block in message["content"] if _fits("message", {"content": [block]})]
        value = {**value, "message": {**message, "content": blocks}}
    return _decoded({name: field for name, field in value.items() if _fits(name, field)})


def _fits(name: str, field: Any) -> bool:
    return _decoded({name: field}) is not None


def _decoded(value: dict[str, Any]) -> Row | None:
    text = json.dumps(value, ensure_ascii=False)
    # Half of a surrogate pair is no character: it becomes U+FFFD.
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    try:
        return decode_row(whole)
    except (msgspec.MsgspecError, RecursionError):
        return None
