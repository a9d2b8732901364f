"""Makes `lesson_records.py`, which builds sources and changes of lessons, importable."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from remem_core.store.connection import Connection, connect

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Connection]:
    """An empty store."""
    opened = connect(tmp_path / "memory.db")
    yield opened
    opened.close()
