"""Cutting a stream into lists of bounded length (the standard library has it from 3.12 on)."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

_T = TypeVar("_T")


def batches(items: Iterable[_T], size: int) -> Iterator[list[_T]]:
    """Yield the items in lists of `size`, the last one shorter."""
    batch: list[_T] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
