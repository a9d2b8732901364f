"""Answers fit what their reader has room for."""

import datetime

import pytest

from remem_core import Memory
from remem_protocol import Note

DAY = datetime.datetime(2026, 5, 1, tzinfo=datetime.UTC)


def emit(memory: Memory, *texts: str) -> None:
    """Store notes, the first the newest."""
    memory.emit(
        Note(text=text, at=DAY - datetime.timedelta(days=day), source="owner")  # type: ignore[arg-type]
        for day, text in enumerate(texts)
    )


def test_best_that_fit_come_in_order(memory: Memory) -> None:
    emit(memory, "port one", "port two", "port three")
    assert [hit.text for hit in memory.recall("port", budget=16)] == ["port one", "port two"]
    assert [hit.text for hit in memory.recall("port", budget=15)] == ["port one"]
    assert len(memory.recall("port", budget=10_000)) == 3


def test_first_is_cut_and_says_so(memory: Memory) -> None:
    emit(memory, "the port of the orchard service is 8417")
    [hit] = memory.recall("port", budget=11)
    assert hit.text == "the port…"


@pytest.mark.parametrize("budget", range(30))
def test_cut_never_splits_a_letter_or_exceeds(memory: Memory, budget: int) -> None:
    emit(memory, "порт 港口 🎈 порт")
    [hit] = memory.recall("порт", budget=budget)
    assert len(hit.text.encode()) <= budget
    assert "\ufffd" not in hit.text


def test_only_what_was_returned_is_touched(memory: Memory) -> None:
    emit(memory, "port one", "port two")
    memory.recall("port", budget=8)
    recalls = {hit.text: memory.show(hit.id).recalls for hit in memory.recall("port", touch=False)}
    assert recalls == {"port one": 1, "port two": 0}
