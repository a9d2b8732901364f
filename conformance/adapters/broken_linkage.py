"""Joins whatever has one member that is near enough."""

from collections.abc import Sequence

import numpy as np

from remem_cli import adapter
from remem_core.linking import grouping

Rows = grouping.Vectors | Sequence[Sequence[float]]


def single(rows: Rows, weights: Sequence[float], cut: float) -> list[list[int]]:
    groups: list[list[int]] = []
    likeness = np.asarray(rows) @ np.asarray(rows).T
    for at in range(len(rows)):
        near = [group for group in groups if max(likeness[at][group]) >= cut]
        groups = [group for group in groups if group not in near]
        groups.append(sorted([at, *(member for group in near for member in group)]))
    return sorted(groups)


grouping.linkage = single
adapter.main()
