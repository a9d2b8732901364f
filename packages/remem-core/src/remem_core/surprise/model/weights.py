"""The weights: one compressed npz a set, beside a JSON that says where they come from.

A bag's weights are whole numbers of one byte and a step, so a set of 260,000 takes few bytes, and
a training that differs in its last bits writes the same file.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from remem_core.surprise.model import features

Name = Literal["words", "vectors"]
_LEVELS = 127


class Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the JSON beside a set of weights says."""

    version: int  # of the weights
    features: int  # the version of the features they are for
    space: str | None  # the embedding space they need
    trained: str  # the day, as the trainer was told
    data: dict[str, int]  # the labelled sets and their sizes
    slope: float  # a score becomes how sure by sigmoid(slope * score + offset)
    offset: float
    threshold: int  # percent from which a message is a correction
    candidate: int  # percent from which it is a candidate
    channels: dict[str, float]  # what a channel adds, in log-odds
    figures: dict[str, Any]  # cross-validated: what to expect of it


@dataclass(frozen=True)
class Weights:
    """One set, ready to score. Rows of `pairs`: the message's vector, the reply's, the product."""

    facts: Facts
    bags: dict[str, NDArray[np.float64]]
    signs: NDArray[np.float64]
    bias: float
    means: NDArray[np.float64]  # (2, d): of the message's vectors and of the reply's
    pairs: NDArray[np.float64]  # (3, d)
    cosine: float


def quantise(weights: NDArray[np.float64]) -> tuple[NDArray[np.int8], np.float32]:
    """Return whole numbers of one byte, and the step that they count."""
    step = np.float32(np.abs(weights).max() / _LEVELS) or np.float32(1)
    return np.rint(weights / np.float64(step)).astype(np.int8), step


def pack(weights: Weights) -> bytes:
    """Return the npz; the same weights give the same bytes."""
    arrays: dict[str, Any] = {
        "signs": weights.signs.astype(np.float32),
        "bias": np.float32(weights.bias),
        "means": weights.means.astype(np.float16),
        "pairs": weights.pairs.astype(np.float16),
        "cosine": np.float32(weights.cosine),
    }
    for name in features.BAGS:
        arrays[name], arrays[f"{name}_step"] = quantise(weights.bags[name])
    buffer = BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def unpack(packed: bytes, facts: Facts) -> Weights:
    """Read an npz. Raises ValueError when it is for other features."""
    if facts.features != features.VERSION:
        raise ValueError(f"weights for features {facts.features}, not {features.VERSION}")
    with np.load(BytesIO(packed), allow_pickle=False) as arrays:
        return Weights(
            facts=facts,
            bags={
                name: arrays[name].astype(np.float64) * np.float64(arrays[f"{name}_step"])
                for name in features.BAGS
            },
            signs=arrays["signs"].astype(np.float64),
            bias=float(arrays["bias"]),
            means=arrays["means"].astype(np.float64),
            pairs=arrays["pairs"].astype(np.float64),
            cosine=float(arrays["cosine"]),
        )


@cache
def load_weights(name: Name) -> Weights:
    """Load a set that is shipped."""
    folder = files(__package__)
    facts = msgspec.json.decode((folder / f"{name}.json").read_bytes(), type=Facts)
    return unpack((folder / f"{name}.npz").read_bytes(), facts)
