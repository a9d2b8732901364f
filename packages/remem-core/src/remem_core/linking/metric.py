"""The learned map from an item to the vector whose products say how alike two wishes are.

Linear discriminant analysis over the vectors of the views and the hashed words: the directions in
which tellings of one wish differ are shrunk, those in which wishes differ are kept. One file a
space of vectors.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remem_core.linking.grams import Bag, bag
from remem_core.linking.tongues import tongue_of
from remem_core.linking.views import Item, Vectors, texts_of

VERSION = 3  # of the maps; raised, kept vectors are made anew
FILES = {"minilm-l6-v2-int8": "minilm", "hashed-256": "hashed"}
WORDED = 128  # buckets of the words as they stand
PARTS = (1.0, 0.5)  # what the person's words and the agent's count in them
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Metric:
    """The map of one space."""

    means: Floats  # a row a tongue: what its texts have in common
    projection: Floats  # of the views
    rarity: Floats  # of each bucket, both parts' buckets in a row
    words: Floats  # the projection of the buckets
    offset: Floats  # what the mean bag maps to
    trust: Floats  # of each tongue: what its rows' length is, so that one cut fits all

    def map(self, items: Sequence[Item], views: Vectors) -> Vectors:
        """Return a row an item, its length 1 or less; zeros where there is nothing to compare.

        What a row's tongue is not trusted with goes to the words as they stand: in a tongue that
        the model does not know, what is said in the same words is alike, and little else.
        """
        if not items:
            return np.zeros((0, self.dimensions), np.float32)
        tongues = np.array([tongue_of(item) for item in items], dtype=np.intp)
        centred = views - self.means[tongues]
        # A row at a time: a product of many rounds a row by how many there are, and a night that
        # was broken off would link otherwise than one that was not.
        rows = np.stack([row @ self.projection for row in centred]) - self.offset
        for row, item in zip(rows, items, strict=True):
            for buckets, values in weighed(item, self.rarity):
                row += values @ self.words[buckets]
        told = views.any(axis=1) * self.trust[tongues]
        lengths = np.maximum(np.linalg.norm(rows, axis=1), 1e-9)
        learned = rows * (told / lengths)[:, None]
        rest = np.sqrt(np.maximum(0.0, 1.0 - self.trust[tongues] ** 2))
        shared = np.stack([as_worded(item, self.rarity) for item in items]) * rest[:, None]
        return np.hstack([learned, shared]).astype(np.float32)

    @property
    def dimensions(self) -> int:
        """How long a row is."""
        return int(self.projection.shape[1]) + WORDED


def as_worded(item: Item, rarity: Floats) -> Floats:
    """Return the words of an item, folded into a short row of length 1; no meaning is learned."""
    row = np.zeros(WORDED, np.float32)
    for (buckets, values), weight in zip(weighed(item, rarity), PARTS, strict=False):
        np.add.at(row, buckets % WORDED, weight * values)
    return row / max(float(np.linalg.norm(row)), 1e-9)


def weighed(item: Item, rarity: Floats) -> list[Bag]:
    """Return the bags of the person's words and of the agent's, rare words heavier, length 1."""
    texts = texts_of(item)
    bags = [bag(texts[0], 0, "w"), bag(texts[1], 1, "a")]
    heavy = [(buckets, counts * rarity[buckets]) for buckets, counts in bags]
    return [(b, v / max(float(np.linalg.norm(v)), 1e-9)) for b, v in heavy if len(b)]


def pack(metric: Metric) -> bytes:
    """Return the npz, a byte a weight; the same map gives the same bytes."""
    arrays: dict[str, Any] = {
        name: getattr(metric, name).astype(np.float16)
        for name in ("means", "rarity", "offset", "trust")
    }
    for name in ("projection", "words"):
        weights = getattr(metric, name)
        step = np.maximum(np.abs(weights).max(axis=0) / 127, 1e-12).astype(np.float32)
        arrays[name] = np.rint(weights / step).astype(np.int8)
        arrays[f"{name}_step"] = step
    buffer = BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def unpack(packed: bytes) -> Metric:
    """Read what `pack` gave."""
    with np.load(BytesIO(packed), allow_pickle=False) as arrays:
        whole = {n: arrays[n].astype(np.float32) for n in ("means", "rarity", "offset", "trust")}
        steps = {n: arrays[n] * arrays[f"{n}_step"] for n in ("projection", "words")}
    return Metric(**whole, **steps)


@cache
def load_metric(name: str) -> Metric:
    """Load a map that is shipped: `minilm` or `hashed`."""
    return unpack((files(__package__) / f"{name}.npz").read_bytes())
