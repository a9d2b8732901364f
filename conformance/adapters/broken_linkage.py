"""Joins whatever has one member that is near enough."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from remem_cli import adapter
from remem_core.linking import grouping


def single(rows: Any, weights: Sequence[float], cut: float) -> list[list[int]]:
    groups: list[list[int]] = []
    exact = np.asarray(rows, np.float32)
    for at, row in enumerate(exact):
        near = [group for group in groups if max(row @ exact[group].T) >= cut]
        groups = [group for group in groups if group not in near]
        groups.append(sorted([at, *(member for group in near for member in group)]))
    return sorted(groups)


grouping.linkage = single
adapter.main()
