"""Storing never waits for a model: what is not embedded yet is found by its words."""

import datetime
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from remem_core import Memory
from remem_core.embed import Embedder, EmbedderError, EmbedderWarning
from remem_protocol import Note

DAY = datetime.datetime(2026, 5, 1, tzinfo=datetime.UTC)


def notes(count: int) -> list[Note]:
    return [
        Note(text=f"fact number {i}", at=DAY + datetime.timedelta(minutes=i), source="owner")
        for i in range(count)
    ]


def test_bulk_is_stored_before_it_is_embedded(memory: Memory) -> None:
    memory.emit(notes(1500))
    status = memory.status()
    assert (status.episodes, status.pending) == (1500, 1500)
    assert memory.recall("fact number 77")[0].text == "fact number 77"
    assert memory.embed_pending() == 1500
    assert memory.status().pending == 0
    assert memory.recall("fact number 77")[0].parts.cosine is not None


def test_few_events_are_embedded_at_once(memory: Memory) -> None:
    memory.emit(notes(3))
    assert memory.status().pending == 0


class Unplugged:
    """The hashed embedder, which stops after some batches as a killed program would."""

    def __init__(self, inner: Embedder, batches: int) -> None:
        self.space, self.dimensions = inner.space, inner.dimensions
        self._inner, self._left = inner, batches

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self._left -= 1
        if self._left < 0:
            raise KeyboardInterrupt
        return self._inner.embed(texts)


def test_interrupted_embedding_goes_on_where_it_stopped(home: Path, hashed: Embedder) -> None:
    with Memory.open(home, embedder=Unplugged(hashed, 2)) as memory:
        memory.emit(notes(300), embed=False)
        with pytest.raises(KeyboardInterrupt):
            memory.embed_pending()
        assert memory.status().pending == 300 - 128
    seen = list[tuple[int, int]]()
    with Memory.open(home, embedder=hashed) as memory:
        assert memory.embed_pending(progress=lambda done, total: seen.append((done, total))) == 172
        assert memory.embed_pending() == 0
    assert seen == [(64, 172), (128, 172), (172, 172)]


class Silent(Unplugged):
    """A model server that stopped answering after the program started."""

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        raise EmbedderError("the model server does not answer", "start it")


def test_silent_model_server_costs_meaning_and_no_answer(home: Path, hashed: Embedder) -> None:
    with Memory.open(home, embedder=hashed) as memory:
        memory.emit(notes(2))
    with Memory.open(home, embedder=Silent(hashed, 0)) as memory:
        with pytest.warns(EmbedderWarning, match="waits for its vectors"):
            memory.emit([Note(text="a new fact", at=DAY, source="owner")])
        with pytest.warns(EmbedderWarning, match="by its words alone"):
            assert memory.recall("a new fact", limit=1)[0].text == "a new fact"
        assert memory.status().pending == 1
        with pytest.raises(EmbedderError):
            memory.embed_pending()


def test_running_memory_sees_what_another_one_stores(home: Path, hashed: Embedder) -> None:
    with Memory.open(home, embedder=hashed) as one, Memory.open(home, embedder=hashed) as two:
        one.emit(notes(5))
        assert len(one.recall("fact", touch=False)) == 5
        two.emit([Note(text="a new fact", at=DAY, source="owner", project="x")])
        newest = one.recall("a new fact", limit=1, touch=False)[0]
        assert newest.text == "a new fact"
        assert newest.parts.cosine == pytest.approx(1.0)


def test_vectors_of_another_space_are_not_compared(home: Path, hashed: Embedder) -> None:
    class Other(Unplugged):
        pass

    other = Other(hashed, 10**6)
    other.space = "other-space"
    with Memory.open(home, embedder=hashed) as memory:
        memory.emit(notes(3))
    with Memory.open(home, embedder=other) as memory:
        assert memory.recall("fact number 2", limit=1)[0].text == "fact number 2"
        assert memory.recall("fact number 2")[0].parts.cosine is None
        assert memory.embed_pending() == 3
        assert memory.recall("fact number 2", limit=1)[0].parts.cosine is not None
