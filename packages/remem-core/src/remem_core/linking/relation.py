"""How a later wish relates to an earlier one. "Use X" and "don't use X" are near in every space,
so alikeness is one sign of many: whether the agent had just done what was asked before, whether
one forbids and the other doesn't, whether the later one speaks of a change or of an exception.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from itertools import combinations
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from remem_core.linking.grams import Bag, bag
from remem_core.linking.metric import Metric
from remem_core.linking.tongues import tongue_of
from remem_core.linking.views import VIEWS, Item, Vectors, texts_of

Relation = Literal["same", "contradicts", "refines", "unrelated"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)

_ENDS = re.compile(r"^\W+|\W+$")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SPACED = re.compile(r"[a-z\u00c0-\u0e00\u1ea0-\u1eff'_-]+")
_FEW = 0.2  # of the longer wish's words
Signs = NDArray[np.float64]


@dataclass(frozen=True)
class Weights:
    """One row a relation, one column a sign; a sign is first brought to mean 0 and spread 1."""

    mean: Signs
    spread: Signs
    rows: Signs
    words: Signs  # a row a relation, a column a bucket of the words of both
    bias: Signs


def relate(
    earlier: Item, later: Item, views: Vectors, metric: Metric, weights: Weights
) -> Relation:
    """Return the likeliest relation; `views` are the rows of both."""
    if _plain(earlier) == _plain(later):  # MEM-094
        return "same"
    if (plain := by_wording(earlier[0], later[0])) is not None:
        return plain
    signs = (signs_of(earlier, later, views, metric) - weights.mean) / weights.spread
    totals = weights.rows @ signs + weights.bias
    for buckets, values in said(earlier, later):
        totals += weights.words[:, buckets] @ values
    return RELATIONS[int(np.argmax(totals))]


def by_wording(earlier: str, later: str) -> Relation | None:
    """Answer for two wishes in nearly the same words, None for others.

    The labelled wishes are told in different words, so what was learned knows nothing of these.
    One may have a few words more than the other, but none instead of another: that is a new object.
    """
    texts = [earlier.lower().replace("’", "'"), later.lower().replace("’", "'")]
    before, after = (set(_WORD.findall(text)) for text in texts)
    (no, _), (must, _) = _marks()["no"], _marks()["must"]
    sway = (no | must) & (before ^ after)
    fewer, more = sorted((before - sway, after - sway), key=len)
    if not fewer or not fewer <= more or len(more - fewer) > _FEW * len(more):
        return None
    forbids = [bool(no & words) for words in (before, after)]
    return "same" if forbids[0] == forbids[1] else "contradicts"


def said(earlier: Item, later: Item) -> list[Bag]:
    """Return the bags of both wishes' words, each of length 1: how a wish is put tells much."""
    bags = [bag(earlier[0], 0, "r"), bag(later[0], 1, "r")]
    return [(b, v / max(float(np.linalg.norm(v)), 1e-9)) for b, v in bags if len(b)]


def _plain(item: Item) -> list[str]:
    """Return both texts without case, runs of spaces, and the marks at their ends."""
    return [_ENDS.sub("", " ".join(text.casefold().split())) for text in item]


def signs_of(earlier: Item, later: Item, views: Vectors, metric: Metric) -> Signs:
    """Return what is seen of the two: numbers in a fixed order."""
    alike = _alike((earlier, later), views, metric)
    return np.concatenate([alike, _shared(earlier, later), _marked(earlier, later)])


def _alike(items: Sequence[Item], views: Vectors, metric: Metric) -> Signs:
    """Return how alike the two are as wishes, and each view of one to each view of the other."""
    mapped = metric.map(items, views)
    own = metric.means[[tongue_of(item) for item in items]]
    parts = views.reshape(2, VIEWS, -1)
    centred = (views - own).reshape(2, VIEWS, -1)
    centred /= np.maximum(np.linalg.norm(centred, axis=2, keepdims=True), 1e-9)
    told = np.any(parts != 0, axis=2, keepdims=True)
    centred = np.where(told, centred, 0)
    across = centred[0] @ centred[1].T
    within = [centred[0, 0] @ centred[0, 1], centred[1, 0] @ centred[1, 1]]
    return np.array([mapped[0] @ mapped[1], *across.ravel(), *within], dtype=np.float64)


def _shared(earlier: Item, later: Item) -> Signs:
    """Return which share of the shorter text's words the other has, for each two texts."""
    texts = [texts_of(item)[:2] for item in (earlier, later)]
    bags = [pieces(text) for pair in texts for text in pair]
    return np.array([len(a & b) / max(1, min(len(a), len(b))) for a, b in combinations(bags, 2)])


def _marked(earlier: Item, later: Item) -> Signs:
    """Return the marks of both wishes and of the agents' texts, and where the wishes differ."""
    before, after = marks_of(earlier[0]), marks_of(later[0])
    agents = [mark for item in (earlier, later) for mark in marks_of(item[1])[:1]]
    lengths = [min(1.0, len(text) / 150) for item in (earlier, later) for text in item]
    asks = [float("?" in text or "？" in text) for item in (earlier, later) for text in item]
    differ = np.abs(before - after)
    return np.concatenate([before, after, differ, agents, lengths, asks, [float(not later[1])]])


def pieces(text: str) -> set[str]:
    """Return the pieces of four letters of a text's words, so that endings matter less."""
    words = _WORD.findall(text.lower())
    return {word[at : at + 4] for word in words for at in range(max(1, len(word) - 3))}


def marks_of(text: str) -> Signs:
    """Return 1 for each mark that a text carries, else 0."""
    lowered = text.lower().replace("’", "'")
    words = _WORD.findall(lowered)
    known = {*words, *(" ".join(words[at : at + n]) for n in (2, 3) for at in range(len(words)))}
    return np.array(
        [
            float(not known.isdisjoint(spaced) or any(word in lowered for word in unspaced))
            for spaced, unspaced in _marks().values()
        ]
    )


@cache
def _marks() -> Mapping[str, tuple[frozenset[str], tuple[str, ...]]]:
    """Return each mark's words, those of scripts with spaces apart from the others."""
    text = (files(__package__) / "marks.toml").read_text("utf-8")
    split = {}
    for name, words in tomllib.loads(text).items():
        spaced = frozenset(w.replace("_", " ") for w in words.split() if _SPACED.fullmatch(w))
        unspaced = tuple(sorted({w for w in words.split() if not _SPACED.fullmatch(w)}))
        split[name] = (spaced, unspaced)
    return split


def pack(weights: Weights) -> bytes:
    """Return the npz; the same weights give the same bytes."""
    arrays: dict[str, Any] = {
        name: getattr(weights, name).astype(np.float32)
        for name in ("mean", "spread", "rows", "bias")
    }
    step = np.float32(max(np.abs(weights.words).max() / 127, 1e-12))
    arrays |= {"words": np.rint(weights.words / step).astype(np.int8), "step": step}
    buffer = BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def unpack(packed: bytes) -> Weights:
    """Read what `pack` gave."""
    with np.load(BytesIO(packed), allow_pickle=False) as arrays:
        names = ("mean", "spread", "rows", "words", "bias")
        whole = {name: arrays[name].astype(np.float64) for name in names}
        whole["words"] *= float(arrays["step"])
    return Weights(**whole)


@cache
def load_weights(name: str) -> Weights:
    """Load the weights for a space: `minilm` or `hashed`."""
    return unpack((files(__package__) / f"{name}-relation.npz").read_bytes())
