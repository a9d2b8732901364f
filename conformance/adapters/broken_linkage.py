"""Joins whatever has one member that is near enough."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from remem_cli import adapter
from remem_core.linking import grouping


def single(rows: NDArray[np.float32], weights: Sequence[float], cut: float) -> list[list[int]]:
    groups: list[list[int]] = []
    for at, row in enumerate(rows):
        near = [group for group in groups if max(row @ rows[group].T) >= cut]
        groups = [group for group in groups if group not in near]
        groups.append(sorted([at, *(member for group in near for member in group)]))
    return sorted(groups)


grouping.linkage = single
adapter.main()
