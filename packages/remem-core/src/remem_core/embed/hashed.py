"""Vectors without a model: counts of words and of adjacent words, hashed into 256 signed buckets.
It needs nothing but numpy, is the same on every machine, and serves where no model can be loaded.
It finds shared words, not shared meaning.
"""

import hashlib
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

BUCKETS = 256

# Words that say how a sentence is built rather than what it is about. "not", "no" and "never"
# stay in: in a correction they are the subject.
STOP_WORDS = frozenset(
    """a about after all also am an and any are as at be because been before being but by can could
    did do does doing for from had has have having he her here him his how if in into is it its
    itself just me more most my of on or other our out over own she should so some such than that
    the their them then there these they this those through to too up us very was we were what when
    where which while who why will with would you your""".split()
)

# Scripts that put no space between words: Thai and Lao, Burmese, Khmer, then kana and Han.
_UNSPACED = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x2E80, 0x2FDF),
    (0x3005, 0x3007),
    (0x3040, 0x30FF),
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x323AF),
)


class HashedEmbedder:
    """Word counts as an `Embedder`. Always loads."""

    space = "hashed-256@1"
    dimensions = BUCKETS

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row a text; see `Embedder.embed`."""
        rows = np.zeros((len(texts), BUCKETS), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for feature in features(text):
                bucket, sign = bucket_of(feature)
                row[bucket] += sign
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        rows /= np.where(lengths > 0, lengths, 1)
        return rows


def features(text: str) -> Iterator[str]:
    """Yield what is counted: words, then pairs of adjacent words, then pairs of characters.

    A word is lower-case, at least two characters long and no stop word; words are adjacent when
    only such words as are left out stand between them. Pairs of characters are taken where a
    script doesn't separate words; a single such character stands for itself.
    """
    words: list[str] = []
    characters: list[str] = []
    for kind, group in groupby(unicodedata.normalize("NFKC", text).lower(), key=_kind):
        run = "".join(group)
        if kind == "spaced" and len(run) > 1 and run not in STOP_WORDS:
            words.append(run)
        elif kind == "unspaced":
            characters += [a + b for a, b in pairwise(run)] or [run]
    yield from words
    yield from (f"{first} {second}" for first, second in pairwise(words))
    yield from characters


def bucket_of(feature: str) -> tuple[int, int]:
    """Return a feature's bucket and its sign: the two bytes of its 2-byte BLAKE2b.

    The first byte is the bucket; an odd second byte is +1, an even one -1.
    """
    bucket, parity = hashlib.blake2b(feature.encode("utf-8"), digest_size=2).digest()
    return bucket, 1 if parity % 2 else -1


@lru_cache(maxsize=4096)
def _kind(character: str) -> Literal["spaced", "unspaced", "gap"]:
    """Tell letters, digits and their marks from everything between words."""
    # The general category, not `\w`: that leaves out the vowel signs of Indic scripts.
    if unicodedata.category(character)[0] not in "LNM":
        return "gap"
    code = ord(character)
    return "unspaced" if any(low <= code <= high for low, high in _UNSPACED) else "spaced"
