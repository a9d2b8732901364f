"""Which memories a question of common words is ranked over."""

import datetime
from collections.abc import Callable

import pytest

from remem_core import Memory
from remem_core.embed import Embedder
from remem_core.recall.gate import RANKED, gates
from remem_protocol import Note, format_time


def counting(sizes: dict[str, int]) -> Callable[[str], int]:
    return sizes.__getitem__


def test_few_matches_are_all_ranked() -> None:
    assert gates(["a", "b"], counting({"a OR b": RANKED})) == []


def test_rare_word_is_ranked_first_then_pairs_of_common_ones() -> None:
    sizes = {"a OR b OR c": 17_000, "a": 9_000, "b": 100, "c": 8_000, "(a AND (c))": 700}
    assert gates(["a", "b", "c"], counting(sizes)) == ["b", "(a AND (c))", "a OR b OR c"]


def test_rare_words_are_as_many_as_can_be_ranked_together() -> None:
    sizes = {"a OR b OR c": 5_000, "a": 2_000, "b": 1_000, "c": 3_000}
    assert gates(["a", "b", "c"], counting(sizes))[0] == "b OR a"


def test_pairs_that_are_too_many_come_after_all_common_words() -> None:
    pairs = "(a AND (b OR c)) OR (b AND (c))"
    sizes = {"a OR b OR c": 90_000, "a": 60_000, "b": 60_000, "c": 60_000, pairs: 70_000}
    found = gates(["a", "b", "c"], counting(sizes))
    assert found == ["a AND b AND c", pairs, "a OR b OR c"]


def test_of_one_common_word_the_newest_are_ranked() -> None:
    assert gates(["a"], counting({"a": 50_000})) == ["a"]


@pytest.fixture
def crowded(memory: Memory, monkeypatch: pytest.MonkeyPatch, hashed: Embedder) -> Memory:
    """A memory whose every note holds the words that are asked for, as a large store's may."""
    monkeypatch.setattr("remem_core.recall.gate.RANKED", 40)
    monkeypatch.setattr("remem_core.recall.search.RANKED", 40)
    monkeypatch.setattr("remem_core.recall.search.CANDIDATES", 10)
    start = datetime.datetime(2026, 3, 1, tzinfo=datetime.UTC)
    told = (
        "the deploy was late" + (" and the vault was open" if i == 3 else f" by {i} minutes")
        for i in range(200)
    )
    memory.emit(
        (
            Note(
                text=text,
                at=format_time(start + datetime.timedelta(minutes=i)),
                source="owner",
                ref=str(i),
            )
            for i, text in enumerate(told)
        ),
        embed=False,
    )
    return memory


def test_old_memory_with_the_rare_word_is_found_among_many(crowded: Memory) -> None:
    assert crowded.recall("was the vault late at the deploy?")[0].ref == "3"


def test_common_word_alone_finds_the_newest(crowded: Memory) -> None:
    found = {int(hit.ref or 0) for hit in crowded.recall("deploy", limit=5)}
    assert len(found) == 5
    assert min(found) >= 160


def test_narrow_scope_is_searched_whole(crowded: Memory) -> None:
    hits = crowded.recall("deploy", until="2026-03-01T00:10:00Z", limit=20)
    assert {int(hit.ref or 0) for hit in hits} == set(range(10))
