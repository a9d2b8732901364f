"""A memory in a temporary home, with a clock that stands still and the hashed embedder."""

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest

from remem_core import Memory
from remem_core.embed import Embedder, open_embedder

NOW = datetime.datetime(2026, 6, 1, 12, 0, tzinfo=datetime.UTC)


@pytest.fixture(autouse=True)
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """The developer's own model is not asked."""
    monkeypatch.delenv("REMEM_LLM", raising=False)


@pytest.fixture(scope="session")
def hashed() -> Embedder:
    return open_embedder({"REMEM_EMBED": "hashed"})


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def memory(home: Path, hashed: Embedder) -> Iterator[Memory]:
    with Memory.open(home, clock=lambda: NOW, embedder=hashed) as opened:
        yield opened
