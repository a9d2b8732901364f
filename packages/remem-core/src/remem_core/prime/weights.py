"""What is compared by vectors: a background, and two linear readings of stances, in one npz."""

from functools import cache
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from remem_core.prime.scales import read_file

Matrix = NDArray[np.float64]


class Stance(NamedTuple):
    """A linear reading of what a person wants of replies, or of what a reply does about it."""

    weights: Matrix  # (inputs, stances)
    bias: Matrix  # (stances,)

    def read(self, inputs: Matrix) -> Matrix:
        """Return probabilities, shape (rows, stances)."""
        odds = np.clip(inputs @ self.weights + self.bias, -30.0, 30.0)
        return np.asarray(1.0 / (1.0 + np.exp(-odds)))


class Vectors(NamedTuple):
    """What is compared by vectors."""

    background: Matrix  # (parts, n, d): texts to which everything is a little near
    wants: Stance
    does: Stance


@cache
def load_vectors() -> Vectors:
    """Load what is compared by vectors."""
    return unpack(read_file("prime.npz"))


def pack(vectors: Vectors) -> bytes:
    """Return the npz; the same arrays give the same bytes."""
    step = float(np.abs(vectors.background).max()) / 127
    arrays: dict[str, Any] = {
        "background": np.rint(vectors.background / step).astype(np.int8),
        "step": np.float32(step),
    }
    for name, stance in (("wants", vectors.wants), ("does", vectors.does)):
        arrays[name] = stance.weights.astype(np.float16)
        arrays[f"{name}_bias"] = stance.bias.astype(np.float32)
    buffer = BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def unpack(packed: bytes) -> Vectors:
    """Read an npz."""
    with np.load(BytesIO(packed), allow_pickle=False) as arrays:

        def stance(name: str) -> Stance:
            weights, bias = arrays[name], arrays[f"{name}_bias"]
            return Stance(weights.astype(np.float64), bias.astype(np.float64))

        background = arrays["background"].astype(np.float64) * float(arrays["step"])
        return Vectors(background, stance("wants"), stance("does"))
