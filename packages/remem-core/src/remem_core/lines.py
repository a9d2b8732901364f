"""Lines of a stream as the wire defines them, in bounded memory whatever the stream holds."""

from collections.abc import Iterator
from typing import BinaryIO

from remem_protocol import MAX_EVENT_BYTES


def read_lines(stream: BinaryIO, limit: int = MAX_EVENT_BYTES) -> Iterator[tuple[int, bytes]]:
    """Yield (number from 1, line) split at `\\n` alone; empty lines are skipped.

    Of a line over the limit the first `limit` + 1 bytes come, which every decoder refuses as
    `too-large`; the rest is read over.
    """
    number = 0
    while line := stream.readline(limit + 2):
        number += 1
        if not line.endswith(b"\n") and len(line) > limit:
            _skip_line(stream)
            line = line[: limit + 1]
        if text := line.removesuffix(b"\n"):
            yield number, text


def _skip_line(stream: BinaryIO) -> None:
    while (rest := stream.readline(1 << 20)) and not rest.endswith(b"\n"):
        pass
