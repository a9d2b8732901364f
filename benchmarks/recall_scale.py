"""How recall grows with the memory: latency, resident memory, file size, start-up, accuracy.

Usage: python benchmarks/recall_scale.py [--sizes 1000,10000,50000] [--questions 100]

Each size is a store of its own: notes with a codename each, their vectors noisy copies (cosine
about 0.9) of 1,000 real ones, because embedding a million texts takes hours. Prints one JSON line
a size, then the exponent of growth of the medians. Times are of this machine at this load:
compare within one run.
"""

import argparse
import datetime
import json
import math
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from remem_core import Memory
from remem_core.embed import open_embedder
from remem_core.store import vectors
from remem_core.store.connection import connect, transaction
from remem_core.store.index import VectorIndex
from remem_protocol import Note

REAL = 1_000
START = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
NOUNS = "wallet card oracle router terminal vault bridge indexer parser scheduler".split()
VERBS = "cleared pinned rotated deployed reviewed merged reverted cached sharded logged".split()
PLACES = "staging production the cluster the runner the monorepo the gateway CI the edge".split()
Vectors = npt.NDArray[np.float32]
STYLES: dict[str, Callable[[int], str]] = {
    "bare": lambda i: f"amber-raven-{i:07d}",
    "natural": lambda i: f"What is the PIN of the record with codename amber-raven-{i:07d}?",
    "words": lambda i: f"which {NOUNS[i % 10]} was {VERBS[i % 7]} before the deploy",
}


def texts(count: int) -> Iterator[str]:
    rng = random.Random(7)
    for i in range(count):
        told = " ".join(
            f"the {rng.choice(NOUNS)} was {rng.choice(VERBS)} in {rng.choice(PLACES)}"
            for _ in range(4)
        )
        yield f"Record amber-raven-{i:07d} has PIN {rng.randint(100000, 999999)}: {told}."


def real_vectors() -> Vectors:
    return open_embedder({}).embed(list(texts(REAL)))


def fill(home: Path, count: int, real: Vectors, space: str) -> float:
    """Make a store; return notes stored a second (without embedding)."""
    began = time.perf_counter()
    with Memory.open(home) as memory:
        memory.emit(
            (
                Note(
                    text=text,
                    at=START + datetime.timedelta(seconds=i),
                    source="owner",
                    session=f"s{i // 200}",
                    ref=str(i),
                )
                for i, text in enumerate(texts(count))
            ),
            embed=False,
        )
    rate = count / (time.perf_counter() - began)
    db = connect(home / "memory.db")
    rng = np.random.default_rng(3)
    for start in range(0, count, 8_192):
        rows = range(start + 1, min(count, start + 8_192) + 1)
        near = real[[(n - 1) % REAL for n in rows]]
        noise = rng.normal(size=near.shape) * 0.5 / math.sqrt(near.shape[1])
        block = (near + noise).astype(np.float32)
        block /= np.linalg.norm(block, axis=1, keepdims=True)
        with transaction(db):
            vectors.put(db, space, rows, block)
    db.close()
    return rate


def ask(memory: Memory, count: int, questions: int) -> dict[str, float]:
    rng = random.Random(11)
    out = {}
    for style, spell in STYLES.items():
        took, right = [], 0
        for i in (rng.randrange(count) for _ in range(questions)):
            began = time.perf_counter()
            hits = memory.recall(spell(i), limit=5, touch=False)
            took.append(time.perf_counter() - began)
            right += bool(hits) and hits[0].ref == str(i)
        out[f"{style}_ms"] = 1e3 * statistics.median(took)
        out[f"{style}_p95_ms"] = 1e3 * sorted(took)[int(0.95 * questions)]
        if style != "words":
            out[f"{style}_r1"] = right / questions
    return out


def accuracy(home: Path, real: Vectors, space: str) -> float:
    """Recall@10 of the path by sign bits against every cosine."""
    db = connect(home / "memory.db")
    exact = VectorIndex(space, real.shape[1], matrix_rows=10**9)
    bits = VectorIndex(space, real.shape[1], matrix_rows=0)
    exact.refresh(db)
    bits.refresh(db)
    rng = np.random.default_rng(5)
    found = 0
    for vector in real[rng.choice(REAL, 50, replace=False)]:
        query = vector + (rng.normal(size=vector.shape) * 0.02).astype(np.float32)
        query /= np.linalg.norm(query)
        want = set(exact.ask(db, query).best(10))
        found += len(want & set(bits.ask(db, query).best(10)))
    db.close()
    return found / 500


COLD = """
import json, os, sys, time
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command does
t = [time.perf_counter()]
import remem_cli.__main__, remem_cli.commands.recall
from pathlib import Path
from remem_core import Memory
t.append(time.perf_counter())
from remem_core.embed import embed_question, open_embedder
home, asked = Path(sys.argv[1]), sys.argv[2]
embedder = open_embedder()
vector = embed_question(embedder, asked)
t.append(time.perf_counter())
from remem_core.store.connection import connect
from remem_core.store.index import VectorIndex
VectorIndex(embedder.space, embedder.dimensions, next(home.glob("*.bits"), None)).refresh(
    connect(home / "memory.db")
)
t.append(time.perf_counter())
class Known:
    space, dimensions = embedder.space, embedder.dimensions
    def embed(self, texts):
        return vector[None]
memory = Memory.open(home, embedder=Known())
memory.recall(asked, touch=False)
t.append(time.perf_counter())
took = dict(zip(["import", "model", "index", "query"], [b - a for a, b in zip(t, t[1:])]))
took["query"] -= took["index"]  # read once more
print(json.dumps({n + "_ms": 1e3 * v for n, v in took.items()}))
"""


def cold(home: Path) -> dict[str, float]:
    """Time `remem recall` as a whole, and its parts one after another; the best of six each.

    In the command the words are looked for while the model is loaded, so it takes less than its
    parts, except that starting Python is no part of them.
    """
    out = {}
    # As on an owner's machine, where the first run leaves compiled modules for the next.
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    for style in ("words", "natural", "bare"):
        command = [sys.executable, "-m", "remem_cli", "recall", STYLES[style](1)]
        out[f"cold_{style}_ms"] = 1e3 * min(_timed(command, env, home)[0] for _ in range(6))
    parts = [sys.executable, "-c", COLD, str(home), STYLES["words"](1)]
    runs = [json.loads(_timed(parts, env, home)[1]) for _ in range(6)]
    best = min(runs, key=lambda run: sum(run.values()))
    return out | {f"cold_{name}": value for name, value in best.items()}


def _timed(command: list[str], env: dict[str, str], home: Path) -> tuple[float, str]:
    began = time.perf_counter()
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=True,
        env=env | {"REMEM_HOME": str(home)},
    )
    return time.perf_counter() - began, done.stdout


def measure(count: int, questions: int, real: Vectors, space: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        out: dict[str, float] = {"memories": count, "stored_per_s": fill(home, count, real, space)}
        out["file_mb"] = sum(p.stat().st_size for p in home.glob("memory.db*")) / 1e6
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with Memory.open(home) as memory:
            began = time.perf_counter()
            memory.recall("warm up", touch=False)
            out["first_ms"] = 1e3 * (time.perf_counter() - began)
            memory.recall("warm up again", touch=False)
            out |= ask(memory, count, questions)
        out["rss_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
        out["rss_grew_mb"] = out["rss_mb"] - before / 1e3
        out |= cold(home)
        out["recall_at_10"] = accuracy(home, real, space)
        return out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,10000,50000")
    parser.add_argument("--questions", type=int, default=100)
    args = parser.parse_args()
    os.environ.pop("REMEM_EMBED", None)
    embedder = open_embedder({})
    real = real_vectors()
    rows = []
    for count in map(int, args.sizes.split(",")):
        rows.append(measure(count, args.questions, real, embedder.space))
        print(json.dumps({k: round(v, 3) for k, v in rows[-1].items()}), flush=True)
    for name in ("bare_ms", "natural_ms", "words_ms", "first_ms"):
        x = [math.log(row["memories"]) for row in rows]
        y = [math.log(row[name]) for row in rows]
        if len(rows) > 1:
            print(f"{name} grows with the exponent {statistics.linear_regression(x, y).slope:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
