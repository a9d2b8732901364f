"""The vector index: exact while small, by sign bits above, from a cache that is never trusted."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from remem_core.store import vectors
from remem_core.store.connection import connect, transaction
from remem_core.store.fold import fold
from remem_core.store.index import VectorIndex
from remem_core.store.vectors import Matrix
from remem_protocol import Note

SPACE, DIMENSIONS, COUNT = "test-space", 100, 3_000


def made(count: int, seed: int = 1) -> Matrix:
    """Unit vectors in clumps, as texts on a few themes are."""
    rng = np.random.default_rng(seed)
    themes = rng.normal(size=(40, DIMENSIONS))
    matrix = themes[rng.integers(0, 40, count)] + rng.normal(size=(count, DIMENSIONS))
    return (matrix / np.linalg.norm(matrix, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    opened = connect(tmp_path / "memory.db")
    notes = [
        Note(text=f"note {i}", at=f"2026-05-01T10:00:00.{i:06d}Z", source="owner")
        for i in range(COUNT)
    ]
    with transaction(opened):
        fold(opened, notes, detector=None, now="2026-06-01T12:00:00.000000Z")
        # Newest first, as pending episodes are embedded.
        vectors.put(opened, SPACE, range(COUNT, 0, -1), made(COUNT)[::-1])
    yield opened
    opened.close()


def by_bits(cache: Path | None = None) -> VectorIndex:
    return VectorIndex(SPACE, DIMENSIONS, cache, matrix_rows=0, sidecar_rows=100)


def exact_best(query: Matrix, count: int = 10) -> list[int]:
    cosines = made(COUNT) @ query
    return [int(i) + 1 for i in np.argsort(-cosines, kind="stable")[:count]]


def test_small_index_is_exact(db: sqlite3.Connection) -> None:
    index = VectorIndex(SPACE, DIMENSIONS)
    index.refresh(db)
    query = made(1, seed=5)[0]
    near = index.ask(db, query)
    assert near.best(10) == exact_best(query)
    assert near.cosines([7, 10**9])[7] == pytest.approx(float(made(COUNT)[6] @ query))
    assert near.cosines([10**9]) == {}


def test_limited_search_looks_among_what_is_allowed_only(db: sqlite3.Connection) -> None:
    query = made(1, seed=5)[0]
    allowed = list(range(1, COUNT, 7))
    want = [n for n in exact_best(query, COUNT) if n in set(allowed)][:5]
    for index in (VectorIndex(SPACE, DIMENSIONS), by_bits()):
        index.refresh(db)
        assert index.ask(db, query).best(5, allowed) == want
        assert index.ask(db, query).best(5, [10**9]) == []


def test_sign_bits_with_rescoring_find_nearly_all_and_rank_exactly(db: sqlite3.Connection) -> None:
    index = by_bits()
    index.refresh(db)
    hits = 0
    for query in 0.8 * made(COUNT)[::60] + 0.2 * made(50, seed=9):  # questions about what is there
        found = index.ask(db, query).best(10)
        want = exact_best(query)
        hits += len(set(found) & set(want))
        assert found == [n for n in exact_best(query, COUNT) if n in set(found)]
    assert hits >= 0.97 * 500


def test_cold_start_reads_the_cache_and_the_rest_from_the_store(
    db: sqlite3.Connection, tmp_path: Path
) -> None:
    cache = tmp_path / "cache.bits"
    by_bits(cache).refresh(db)
    assert cache.stat().st_mode & 0o777 == 0o600
    with transaction(db):
        db.execute("delete from vectors where n = 1")
        vectors.put(db, SPACE, [1], made(1, seed=77))
    index = by_bits(cache)
    index.refresh(db)
    assert len(index) == COUNT
    assert index.ask(db, made(1, seed=77)[0]).best(1) == [1]


def flipped(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:-8],
        lambda data: data + b"\0" * 8,
        lambda data: flipped(data, 3),
        lambda data: flipped(data, 20),
        lambda data: flipped(data, 40),
        lambda data: flipped(data, len(data) - 1),
    ],
    ids=["empty", "short", "long", "magic", "count", "row", "bit"],
)
def test_damaged_cache_is_made_anew(db: sqlite3.Connection, tmp_path: Path, damage) -> None:  # type: ignore[no-untyped-def]
    cache = tmp_path / "cache.bits"
    by_bits(cache).refresh(db)
    good = cache.read_bytes()
    cache.write_bytes(damage(good))
    index = by_bits(cache)
    index.refresh(db)
    query = made(1, seed=5)[0]
    assert index.ask(db, query).best(3) == exact_best(query, 3)
    assert cache.read_bytes() == good


def test_cache_of_another_store_is_not_believed(db: sqlite3.Connection, tmp_path: Path) -> None:
    cache = tmp_path / "cache.bits"
    by_bits(cache).refresh(db)
    with transaction(db):  # as after a restore: the same numbers, other vectors
        db.execute("delete from vectors")
        db.execute("update sqlite_sequence set seq = 0 where name = 'vectors'")
        vectors.put(db, SPACE, range(COUNT, 0, -1), made(COUNT, seed=2)[::-1])
    index = by_bits(cache)
    index.refresh(db)
    query = made(COUNT, seed=2)[41]
    assert index.ask(db, query).best(1) == [42]


def test_place_that_cannot_be_written_costs_only_the_cache(db: sqlite3.Connection) -> None:
    index = by_bits(Path("/proc/nowhere/cache.bits"))
    index.refresh(db)
    assert len(index) == COUNT


def test_running_index_sees_what_is_added_deleted_and_replaced(
    db: sqlite3.Connection, tmp_path: Path
) -> None:
    other = connect(tmp_path / "memory.db")
    for index in (VectorIndex(SPACE, DIMENSIONS), by_bits(tmp_path / "c.bits")):
        index.refresh(db)
        fresh = made(1, seed=int(index.ask(db, made(1)[0]).best(1)[0]) + 100)
        with transaction(other):
            other.execute("delete from vectors where n in (5, 6)")
            vectors.put(other, SPACE, [6], fresh)
        index.refresh(db)
        assert len(index) == COUNT - 1
        assert index.ask(db, fresh[0]).best(1) == [6]
        assert index.ask(db, fresh[0]).cosines([5]) == {}
        with transaction(other):
            vectors.put(other, SPACE, [5], made(COUNT)[4:5])
        index.refresh(db)
        assert len(index) == COUNT
    other.close()


def test_second_question_makes_a_cold_start_exact(db: sqlite3.Connection, tmp_path: Path) -> None:
    cache = tmp_path / "cache.bits"
    VectorIndex(SPACE, DIMENSIONS, cache, sidecar_rows=100).refresh(db)
    index = VectorIndex(SPACE, DIMENSIONS, cache, sidecar_rows=100)
    index.refresh(db)
    query = made(1, seed=5)[0]
    first, second = index.ask(db, query), index.ask(db, query)
    assert type(first) is not type(second)
    assert second.best(10) == exact_best(query)


def test_word_counts_have_no_signs_so_they_stay_exact(tmp_path: Path) -> None:
    db = connect(tmp_path / "m.db")
    with transaction(db):
        notes = [
            Note(text=f"n {i}", at=f"2026-05-01T10:00:00.{i:06d}Z", source="owner")
            for i in range(50)
        ]
        fold(db, notes, detector=None, now="2026-06-01T12:00:00.000000Z")
        vectors.put(db, SPACE, range(1, 51), np.eye(50, DIMENSIONS, dtype=np.float32))
    index = VectorIndex(SPACE, DIMENSIONS, matrix_rows=10)
    index.refresh(db)
    assert index.ask(db, np.eye(1, DIMENSIONS, 31, dtype=np.float32)[0]).best(1) == [32]
    db.close()


def test_reading_a_block_sorts_nothing(db: sqlite3.Connection) -> None:
    # There are as many blocks as there are vectors to sort: at a million it never came to an end.
    statements: list[str] = []
    db.set_trace_callback(statements.append)
    list(vectors.written_after(db, "test", 4, 0))
    db.set_trace_callback(None)
    (block,) = [statement for statement in statements if "order by r" in statement]
    plan = " ".join(step for *_, step in db.execute(f"explain query plan {block}"))
    assert "INTEGER PRIMARY KEY" in plan
    assert "TEMP B-TREE" not in plan
