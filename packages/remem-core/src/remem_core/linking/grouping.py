"""Average linkage at a cut, without all pairs at once.

The score of two items is the product of their vectors, so the mean score between two groups is
the product of their mean vectors: groups are compared at the price of items. Two groups can only
reach the cut if some pair does, so only pairs that do are looked at to begin with; beyond a few
thousand items those are sought among neighbours, which are found by splitting the items by random
directions, several times over.
"""

import heapq
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from remem_core.linking.views import Item, Vectors

Pair = tuple[int, int]

LEAF = 1024  # items that are compared with one another
TREES = 6  # at 0.9 and more alike, a pair is missed by all of six about once in a hundred
_SEED = 20261130


def group(items: Sequence[Item], vectors: Vectors, cut: float) -> list[list[int]]:
    """Return the groups, each sorted, in the order of their first item.

    The order of the items changes nothing but their numbers: they are sorted by what they say.
    Items that say the same are one group from the start.
    """
    order = sorted(range(len(items)), key=lambda at: items[at])
    same: dict[Item, list[int]] = {}
    for at in order:
        same.setdefault(items[at], []).append(at)
    members = list(same.values())
    rows = vectors[[many[0] for many in members]]
    weights = [float(len(many)) for many in members]
    merged = linkage(rows, weights, cut)
    return sorted(sorted(at for row in rows_ for at in members[row]) for rows_ in merged)


def linkage(
    rows: Vectors | Sequence[Sequence[float]], weights: Sequence[float], cut: float
) -> list[list[int]]:
    """Return groups of rows, each in rising order; a row stands for so many equal items.

    Equal scores join the earliest rows first, so the rows' order settles every tie.
    """
    exact = np.asarray(rows, np.float32).astype(np.float64)
    merged = _Linkage(exact, np.asarray(weights, dtype=np.float64), cut).run()
    return sorted(sorted(part) for part in merged)


class _Linkage:
    """Groups of rows, and a queue of which two to join next, the most alike first."""

    def __init__(self, rows: NDArray[np.float64], weights: NDArray[np.float64], cut: float) -> None:
        self._cut = cut
        self._next = len(rows)  # the number of the next group
        self._groups = {at: [at] for at in range(len(rows))}
        self._first = {at: at for at in range(len(rows))}  # a group's earliest row
        self._sums = {at: rows[at] * weights[at] for at in range(len(rows))}
        self._weights = {at: float(weight) for at, weight in enumerate(weights)}
        self._near: dict[int, set[int]] = {at: set() for at in range(len(rows))}
        # Minus the score, then the earliest row of each of the two, which settle a tie (MEM-100).
        self._queue: list[tuple[float, int, int, int, int]] = []
        for left, right, score in close_pairs(rows, cut):
            self._near[left].add(right)
            self._near[right].add(left)
            self._queue.append((-score, left, right, left, right))
        heapq.heapify(self._queue)

    def run(self) -> list[list[int]]:
        while self._queue:
            *_, left, right = heapq.heappop(self._queue)
            if left in self._groups and right in self._groups:
                self._join(left, right)
        return list(self._groups.values())

    def _join(self, left: int, right: int) -> None:
        """Make one group of two, under a new number, and queue what it may join."""
        new = self._next
        self._next += 1
        self._groups[new] = self._groups.pop(left) + self._groups.pop(right)
        self._first[new] = min(self._first.pop(left), self._first.pop(right))
        self._sums[new] = self._sums.pop(left) + self._sums.pop(right)
        self._weights[new] = self._weights.pop(left) + self._weights.pop(right)
        near = (self._near.pop(left) | self._near.pop(right)) - {left, right}
        self._near[new] = near
        for other in sorted(near):
            self._near[other] -= {left, right}
            self._near[other].add(new)
            product = float(self._sums[new] @ self._sums[other])
            score = product / (self._weights[new] * self._weights[other])
            if score >= self._cut:
                first, second = sorted((self._first[new], self._first[other]))
                heapq.heappush(self._queue, (-score, first, second, other, new))


def close_pairs(rows: NDArray[np.float64], cut: float) -> Iterator[tuple[int, int, float]]:
    """Yield pairs of rows whose product reaches the cut, each once, lower number first.

    All of them up to LEAF rows; beyond, those that share a leaf of one of the trees.
    """
    if len(rows) <= LEAF:
        yield from _pairs_within(rows, np.arange(len(rows)), cut)
        return
    found: dict[Pair, float] = {}
    random = np.random.default_rng(_SEED)
    for _ in range(TREES):
        for leaf in _leaves(rows, random):
            for left, right, score in _pairs_within(rows, leaf, cut):
                found[left, right] = score
    yield from ((left, right, score) for (left, right), score in sorted(found.items()))


def _pairs_within(
    rows: NDArray[np.float64], leaf: NDArray[np.intp], cut: float
) -> Iterator[tuple[int, int, float]]:
    scores = np.triu(rows[leaf] @ rows[leaf].T, 1)
    for left, right in zip(*np.nonzero(scores >= cut), strict=True):
        yield int(leaf[left]), int(leaf[right]), float(scores[left, right])


def _leaves(rows: NDArray[np.float64], random: np.random.Generator) -> Iterator[NDArray[np.intp]]:
    """Split the rows at the median along random directions until a leaf is small enough."""
    waiting = [np.arange(len(rows))]
    while waiting:
        part = waiting.pop()
        if len(part) <= LEAF:
            yield part
            continue
        along = rows[part] @ random.standard_normal(rows.shape[1])
        order = np.argsort(along, kind="stable")
        half = len(part) // 2
        waiting += [np.sort(part[order[:half]]), np.sort(part[order[half:]])]
