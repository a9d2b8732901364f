"""The small models beside the rules for admissions and failures: their weights, and their scores.

A model is one row of weights a bag, whole numbers of one byte and a step, and one weight a sign.
Where it comes from and what to expect of it stands in the JSON beside it.
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

from remem_core.surprise.model import texts
from remem_core.surprise.model.texts import Seen


class Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the JSON beside a model says."""

    version: int  # of the weights
    features: int  # the version of the features they are for
    trained: str  # the day, as the trainer was told
    data: dict[str, int]  # the labelled sets and their sizes
    threshold: float  # a score above it is a yes
    figures: dict[str, Any]  # cross-validated: what to expect of it


@dataclass(frozen=True)
class Small:
    """One model, ready to score."""

    facts: Facts
    bags: dict[str, NDArray[np.float64]]
    rules: NDArray[np.float64]
    signs: NDArray[np.float64]
    bias: float

    def says(self, seen: Seen) -> bool:
        """Say whether a text scores above the threshold."""
        return self.score(seen) > self.facts.threshold

    def score(self, seen: Seen) -> float:
        """Return the weighted sum: log-odds, as the training sets have it."""
        total = self.bias + float((self.rules * seen.rules).sum())
        total += float((self.signs * seen.signs).sum())
        for name, weights in self.bags.items():
            buckets = seen.bags[name]
            total += float(weights[buckets].sum()) / math.sqrt(max(1, len(buckets)))
        return total


def pack(model: Small) -> bytes:
    """Return the npz; the same model gives the same bytes."""
    arrays: dict[str, Any] = {
        "rules": model.rules.astype(np.float32),
        "signs": model.signs.astype(np.float32),
        "bias": np.float32(model.bias),
    }
    for name, weights in model.bags.items():
        step = np.float32(np.abs(weights).max() / 127) or np.float32(1)
        arrays[name] = np.rint(weights / np.float64(step)).astype(np.int8)
        arrays[f"{name}_step"] = step
    buffer = BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def unpack(packed: bytes, name: str, facts: Facts) -> Small:
    """Read an npz. Raises ValueError when it is for other features."""
    if facts.features != texts.VERSION:
        raise ValueError(f"weights for features {facts.features}, not {texts.VERSION}")
    with np.load(BytesIO(packed), allow_pickle=False) as arrays:
        return Small(
            facts=facts,
            bags={
                bag: arrays[bag].astype(np.float64) * np.float64(arrays[f"{bag}_step"])
                for bag in texts.BAGS[name]
            },
            rules=arrays["rules"].astype(np.float64),
            signs=arrays["signs"].astype(np.float64),
            bias=float(arrays["bias"]),
        )


@cache
def load_small(name: str) -> Small:
    """Load a model that is shipped: `admissions`, `blame` or `fine`."""
    folder = files(__package__)
    facts = msgspec.json.decode((folder / f"{name}.json").read_bytes(), type=Facts)
    return unpack((folder / f"{name}.npz").read_bytes(), name, facts)
