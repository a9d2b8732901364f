"""The learned map from an item's views to the vector whose products say how alike two wishes are.

Linear discriminant analysis: the directions in which tellings of one wish differ are shrunk, those
in which wishes differ are kept. One file a space of vectors.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from remem_core.linking.views import Vectors

VERSION = 1  # of the maps; raised, kept vectors are made anew
FILES = {"minilm-l6-v2-int8": "minilm", "hashed-256": "hashed"}


@dataclass(frozen=True)
class Metric:
    """The map of one space."""

    mean: NDArray[np.float32]
    projection: NDArray[np.float32]

    def map(self, views: Vectors) -> Vectors:
        """Return unit rows, one an item; a row of zeros where there is nothing to compare."""
        mapped = (views - self.mean) @ self.projection
        lengths = np.linalg.norm(mapped, axis=1, keepdims=True)
        told = views.any(axis=1, keepdims=True)
        unit: Vectors = np.where(told, mapped / np.maximum(lengths, 1e-9), 0).astype(np.float32)
        return unit


def pack(metric: Metric) -> bytes:
    """Return the npz, a byte a weight; the same map gives the same bytes."""
    step = np.abs(metric.projection).max(axis=0) / 127
    arrays: dict[str, Any] = {
        "mean": metric.mean.astype(np.float16),
        "projection": np.rint(metric.projection / step).astype(np.int8),
        "step": step.astype(np.float32),
    }
    buffer = BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


@cache
def load_metric(name: str) -> Metric:
    """Load a map that is shipped: `minilm` or `hashed`."""
    packed = (files(__package__) / f"{name}.npz").read_bytes()
    with np.load(BytesIO(packed), allow_pickle=False) as arrays:
        return Metric(
            mean=arrays["mean"].astype(np.float32),
            projection=arrays["projection"].astype(np.float32) * arrays["step"],
        )
