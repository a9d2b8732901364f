"""How long a question takes, beside plain FTS5 asked the same in the same run.

The embedder is the hashed one: the model's own time is in test_embed.py. Ratios hold on a noisy
machine, milliseconds do not.
"""

import datetime
import random
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from remem_core import Memory
from remem_core.embed import open_embedder
from remem_protocol import Note

MEMORIES = 5_000
QUESTIONS = {
    "bare": "{code}",
    "natural": "What is the verification PIN for the record with codename {code}?",
    "words": "which build was pinned before the deploy",
}


def records(count: int) -> list[tuple[str, str]]:
    rng = random.Random(7)
    colours = "amber crimson violet cobalt silver hollow".split()
    birds = "raven falcon heron plover kestrel swift".split()
    filler = "the build cache was stale so it was cleared and pinned before the deploy ran".split()
    out = []
    for i in range(count):
        code = f"{rng.choice(colours)}-{rng.choice(birds)}-{i:05d}"
        words = " ".join(rng.choice(filler) for _ in range(28))
        out.append((code, f"record {code} has verification PIN {rng.randint(0, 999999)}: {words}"))
    return out


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Memory, list[str]]]:
    made = records(MEMORIES)
    start = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
    embedder = open_embedder({"REMEM_EMBED": "hashed"})
    home: Path = tmp_path_factory.mktemp("recall") / "home"
    with Memory.open(home, embedder=embedder) as memory:
        memory.emit(
            Note(text=text, at=start + datetime.timedelta(minutes=i), source="owner")
            for i, (_, text) in enumerate(made)
        )
        memory.embed_pending()
        memory.recall("warm up", touch=False)
        yield memory, [code for code, _ in made]


@pytest.fixture(scope="module")
def plain() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    db.execute("create virtual table f using fts5(t)")
    db.executemany("insert into f(t) values (?)", ((text,) for _, text in records(MEMORIES)))
    return db


@pytest.mark.parametrize("style", QUESTIONS)
def test_recall(benchmark: BenchmarkFixture, store: tuple[Memory, list[str]], style: str) -> None:
    memory, codes = store
    rng = random.Random(1)
    benchmark.group = f"recall, {style}"
    found = benchmark(
        lambda: memory.recall(QUESTIONS[style].format(code=rng.choice(codes)), touch=False)
    )
    assert found


@pytest.mark.parametrize("style", QUESTIONS)
def test_plain_fts(
    benchmark: BenchmarkFixture,
    plain: sqlite3.Connection,
    store: tuple[Memory, list[str]],
    style: str,
) -> None:
    _, codes = store
    rng = random.Random(1)
    benchmark.group = f"recall, {style}"

    def ask() -> list[tuple[int]]:
        words = re.findall(r"\w+", QUESTIONS[style].format(code=rng.choice(codes)))
        match = " OR ".join(f'"{word}"' for word in words)
        return plain.execute(
            "select rowid from f where f match ? order by rank limit 8", (match,)
        ).fetchall()

    assert benchmark(ask)
