"""Average linkage: groups whose members are, on average, alike (behaviour.md, "merge")."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float32]
BAND = 512  # rows of a likeness that are held at once


def average_linkage(scores: Matrix, cut: float, sizes: Sequence[int]) -> list[list[int]]:
    """Return groups of rows; the two groups that are most alike join while they are above the cut.

    `scores` is symmetric, (n, n): the mean likeness of two items; an item stands for `sizes`
    members. Groups and their members are in rising order, and equal scores join the earliest rows
    first, so the result depends on the rows' order alone.
    """
    alike: npt.NDArray[np.float64] = scores.astype(np.float64)
    np.fill_diagonal(alike, -np.inf)
    groups = [[i] for i in range(len(alike))]
    weight = np.array(sizes, np.float64)
    while len(alike):
        i, j = sorted(divmod(int(np.argmax(alike)), len(alike)))
        if i == j or alike[i, j] < cut:
            break
        groups[i], groups[j] = sorted(groups[i] + groups[j]), []
        joined = (alike[i] * weight[i] + alike[j] * weight[j]) / (weight[i] + weight[j])
        alike[i], alike[:, i] = joined, joined
        alike[j], alike[:, j], alike[i, i] = -np.inf, -np.inf, -np.inf
        weight[i] += weight[j]
    return sorted(group for group in groups if group)


def linked_groups(
    count: int, between: Callable[[slice, slice], Matrix], cut: float
) -> list[list[int]]:
    """Return rows in connected groups, two being connected from the cut up, in rising order.

    `between(rows, columns)` gives the likeness of two ranges. A band of rows is held at a time, so
    memory stays flat. Average linkage at this cut never joins rows of two such groups.
    """
    parent = list(range(count))

    def root(row: int) -> int:
        while parent[row] != row:
            parent[row] = row = parent[parent[row]]
        return row

    for start in range(0, count, BAND):
        band = between(slice(start, start + BAND), slice(start, count))
        for left, right in zip(*np.nonzero(band >= cut), strict=True):
            a, b = root(start + int(left)), root(start + int(right))
            parent[max(a, b)] = min(a, b)
    groups: dict[int, list[int]] = {}
    for row in range(count):
        groups.setdefault(root(row), []).append(row)
    return sorted(groups.values())
