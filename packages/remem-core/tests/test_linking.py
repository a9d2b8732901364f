"""Which wishes are linked, and how a later one relates: by the default model and by word counts."""

import random

import numpy as np
import pytest

from remem_core.embed import open_embedder
from remem_core.linking import Item, Linker
from remem_core.linking.grouping import LEAF, close_pairs, group
from remem_core.linking.relation import by_wording
from remem_core.linking.tongues import TONGUES, tongue_of

ITEMS: list[Item] = [
    ("show me that the importer works, don't tell me", "The importer is finished."),
    ("finished? it fell over on my first file", "The exporter is finished and works."),
    ("no emoji in release notes", "🎉 Version 3 is out! 🚀"),
    ("schreib die Namen im Code auf Englisch", "Die Funktion heißt berechneSumme."),
    ("コメントは短く", "長い説明をコメントに書きました。"),
    ("no emoji in release notes", "🎉 Version 3 is out! 🚀"),
    ("", ""),
    ("don't touch the lock file by hand", "I edited the lock file."),
]


@pytest.fixture(scope="module", params=["onnx", "hashed"])
def linker(request: pytest.FixtureRequest) -> Linker:
    return Linker.open(open_embedder({"REMEM_EMBED": request.param}))


def groups_of(linker: Linker, items: list[Item]) -> set[tuple[Item, ...]]:
    return {tuple(sorted(items[at] for at in many)) for many in linker.clusters(items)}


def test_scores_are_symmetric_and_at_most_one(linker: Linker) -> None:
    scores = linker.scores(ITEMS)
    assert scores.shape == (len(ITEMS), len(ITEMS))
    assert scores.dtype == np.float32
    np.testing.assert_allclose(scores, scores.T, atol=1e-6)
    assert scores.max() <= 1 + 1e-5


def test_nothing_is_linked_to_an_item_without_words(linker: Linker) -> None:
    empty = ITEMS.index(("", ""))
    assert not linker.scores(ITEMS)[empty].any()


def test_pairs_likeness_and_scores_say_the_same(linker: Linker) -> None:
    vectors = linker.vectors(ITEMS)
    assert vectors.shape == (len(ITEMS), linker.dimensions)
    pairs = linker.score_pairs(ITEMS, [0, 2, 3], [1, 7, 4])
    np.testing.assert_allclose(pairs, linker.scores(ITEMS)[[0, 2, 3], [1, 7, 4]], atol=1e-6)
    kept = linker.score_pairs(ITEMS, [0, 2, 3], [1, 7, 4], vectors)
    np.testing.assert_allclose(kept, pairs, atol=1e-6)
    likeness = linker.likeness(vectors[:2], vectors[2:])
    np.testing.assert_allclose(likeness, linker.scores(ITEMS)[:2, 2:], atol=1e-6)


def test_a_vector_depends_on_its_item_alone(linker: Linker) -> None:
    together = linker.vectors(ITEMS)
    alone = np.concatenate([linker.vectors([item]) for item in ITEMS])
    np.testing.assert_allclose(together, alone, atol=1e-6)


def test_an_empty_list_has_no_scores_and_no_groups(linker: Linker) -> None:
    assert linker.scores([]).shape == (0, 0)
    assert linker.vectors([]).shape == (0, linker.dimensions)
    assert linker.clusters([]) == []


def test_each_item_is_in_one_group_and_equal_items_share_it(linker: Linker) -> None:
    found = linker.clusters(ITEMS)
    assert sorted(at for many in found for at in many) == list(range(len(ITEMS)))
    assert any({2, 5} <= set(many) for many in found)


def test_twenty_orders_give_the_same_groups(linker: Linker) -> None:
    expected = groups_of(linker, ITEMS)
    for seed in range(20):
        shuffled = random.Random(seed).sample(ITEMS, len(ITEMS))
        assert groups_of(linker, shuffled) == expected


@pytest.mark.parametrize("kind", ["correction", "error", "surprise"])
def test_each_kind_has_a_cut_and_corrections_have_the_default_one(
    linker: Linker, kind: str
) -> None:
    assert 0 < linker.cut_for(kind) <= 1
    assert linker.cut == linker.cut_for("correction") <= linker.cut_for(kind)


def test_an_unknown_kind_has_no_cut(linker: Linker) -> None:
    with pytest.raises(KeyError):
        linker.cut_for("mood")


def test_the_same_item_again_is_the_same_wish(linker: Linker) -> None:
    assert linker.relation(ITEMS[0], ITEMS[0]) == "same"


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        (
            ("sort the imports", "I added three imports at the top."),
            ("stop sorting the imports from now on", "I sorted the imports in all files."),
        ),
        (
            ("write a changelog entry each time", "Released without a changelog entry."),
            ("no more changelog entries, forget what I said", "I wrote a changelog entry."),
        ),
    ],
)
def test_a_wish_and_its_opposite_are_not_the_same(earlier: Item, later: Item) -> None:
    linker = Linker.open(open_embedder({"REMEM_EMBED": "onnx"}))
    assert linker.relation(earlier, later) != "same"


def test_a_wish_taken_back_contradicts_it() -> None:
    linker = Linker.open(open_embedder({"REMEM_EMBED": "onnx"}))
    earlier = ("write a changelog entry each time", "Released without a changelog entry.")
    later = ("no more changelog entries, forget what I said", "I wrote a changelog entry.")
    assert linker.relation(earlier, later) == "contradicts"


class OtherSpace:
    """An embedder of a space in which nothing was learned."""

    space = "someone-elses-model@1"
    dimensions = 4

    def embed(self, texts: list[str]) -> np.ndarray:
        raise AssertionError("its vectors have no cut, so they must not be compared")


def test_a_space_without_a_learned_map_is_linked_by_words() -> None:
    other, by_words = (
        Linker.open(OtherSpace()),
        Linker.open(open_embedder({"REMEM_EMBED": "hashed"})),
    )
    assert other.space == by_words.space
    np.testing.assert_array_equal(other.scores(ITEMS), by_words.scores(ITEMS))


@pytest.mark.parametrize(
    ("text", "tongue"),
    [
        ("do it as I said in the plan", "english"),
        ("bitte erst die Prüfung laufen lassen", "latin"),
        ("сначала запусти проверку", "cyrillic"),
        ("先にテストを実行して", "hiragana"),
        ("先运行测试", "cjk"),
        ("테스트부터 돌려", "hangul"),
        ("", "english"),
    ],
)
def test_the_manner_of_writing_is_told_by_letters(text: str, tongue: str) -> None:
    assert TONGUES[tongue_of((text, ""))] == tongue


def test_average_linkage_looks_at_all_members_not_at_the_nearest() -> None:
    """Two neighbours 50° apart are linked; a third, 50° on, is 0.23 alike to both."""
    angles = np.radians([0, 50, 100])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    items = [("a", ""), ("b", ""), ("c", "")]
    assert sorted(map(len, group(items, vectors, 0.6))) == [1, 2]
    assert group(items, vectors, 0.2) == [[0, 1, 2]]


def test_close_pairs_are_found_among_more_items_than_are_compared_at_once() -> None:
    random_rows = np.random.default_rng(3).standard_normal((2 * LEAF, 40))
    rows = random_rows / np.linalg.norm(random_rows, axis=1, keepdims=True)
    rows[LEAF:] = rows[:LEAF] + 0.02 * random_rows[LEAF:]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    found = {(left, right) for left, right, _ in close_pairs(rows, 0.9)}
    twins = {(at, at + LEAF) for at in range(LEAF)}
    assert len(found & twins) > 0.98 * LEAF


@pytest.mark.parametrize(
    ("earlier", "later", "relation"),
    [
        ("always lint before you push", "never lint before you push", "contradicts"),
        ("ask me before you rename a table", "please ask me before you rename a table", "same"),
        ("keep the old logs on disk", "don't keep the old logs on disk", "contradicts"),
    ],
)
def test_wishes_in_nearly_the_same_words_are_told_by_their_polarity(
    linker: Linker, earlier: str, later: str, relation: str
) -> None:
    assert linker.relation((earlier, ""), (later, "")) == relation


def test_another_object_in_the_same_words_is_not_decided_by_wording() -> None:
    assert (
        by_wording("write the report in the docs folder", "write the report in the web folder")
        is None
    )


@pytest.mark.parametrize(
    "said",
    [
        "frag nicht jedes Mal, ob du die Tests starten sollst",
        "не пушь в main без моего ок",
        "不要每次都问我",
        "毎回確認しないでください",
        "테스트 먼저 돌려",
    ],
)
def test_the_same_words_are_linked_in_every_tongue(said: str) -> None:
    linker = Linker.open()
    again, other = f"{said}!", "the chart is still empty"
    scores = linker.scores([(said, ""), (again, ""), (other, "")])
    assert scores[0, 1] >= linker.cut
    assert scores[0, 2] < linker.cut


def test_a_row_is_the_same_to_the_last_bit_whatever_it_is_computed_with() -> None:
    linker = Linker.open(open_embedder({"REMEM_EMBED": "hashed"}))
    items = [(f"never {word} the branch", f"I will {word} it") for word in WORDS]
    together = linker.vectors(items)
    alone = np.vstack([linker.vectors([item]) for item in items])
    assert (together == alone).all()


WORDS = "push rename squash merge rebase delete tag lint format deploy publish sign".split()
