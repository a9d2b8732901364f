"""Learning the map that linking ships: the main directions of the views and of the hashed words,
then linear discriminant analysis over both.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from remem_core.linking.grams import BUCKETS, bag
from remem_core.linking.metric import Metric
from remem_core.linking.tongues import TONGUES, tongue_of
from remem_core.linking.views import Item, texts_of

Matrix = NDArray[np.float64]
Singles = NDArray[np.float32]

# How many directions: found by leaving out one author's folder at a time.
KEPT = 400  # main directions of the views, and as many of the words
WORDS_SCALE = 0.8  # the spread of the words beside that of the views; not searched for
SHRINK = 0.6
DIRECTIONS = 80
COMMON = 10.0  # texts of all tongues that each tongue's mean is drawn towards
_SEED = 20261130


@dataclass(frozen=True)
class Told:
    """What is seen of labelled items, a row each."""

    themes: NDArray[np.str_]
    tongues: NDArray[np.intp]
    views: Matrix
    counts: Singles  # of the hashed words, before they are weighed

    def part(self, mask: NDArray[np.bool_]) -> "Told":
        """Return some of the rows."""
        return Told(self.themes[mask], self.tongues[mask], self.views[mask], self.counts[mask])


def see(items: Sequence[Item], views: Matrix, themes: Sequence[str]) -> Told:
    """Return what is seen of items, given the vectors of their views."""
    counts = np.zeros((len(items), 2 * BUCKETS), dtype=np.float32)
    for row, item in zip(counts, items, strict=True):
        texts = texts_of(item)
        for buckets, values in (bag(texts[0], 0, "w"), bag(texts[1], 1, "a")):
            row[buckets] = values
    tongues = np.array([tongue_of(item) for item in items])
    return Told(np.array(themes), tongues, views, counts)


def learn(told: Told) -> Metric:
    """Return the map that tells the themes apart, every tongue trusted alike."""
    means = np.stack([_mean_of(told.views, told.tongues == at) for at in range(len(TONGUES))])
    means[-1] = told.views[told.tongues != 0].mean(axis=0)
    views = (told.views - means[told.tongues]).astype(np.float32)
    main = main_directions(views)
    rarity = -np.log((told.counts != 0).mean(axis=0) + 1e-3).astype(np.float32)
    bags = weigh(told.counts, rarity)
    common = bags.mean(axis=0)
    bags -= common
    main_words = main_directions(bags) * np.float32(WORDS_SCALE)
    seen = np.hstack([views @ main, bags @ main_words]).astype(np.float64)
    found = discriminant(seen, told.themes)
    words = main_words @ found[main.shape[1] :]
    projection = main @ found[: main.shape[1]]
    offset = common @ words + seen.mean(axis=0) @ found
    parts = (means, projection, rarity, words, offset, np.ones(len(TONGUES)))
    return Metric(*(part.astype(np.float32) for part in parts))


def weigh(counts: Singles, rarity: Singles) -> Singles:
    """Return the bags, rare words heavier, each part of length 1; as `metric.weighed` does."""
    heavy = (counts * rarity).reshape(len(counts), 2, BUCKETS)
    heavy /= np.maximum(np.linalg.norm(heavy, axis=2, keepdims=True), 1e-9)
    return heavy.reshape(len(counts), -1)


def _mean_of(views: Matrix, mask: NDArray[np.bool_]) -> Matrix:
    total: Matrix = views[mask].sum(axis=0) + COMMON * views.mean(axis=0)
    return total / (mask.sum() + COMMON)


def main_directions(rows: Singles) -> Singles:
    """Return the directions of most spread, scaled so that a row's mean square length is 1.

    A randomised range finder with one power iteration (Halko et al. 2011, algorithm 4.4): exact
    enough for directions that are only kept or dropped, at a tenth of the price.
    """
    kept = min(KEPT, rows.shape[1], len(rows))
    start = np.random.default_rng(_SEED).standard_normal((rows.shape[1], kept + 20), np.float32)
    found = rows @ start
    for _ in range(1):
        found = rows @ (rows.T @ np.linalg.qr(found)[0])
    basis = np.linalg.qr(found)[0]
    small = basis.T @ rows
    _, axes = np.linalg.eigh(small @ small.T)
    directions = small.T @ axes[:, ::-1][:, :kept]
    directions /= np.linalg.norm(directions, axis=0)
    return directions / np.sqrt(((rows @ directions) ** 2).sum(axis=1).mean())


def discriminant(rows: Matrix, themes: NDArray[np.str_]) -> Matrix:
    """Return the directions that tell themes from their tellings (Fisher's, shrunk)."""
    _, of = np.unique(themes, return_inverse=True)
    counts = np.bincount(of)
    centres = np.zeros((len(counts), rows.shape[1]))
    np.add.at(centres, of, rows)
    centres /= counts[:, None]
    apart = rows - centres[of]
    within = apart.T @ apart / (len(rows) - len(centres))
    even = np.trace(within) / len(within) * np.eye(len(within))
    whiten = np.linalg.cholesky(np.linalg.inv((1 - SHRINK) * within + SHRINK * even))
    between = np.cov(centres.T) - within / counts.mean()
    _, directions = np.linalg.eigh(whiten.T @ between @ whiten)
    return whiten @ directions[:, ::-1][:, :DIRECTIONS]
