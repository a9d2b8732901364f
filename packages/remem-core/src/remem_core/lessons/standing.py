"""Does a correction carry a wish that would hold another day, or only mend this one thing?

Sleep asks before one correction becomes a lesson: what passes with its task stays an episode until
it is said again. The judge is a small linear model over named signs of the words and, where there
is one, the default embedder's vector of them; `training/train_standing.py` makes its weights.
"""

import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from remem_core.lessons.sources import Source
from remem_core.lessons.standing_signs import (
    VERSION,
    is_empty,
    prefers_a_tool,
    sign_names,
    signs_of,
)

# The lowest probability, in steps of 0.05, from which on what is taken for a wish is more likely
# one than not out of fold, on real turns and on invented ones (`best_cut` in
# training/train_standing.py). Below it a correction waits until it is said again.
CUT = 0.6
# What a plain preference of one tool over another is given at least: a rule, no reading of data.
PREFERRED = 0.9

Vector = NDArray[np.floating[Any]]


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One set of weights, and the line that makes its sums log-odds."""

    signs: dict[str, float]
    bias: float
    slope: float
    offset: float


class Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the JSON beside the vector's weights says."""

    version: int  # of the weights
    features: int  # the version of the signs they are for
    trained: str  # the day, as the trainer was told
    space: str  # of the vectors
    data: dict[str, int]  # the labelled sets and their sizes
    alone: Line  # without a vector
    joined: Line  # with one
    figures: dict[str, Any]  # cross-validated: what to expect of it


@dataclass(frozen=True)
class Weights:
    """Both sets, ready to score."""

    facts: Facts
    mean: NDArray[np.float64]  # (d,): what is taken off a vector
    vector: NDArray[np.float64]  # (d,)


def standing(source: Source, vector: Vector | None = None) -> float:
    """Return how probable it is that a correction's words carry a standing wish.

    `vector` is the default embedder's of the person's words, (384,); without one, of another
    length, or of zeros (nothing to embed) the signs alone decide. Words with nothing to read
    carry no wish: 0.
    """
    if is_empty(source):
        return 0.0
    weights = load_weights()
    values = signs_of(source)
    fits = vector is not None and vector.shape == weights.vector.shape and bool(vector.any())
    line = weights.facts.joined if fits else weights.facts.alone
    total = line.bias + float((_row(line) * values).sum())
    if vector is not None and fits:
        total += float((weights.vector * (vector.astype(np.float64) - weights.mean)).sum())
    odds = line.slope * total + line.offset
    chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, odds))))
    return max(chance, PREFERRED) if prefers_a_tool(source) else chance


def pack(mean: NDArray[np.float64], vector: NDArray[np.float64]) -> bytes:
    """Return the npz; the same weights give the same bytes."""
    buffer = BytesIO()
    arrays: dict[str, Any] = {"mean": mean.astype(np.float16), "vector": vector.astype(np.float16)}
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def unpack(packed: bytes, facts: Facts) -> Weights:
    """Read an npz. Raises ValueError when it is for other signs."""
    names = set(sign_names())
    if facts.features != VERSION or any(
        {*line.signs} != names for line in (facts.alone, facts.joined)
    ):
        raise ValueError(f"weights for signs {facts.features}, not {VERSION}")
    with np.load(BytesIO(packed), allow_pickle=False) as arrays:
        return Weights(
            facts=facts,
            mean=arrays["mean"].astype(np.float64),
            vector=arrays["vector"].astype(np.float64),
        )


@cache
def load_weights() -> Weights:
    """Load the weights that are shipped."""
    folder = files(__package__)
    facts = msgspec.json.decode((folder / "standing.json").read_bytes(), type=Facts)
    return unpack((folder / "standing.npz").read_bytes(), facts)


def _row(line: Line) -> NDArray[np.float64]:
    return np.array([line.signs[name] for name in sign_names()])
