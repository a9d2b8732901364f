"""The weighted sums, and how rare a word is: what a judgement by words needs, without numpy."""

from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec

Mode = Literal["vectors", "words"]
Group = Literal["prompt", "tool", "handback", "error"]
FOLDER = "model"


class Scale(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One weighted sum: log-odds that a lesson bears, and from where on it is said."""

    weights: dict[str, float]
    bias: float
    cut: float
    further: float  # what a second or third lesson of one moment must have beyond the cut


class Facts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the JSON says."""

    version: int
    space: str  # the embedding space of the npz
    trained: str  # the day, as the trainer was told
    data: dict[str, int]  # what it was trained on: sets and their sizes
    scales: dict[Mode, dict[Group, Scale]]
    figures: dict[str, Any]  # cross-validated: what to expect of it


@cache
def load_facts() -> Facts:
    """Load what is shipped, without the vectors."""
    return msgspec.json.decode(read_file("prime.json"), type=Facts)


@cache
def load_rarity() -> dict[str, float]:
    """Load how rare a word is: the logarithm of texts over texts that have it."""
    return msgspec.json.decode(read_file("rarity.json"), type=dict[str, float])


def read_file(name: str) -> bytes:
    """Return a shipped file of weights."""
    return (files(__package__) / FOLDER / name).read_bytes()
