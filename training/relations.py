"""Learning how a later wish relates to an earlier one: one logistic regression a relation, over the
signs of the two and the hashed words of both.
"""

from collections.abc import Sequence

import numpy as np
from kernel import Matrix, fit

from remem_core.linking.grams import BUCKETS
from remem_core.linking.metric import Metric
from remem_core.linking.relation import RELATIONS, Weights, said, signs_of
from remem_core.linking.views import Item, Vectors

# How freely the weights may grow: chosen once, not searched for.
SIGN_SCALE, WORD_SCALE, BIAS_SCALE = 0.02, 1.0, 1.0

Sides = Sequence[tuple[Item, Item]]


def see(sides: Sides, views: Vectors, metric: Metric) -> tuple[Matrix, Matrix]:
    """Return the signs and the words of each two items; `views` hold both's rows in turn."""
    signs = [signs_of(a, b, views[2 * at : 2 * at + 2], metric) for at, (a, b) in enumerate(sides)]
    words = np.zeros((len(sides), 2 * BUCKETS))
    for row, (a, b) in zip(words, sides, strict=True):
        for buckets, values in said(a, b):
            row[buckets] = values
    return np.stack(signs), words


def learn(signs: Matrix, words: Matrix, relations: Sequence[str]) -> Weights:
    """Return the weights; the relations are learned one against the rest."""
    mean, spread = signs.mean(axis=0), np.maximum(signs.std(axis=0), 1e-3)
    even = (signs - mean) / spread
    kernel = SIGN_SCALE * (even @ even.T) + WORD_SCALE * (words @ words.T) + BIAS_SCALE
    weight = np.ones(len(signs))
    duals = np.stack(
        [fit(kernel, np.array([float(r == name) for r in relations]), weight) for name in RELATIONS]
    )
    return Weights(
        mean=mean,
        spread=spread,
        rows=SIGN_SCALE * (duals @ even),
        words=WORD_SCALE * (duals @ words),
        bias=BIAS_SCALE * duals.sum(axis=1),
    )


def answers(signs: Matrix, words: Matrix, weights: Weights) -> list[str]:
    """Return the likeliest relation of each row."""
    even = (signs - weights.mean) / weights.spread
    totals = even @ weights.rows.T + words @ weights.words.T + weights.bias
    return [RELATIONS[at] for at in totals.argmax(axis=1)]


def f1_by_relation(wanted: Sequence[str], got: Sequence[str]) -> dict[str, float]:
    """Return each relation's F1, and their mean under `macro`."""
    pairs = list(zip(wanted, got, strict=True))
    each: dict[str, float] = {}
    for name in RELATIONS:
        hits = sum(w == g == name for w, g in pairs)
        said_or_meant = sum((w == name) + (g == name) for w, g in pairs)
        each[name] = 2 * hits / max(1, said_or_meant)
    return each | {"macro": sum(each.values()) / len(each)}
