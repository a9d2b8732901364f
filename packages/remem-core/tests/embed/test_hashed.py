"""The embedder without a model: same buckets on every machine, in every script."""

import numpy as np
import pytest

from remem_core.embed.hashed import HashedEmbedder, bucket_of, features


@pytest.mark.parametrize(
    ("feature", "bucket", "sign"),
    [("uv", 193, 1), ("use", 9, 1), ("use uv", 241, -1), ("吾輩", 135, 1), ("naïve", 127, 1)],
)
def test_bucket_is_the_same_everywhere(feature: str, bucket: int, sign: int) -> None:
    assert bucket_of(feature) == (bucket, sign)


def test_vector_counts_words_and_their_pairs() -> None:
    vector = HashedEmbedder().embed(["Use uv!"])[0]
    assert np.flatnonzero(vector).tolist() == [9, 193, 241]
    np.testing.assert_allclose(vector[[9, 193, 241]], np.array([1, 1, -1]) / np.sqrt(3), rtol=1e-6)


def test_features_leave_out_stop_words_and_single_letters() -> None:
    assert list(features("Please put a UV in the pip_cache")) == [
        *("please", "put", "uv", "pip", "cache"),
        *("please put", "put uv", "uv pip", "pip cache"),
    ]


def test_features_keep_the_negations() -> None:
    assert {"not", "never", "no"} <= set(features("not this, never that, no"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("猫である", ["猫で", "であ", "ある"]),
        ("犬", ["犬"]),
        ("pytest を使う", ["pytest", "を使", "使う"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा", "हिन्दी भाषा"]),
        ("테스트 먼저", ["테스트", "먼저", "테스트 먼저"]),
        ("ﾃｽﾄ", ["テス", "スト"]),  # half-width forms are the same letters
    ],
)
def test_features_follow_the_script(text: str, expected: list[str]) -> None:
    assert list(features(text)) == expected


def test_rows_are_of_length_one_and_in_order() -> None:
    embedder = HashedEmbedder()
    texts = ["run the tests first", "ทดสอบก่อน", "keep the change small"]
    rows = embedder.embed(texts)
    assert rows.dtype == np.float32
    assert rows.shape == (3, embedder.dimensions)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-6)
    for row, text in zip(rows, texts, strict=True):
        np.testing.assert_array_equal(row, embedder.embed([text])[0])


def test_nothing_to_embed_gives_zeros() -> None:
    assert not HashedEmbedder().embed(["", " \n", "of the", "…!"]).any()
    assert HashedEmbedder().embed([]).shape == (0, 256)
