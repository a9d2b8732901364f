"""Notes with a minute each, and other homes beside the first."""

import datetime
import io
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from remem_core import Memory
from remem_core.embed import Embedder
from remem_core.store.connection import transaction
from remem_core.store.merging import Merger
from remem_protocol import Note, Record

Open = Callable[[str], Memory]
MakeNote = Callable[..., Note]
Export = Callable[[Memory], bytes]
Put = Callable[[Memory, Iterable[Record]], None]


@pytest.fixture
def other(tmp_path: Path, hashed: Embedder) -> Open:
    """Open another home beside the first."""

    def open_other(name: str) -> Memory:
        clock = lambda: datetime.datetime(2026, 7, 1, tzinfo=datetime.UTC)  # noqa: E731
        return Memory.open(tmp_path / name, clock=clock, embedder=hashed)

    return open_other


@pytest.fixture
def note() -> MakeNote:
    """Make a note of a minute."""

    def make(text: str, minute: int = 0, **more: object) -> Note:
        at = f"2026-05-01T10:{minute:02d}:00.000000Z"
        return Note(text=text, at=at, source="owner", **more)  # type: ignore[arg-type]

    return make


@pytest.fixture
def exported() -> Export:
    """Return a memory's export as bytes."""

    def export(memory: Memory) -> bytes:
        out = io.BytesIO()
        memory.export(out)
        return out.getvalue()

    return export


@pytest.fixture
def put() -> Put:
    """Merge records into a memory, as an import does: what only sleep makes is not made yet."""

    def merge(memory: Memory, records: Iterable[Record]) -> None:
        with transaction(memory._db) as db:
            merger = Merger(db, now="2026-05-01T10:00:00.000000Z")
            for record in records:
                merger.put(record, None)

    return merge
