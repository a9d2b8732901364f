"""Lets the tests import the builders that stand beside them, which importlib mode does not."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from remem_protocol import Turn

sys.path.insert(0, str(Path(__file__).parent))

from claude_files import SESSION, Json, Rows, turns_of, write


@pytest.fixture
def rows() -> Rows:
    return Rows()


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., list[Turn]]:
    """Reads rows, or raw lines, as one session file."""

    def reading(*given: Json | bytes) -> list[Turn]:
        return turns_of(write(tmp_path / f"{SESSION}.jsonl", *given))

    return reading
