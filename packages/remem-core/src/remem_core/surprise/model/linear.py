"""Scoring: a weighted sum, made a probability, held against two thresholds."""

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from remem_core.surprise.judging import Heard, Opinion
from remem_core.surprise.model.features import Features, features_of
from remem_core.surprise.model.weights import Weights

if TYPE_CHECKING:
    from remem_core.embed import Embedder


# What the words alone make less likely than this, in percent, is not embedded: far below every
# threshold the vectors hardly ever change it, and most messages of a session are there.
CLEAR = 8


class LinearJudge:
    """The judge that the shipped weights make.

    With an embedder, `first` are the weights that do without: they spare it the clear cases.
    """

    def __init__(
        self,
        weights: Weights,
        embedder: "Embedder | None" = None,
        first: "LinearJudge | None" = None,
    ) -> None:
        self._weights = weights
        self._embedder = embedder
        self._first = first

    def judge(self, heard: Heard) -> Opinion:
        """Give its opinion of one message."""
        seen = features_of(heard)
        if self._first is not None:
            quick = self._first.opinion(heard, seen)
            if quick.percent < CLEAR:
                return quick
        return self.opinion(heard, seen)

    def opinion(self, heard: Heard, seen: Features) -> Opinion:
        """Give its opinion of one message whose features are known."""
        facts = self._weights.facts
        score = self.score(seen)
        odds = facts.slope * score + facts.offset + facts.channels.get(heard.via, 0.0)
        percent = round(100 / (1 + math.exp(-max(-30.0, min(30.0, odds)))))
        corrects = percent >= facts.threshold
        possible = percent >= facts.candidate or heard.cue
        return Opinion(percent, corrects, candidate=possible and not corrects)

    def score(self, seen: Features) -> float:
        """Return the weighted sum, before it is made a probability."""
        weights = self._weights
        total = weights.bias + float((weights.signs * seen.signs).sum())
        for name, buckets in seen.bags.items():
            total += float(weights.bags[name][buckets].sum()) / math.sqrt(max(1, len(buckets)))
        if self._embedder is not None:
            vectors = self._embedder.embed([seen.said, seen.closing]).astype(np.float64)
            rows, cosine = pair(vectors[:1], vectors[1:], weights.means)
            total += float((weights.pairs * rows[:, 0]).sum()) + weights.cosine * float(cosine[0])
        return total


def pair(
    said: NDArray[np.float64], closing: NDArray[np.float64], means: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return both centred and their product, (3, n, d), and the sum of each product, (n,).

    The product is scaled so that its length is about that of a vector.
    """
    mine, theirs = said - means[0], closing - means[1]
    product = mine * theirs
    return np.stack([mine, theirs, product * math.sqrt(said.shape[1])]), product.sum(axis=1)
