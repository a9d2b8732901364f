"""What can be saved of a line that is not one row: crashes and cuts cost a line, never a file.

Seen in the wild: runs of NUL bytes where a crash left a hole, two rows on one line where a
newline was lost, a row cut in the middle with the next one behind it, an emoji cut in half
(lone surrogates), a field whose shape a newer version changed.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from remem_agents.transcript import ReadNotes

_DECODER = json.JSONDecoder()
_MAX_STARTS = 64
_MAX_MISFITS = 64
_MISFIT = re.compile(r" - at `\$((?:\.\w+|\[\d+\])+)")
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")
_Row = TypeVar("_Row")


@dataclass(frozen=True, slots=True)
class RowFormat(Generic[_Row]):
    """How the rows of one agent's files look.

    `decode` reads a line; `start` finds where a row begins within a damaged one; `is_whole` tells
    a row from the parts of a row that was cut.
    """

    decode: Callable[[bytes], _Row]
    start: re.Pattern[str]
    is_whole: Callable[[dict[str, Any]], bool]


def salvage(line: bytes, row_format: RowFormat[_Row], notes: ReadNotes) -> list[_Row]:
    """Get the rows out of a line that did not decode; count it when it was damaged."""
    text, why = _text_of(line)
    if text.strip():
        objects, broken = _objects_in(text, row_format)
        why = why or broken
    else:
        objects = []
    if why:
        notes.damage(why)
    rows = (_row_of(found, row_format.decode) for found in objects)
    return [row for row in rows if row is not None]


def _text_of(line: bytes) -> tuple[str, str | None]:
    why = None
    if b"\0" in line:
        line, why = line.replace(b"\0", b""), "NUL bytes"
    try:
        return line.decode("utf-8-sig"), why
    except UnicodeDecodeError:
        return line.decode("utf-8-sig", errors="replace"), why or "not UTF-8"


def _objects_in(text: str, row_format: RowFormat[_Row]) -> tuple[list[dict[str, Any]], str | None]:
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
            start = row_format.start.search(text, place + 1)
            starts += 1
            if start is None or starts > _MAX_STARTS:
                break
            place = start.start()
            continue
        # After a cut, an object may be a part of the row that was cut.
        if isinstance(value, dict) and (broken != "not JSON" or row_format.is_whole(value)):
            objects.append(value)
    return objects, broken


def _skip_blanks(text: str, place: int) -> int:
    while place < len(text) and text[place] in " \t\r\n":
        place += 1
    return place


def _row_of(value: dict[str, Any], decode: Callable[[bytes], _Row]) -> _Row | None:
    """Decode an object as a row, leaving out what has another shape than ours."""
    for _ in range(_MAX_MISFITS):
        try:
            return decode(_encoded(value))
        except msgspec.ValidationError as misfit:
            if not _cut_out(value, str(misfit)):
                return None
        except (msgspec.MsgspecError, RecursionError):
            return None
    return None


def _encoded(value: dict[str, Any]) -> bytes:
    text = json.dumps(value, ensure_ascii=False)
    # Half of a surrogate pair is no character: it becomes U+FFFD.
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def _cut_out(value: dict[str, Any], misfit: str) -> bool:
    """Delete the field that a decoding error names; a list keeps its length. False if none."""
    named = _MISFIT.search(misfit)
    if named is None:
        return False
    steps = [key or int(index) for key, index in _STEP.findall(named[1])]
    inside: Any = value
    try:
        for step in steps[:-1]:
            inside = inside[step]
        if isinstance(inside, list):
            inside[steps[-1]] = {}
        else:
            del inside[steps[-1]]
    except (KeyError, IndexError, TypeError):
        return False
    return True
