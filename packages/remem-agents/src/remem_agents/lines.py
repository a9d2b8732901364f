"""Bytes to rows for files of one JSON object a line, however damaged or long some lines are.

Decoding into a loose struct is what makes reading fast: msgspec steps over every field that the
struct does not name. A line that does not decode goes to `damage`, where it may cost what it likes.
"""

from collections.abc import Iterator
from typing import BinaryIO, TypeVar

import msgspec

from remem_agents.damage import RowFormat, salvage
from remem_agents.transcript import ReadNotes

MAX_LINE_BYTES = 256 * 1024 * 1024
BUFFER_BYTES = 1024 * 1024  # rows are long: the usual 8 KiB cost more than decoding
_SKIP_BYTES = 1024 * 1024
_Row = TypeVar("_Row")


def read_rows(
    file: BinaryIO,
    row_format: RowFormat[_Row],
    notes: ReadNotes,
    max_line_bytes: int = MAX_LINE_BYTES,
) -> Iterator[_Row]:
    """Decode a file row by row, counting lines and damage; never raise for content.

    A line over `max_line_bytes` is skipped without being held.
    """
    decode = row_format.decode
    while line := file.readline(max_line_bytes + 1):
        notes.lines += 1
        if len(line) > max_line_bytes:
            notes.damage(f"longer than {max_line_bytes} bytes")
            _skip_line(file)
            continue
        try:
            row = decode(line)
        except (msgspec.MsgspecError, RecursionError):
            yield from salvage(line, row_format, notes)
            continue
        yield row


def _skip_line(file: BinaryIO) -> None:
    while chunk := file.readline(_SKIP_BYTES):
        if chunk.endswith(b"\n"):
            return
