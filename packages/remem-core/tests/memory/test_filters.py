"""Filters are part of the question: they hold for words and for meaning, and fail closed."""

import datetime
from collections.abc import Callable
from typing import Any

import pytest

from remem_core import Memory
from remem_core.store.connection import transaction
from remem_protocol import Correction, Note

DAY = datetime.datetime(2026, 5, 1, tzinfo=datetime.UTC)
Texts = Callable[..., list[str]]


def note(text: str, *, days: int = 0, **more: Any) -> Note:
    return Note(text=text, at=DAY + datetime.timedelta(days=days), source="owner", **more)  # type: ignore[arg-type]


@pytest.fixture
def texts(memory: Memory) -> Texts:
    """Ask, and return the texts of the hits."""

    def ask(query: str, **more: Any) -> list[str]:
        return [hit.text for hit in memory.recall(query, touch=False, **more)]

    return ask


def archive(memory: Memory, id_: str) -> None:
    with transaction(memory._db) as db:  # only sleep archives, and it is not there yet
        db.execute(
            "update episodes set archived = '2026-05-20T00:00:00.000000Z' where id = ?", (id_,)
        )


def test_agent_limits_to_its_own_and_nobodys_is_not_everybodys(
    memory: Memory, texts: Texts
) -> None:
    memory.emit(
        [
            note("the port is open", agent="codex"),
            note("the port is shut", agent="gemini", days=1),
            note("the port is ours", days=2),
        ]
    )
    assert texts("port", agents=["codex"]) == ["the port is open"]
    assert texts("port", agents=["codex", "gemini"]) == ["the port is shut", "the port is open"]
    assert texts("port", agents=["copilot"]) == []
    assert len(texts("port")) == 3


def test_filter_that_names_nothing_lets_nothing_through(memory: Memory, texts: Texts) -> None:
    memory.emit([note("the port is open", agent="codex", layer="identity")])
    for name in ("kinds", "layers", "agents"):
        assert texts("port", **{name: []}) == []
    assert texts("port", agents=["codex"], layers=["identity"], kinds=["note"]) != []


def test_layer_is_of_notes_alone(memory: Memory, texts: Texts) -> None:
    said = Correction(said="the port, no!", cause="message", at=note("x").at, source="owner")
    memory.emit([note("the port is open"), said])
    assert texts("port", layers=["semantic"]) == ["the port is open"]
    assert texts("port", layers=["procedural"]) == []
    assert len(texts("port")) == 2


def test_archived_comes_only_when_asked_for(memory: Memory, texts: Texts) -> None:
    faded, fresh = note("the port is open"), note("the port is shut", days=1)
    memory.emit([faded, fresh])
    archive(memory, faded.id)
    assert texts("port") == ["the port is shut"]
    assert texts("port", archived=True) == ["the port is shut", "the port is open"]


def test_archived_does_not_widen_the_other_filters(memory: Memory, texts: Texts) -> None:
    faded = note("the port is open", project="a")
    memory.emit([faded, note("the port is shut", project="b", days=1)])
    archive(memory, faded.id)
    assert texts("port", archived=True, project="b") == ["the port is shut"]
    assert texts("port", archived=True, project="a") == ["the port is open"]


@pytest.mark.parametrize(
    ("name", "value"),
    [("agents", ["codex"]), ("layers", ["identity"]), ("project", "a"), ("kinds", ["correction"])],
)
def test_filters_hold_where_only_meaning_would_find(
    memory: Memory, texts: Texts, name: str, value: object
) -> None:
    memory.emit([note("the database password rotates weekly", project="b", agent="gemini")])
    assert texts("the database password rotates weekly", **{name: value}) == []
    assert len(texts("the database password rotates weekly")) == 1


def test_words_alone_are_enough_for_an_answer(memory: Memory, texts: Texts) -> None:
    memory.emit([note(f"filler about {word}") for word in "apple berry cherry melon".split()])
    memory.emit([note("zanzibar", days=-400)], embed=False)
    assert texts("zanzibar of all places in the world")[0] == "zanzibar"
