"""An export's conversations, one by one, out of a file that is one line of over a gigabyte.

Only brackets outside of strings matter for where a conversation ends, so a regular expression
finds those and the decoder gets each conversation by itself. That keeps memory at the size of the
largest conversation, and a damaged one costs only itself. An event-by-event parser would stop at
the first error; ijson, the fastest of them, also took as long (1.0 times a plain msgspec decode of
the same bytes against 1.1).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from remem_agents.transcript import ReadNotes

MAX_BYTES = 256 * 1024 * 1024
_CHUNK = 1024 * 1024
_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_PLAIN = rb'(?:[^{}\[\]"]++|' + _STRING + rb")*+"
# What is nested no deeper than a message of an export is stepped over in one go.
_NESTED = _PLAIN
for _ in range(4):
    _NESTED = rb'(?:[^{}\[\]"]++|' + _STRING + rb"|[{\[]" + _NESTED + rb"[}\]])*+"
_TO_BRACKET = re.compile(_NESTED + rb"([{}\[\]])", re.DOTALL)
_TO_ITEM = re.compile(_PLAIN + rb"([{}\[\]])", re.DOTALL)
_WHOLE = re.compile(_NESTED, re.DOTALL)
_IN_STRING = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_QUOTE, _OPEN_OBJECT, _OPEN_LIST = b'"{['


@dataclass(slots=True)
class _Scan:
    """Where the scanner stands: in the buffer, in an item (from `start`), in a string."""

    place: int = 0
    depth: int = 0
    start: int = 0
    in_string: bool = False
    too_long: bool = False


def objects_in(file: IO[bytes], notes: ReadNotes, max_bytes: int = MAX_BYTES) -> Iterator[bytes]:
    """Give the outermost objects of a file: of an array, or one after another.

    Each counts as a line of the notes. One over `max_bytes` is skipped without being held, one
    that the file ends in is damage.
    """
    buffer, scan = bytearray(), _Scan()
    while chunk := file.read(_CHUNK):
        buffer += chunk
        for start, end in _items(buffer, scan):
            notes.lines += 1
            if scan.too_long:
                scan.too_long = False
                notes.damage(f"longer than {max_bytes} bytes")
            else:
                yield bytes(buffer[start:end])
        _let_go(buffer, scan, max_bytes)
    if scan.depth:
        notes.lines += 1
        notes.damage("cut")


def _items(buffer: bytearray, scan: _Scan) -> Iterator[tuple[int, int]]:
    """Scan on to the end of the buffer; give the bounds of each item that ends there."""
    while _leave_string(buffer, scan):
        found = (_TO_BRACKET if scan.depth else _TO_ITEM).match(buffer, scan.place)
        if found is None:
            _stop_at_end(buffer, scan)
            continue
        scan.place = found.end()
        bracket = buffer[scan.place - 1]
        if not scan.depth:
            if bracket == _OPEN_OBJECT:  # the brackets of arrays around items don't count
                scan.depth, scan.start = 1, scan.place - 1
        elif bracket in (_OPEN_OBJECT, _OPEN_LIST):
            scan.depth += 1
        else:
            scan.depth -= 1
            if not scan.depth:
                yield scan.start, scan.place


def _leave_string(buffer: bytearray, scan: _Scan) -> bool:
    """Go on behind the string that the scanner stands in; False when the buffer is used up."""
    if scan.in_string:
        found = _IN_STRING.match(buffer, scan.place)
        scan.place = found.end() if found else scan.place
        if scan.place >= len(buffer) or buffer[scan.place] != _QUOTE:
            return False  # at the end, or before a backslash whose other half is yet to come
        scan.place += 1
        scan.in_string = False
    return scan.place < len(buffer)


def _stop_at_end(buffer: bytearray, scan: _Scan) -> None:
    """Step over what is whole; what is left can only be a string that the buffer cuts."""
    found = _WHOLE.match(buffer, scan.place)
    scan.place = found.end() if found else len(buffer)
    if scan.place < len(buffer):
        scan.place += 1
        scan.in_string = True


def _let_go(buffer: bytearray, scan: _Scan, max_bytes: int) -> None:
    """Forget what was scanned, except for the item that is still open."""
    if scan.depth and scan.place - scan.start > max_bytes:
        scan.too_long = True
    keep_from = scan.start if scan.depth and not scan.too_long else scan.place
    del buffer[:keep_from]
    scan.place -= keep_from
    scan.start = max(0, scan.start - keep_from)
