"""Where a command's input comes from, and its lines."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from remem_core.lines import read_lines as read_lines

STDIN = "-"


@contextmanager
def open_input(name: str) -> Iterator[BinaryIO]:
    """Open a file for reading, or stdin for `-`."""
    if name == STDIN:
        yield sys.stdin.buffer
    else:
        with Path(name).open("rb") as stream:
            yield stream
