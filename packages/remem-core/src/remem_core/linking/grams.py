"""The words of an item, hashed: words, pairs of them, and pieces of four letters, so that endings
and typing errors matter less. The person's words and the agent's have buckets of their own.
"""

import re
import zlib
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

BUCKETS = 4096
PIECE = 4
_WORD = re.compile(r"[^\W_]+")

Bag = tuple[NDArray[np.intp], NDArray[np.float32]]
"""Buckets, rising, and their signed counts."""


def grams(text: str) -> set[str]:
    """Return what is counted of a text, each once."""
    words = _WORD.findall(text.lower())
    return {*words, *(f"{a} {b}" for a, b in pairwise(words)), *_pieces(words)}


def _pieces(words: list[str]) -> Iterator[str]:
    for word in words:
        framed = f"<{word}>"
        yield from (framed[at : at + PIECE] for at in range(max(1, len(framed) - PIECE + 1)))


def bag(text: str, part: int, salt: str) -> Bag:
    """Return a text's buckets, those of `part` 1 after those of `part` 0; signs by the hash."""
    counts: defaultdict[int, int] = defaultdict(int)
    for gram in grams(text):
        value = zlib.crc32((salt + gram).encode("utf-8", "replace"))
        counts[part * BUCKETS + value % BUCKETS] += 1 if value >> 31 else -1
    rising = sorted(bucket for bucket, count in counts.items() if count)
    return np.array(rising, dtype=np.intp), np.array([counts[b] for b in rising], dtype=np.float32)
