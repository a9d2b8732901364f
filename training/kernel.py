"""Logistic regression in its dual form: with 2,100 texts and 260,000 features it is the small one.

Each block of features has a scale, which says how freely its weights may grow. All in float64 on
one thread; what is multiplied in bulk are small whole numbers, whose sums are exact in any order.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
_STEPS = 8
_LEAST = 1e-6


@dataclass(frozen=True)
class Bag:
    """The rows of one bag, each divided by the root of how many buckets it has."""

    rows: list[NDArray[np.int64]]

    def kernel(self) -> Matrix:
        """Return the products of all rows."""
        columns = {int(bucket) for row in self.rows for bucket in row}
        place = {bucket: at for at, bucket in enumerate(sorted(columns))}
        shared = np.zeros((len(self.rows), len(self.rows)), dtype=np.float64)
        for start in range(0, len(place), 4096):
            part = np.zeros((len(self.rows), 4096), dtype=np.float32)
            for at, row in enumerate(self.rows):
                here = [place[int(b)] - start for b in row]
                part[at, [h for h in here if 0 <= h < 4096]] = 1
            shared += part @ part.T
        norms = self.norms()
        return shared / norms[:, None] / norms[None, :]

    def weights(self, dual: Matrix, buckets: int) -> Matrix:
        """Return the weight of each bucket that a dual solution stands for."""
        out = np.zeros(buckets, dtype=np.float64)
        for row, value, norm in zip(self.rows, dual, self.norms(), strict=True):
            out[row] += value / norm
        return out

    def norms(self) -> Matrix:
        """Return the root of each row's size."""
        return np.sqrt(np.maximum(1.0, [float(len(row)) for row in self.rows]))


def fit(kernel: Matrix, target: Matrix, weight: Matrix) -> Matrix:
    """Return the dual solution: scores are `kernel @ dual`. Newton's method, a fixed count."""
    dual = np.zeros(len(target))
    for _ in range(_STEPS):
        score = kernel @ dual
        chance = 1 / (1 + np.exp(-score))
        curve = np.maximum(weight * chance * (1 - chance), _LEAST)
        goal = score + weight * (target - chance) / curve
        dual = np.linalg.solve(kernel + np.diag(1 / curve), goal)
    return dual


def fit_line(score: Matrix, target: Matrix, weight: Matrix) -> tuple[float, float]:
    """Return the slope and offset that make scores probabilities (Platt's scaling)."""
    rows = np.stack([score, np.ones_like(score)], axis=1)
    line: Matrix = np.array([1.0, 0.0])
    for _ in range(20):
        chance = 1 / (1 + np.exp(-rows @ line))
        curve = weight * chance * (1 - chance)
        slope = rows.T @ (weight * (target - chance))
        line = line + np.linalg.solve((rows * curve[:, None]).T @ rows, slope)
    return float(line[0]), float(line[1])
