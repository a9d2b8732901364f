"""Logistic regression with a ridge, small enough for Newton's method."""

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
_STEPS, _BIAS = 15, 1e-4


def fit(inputs: Matrix, target: Matrix, counts: Matrix, ridge: float) -> Matrix:
    """Return the weights of a logistic regression, the bias last, by Newton's method."""
    rows = np.hstack([inputs, np.ones((len(inputs), 1))])
    penalty = np.full(rows.shape[1], ridge)
    penalty[-1] = _BIAS
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        chance = 1.0 / (1.0 + np.exp(-rows @ weights))
        slope = rows.T @ (counts * (chance - target)) + penalty * weights
        curve = (rows * (counts * chance * (1 - chance))[:, None]).T @ rows + np.diag(penalty)
        weights -= np.linalg.solve(curve, slope)
    return weights
