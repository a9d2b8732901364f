"""The words of a text as they are compared: stems, rare ones counting more, identifiers whole."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from remem_core.recall.stopwords import STOP_WORDS

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_ENDINGS = re.compile(
    r"(?:ations?|ings?|edly|ed|ers?|ies|es|ly|ment|s|ungen|ung|en|er|em|ées?|és?|ados?|adas?)$"
)
_CODE = re.compile(
    r"--?[A-Za-z][\w-]*"  # a flag
    r"|[\w.~-]*/[\w./~*-]+"  # a path
    r"|[A-Za-z_][\w]*(?:[._:-]+[A-Za-z_0-9]\w*)+\(?\)?"  # dotted, snake or kebab
    r"|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Z][A-Z0-9_]{2,}"  # camel case, constants
    r"|\w+\(\)"
)
_STEM = 4  # letters that stay at least
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BEGUN = 3  # letters with which a word has begun: "env" for "environment"


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Take a usual ending off a lower-case word, so that forms of one word meet."""
    cut = _ENDINGS.sub("", word)
    return cut if len(cut) >= _STEM else word


@lru_cache(maxsize=16384)
def stems(text: str) -> frozenset[str]:
    """Return the stems of a text's words, without the most frequent ones."""
    words = (word.lower() for word in _WORD.findall(_CAMEL.sub(" ", text)))
    return frozenset(stem(w) for w in words if len(w) > 1 and w not in STOP_WORDS)


@lru_cache(maxsize=16384)
def identifiers(text: str) -> frozenset[str]:
    """Return what is spelled like code: flags, paths, dotted and camel-case names."""
    return frozenset(found.strip("().,:").lower() for found in _CODE.findall(text))


def weight(words: Iterable[str], rarity: Mapping[str, float], unseen: float) -> float:
    """Return the sum of the words' rarities; a word that was never seen is the rarest."""
    return sum(rarity.get(word, unseen) for word in words)


def begun(words: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    """Return the words that stand among others, whole or as the beginning of one or of both."""
    openings = _openings(others)
    return frozenset(
        word
        for word in words
        if word in others
        or word in openings
        or any(word[:end] in others for end in range(_BEGUN, len(word)))
    )


@lru_cache(maxsize=256)
def _openings(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word[:end] for word in words for end in range(_BEGUN, len(word)))
