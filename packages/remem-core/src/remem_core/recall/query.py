"""What a question asks for: identifiers exactly, other words by the keyword index.

Codenames, paths, flags, versions and error codes are found as phrases: the index splits them at
their punctuation, and only their order tells `amber-raven-00123` from its decoys.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from remem_core.recall.stopwords import is_stop_word
from remem_core.segment import UNSPACED_RUN, segment

MAX_TERMS = 64
_Item = TypeVar("_Item", str, tuple[str, ...])
_QUOTED = re.compile(r"[\"“«„「]([^\"“”«»„「」]{2,200})[\"”»」]")
_NAME = re.compile(r"[0-9_/\\.:@#=~]")
_JOINTS = re.compile(r"[-_./:@#+~=\\]+")
# The index stems English; the endings of other alphabets are bridged by the beginning of a word.
_STEM_LETTERS, _ENDING_LETTERS = 4, 2


@dataclass(frozen=True)
class Query:
    """A parsed question: lists of words in order, and words that stand alone.

    `names` must be found as they are: quotations, and what holds a digit or code punctuation.
    `compounds` are joined words as people write them (`self-made`).
    """

    text: str
    names: tuple[tuple[str, ...], ...]
    compounds: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]

    @property
    def exact(self) -> str | None:
        """FTS5 expression of the names alone, None without any."""
        return " OR ".join(map(_phrase, self.names)) or None

    @property
    def any_word(self) -> str | None:
        """FTS5 expression of every part of the question, None when nothing can be searched."""
        terms = [*map(_phrase, self.names + self.compounds), *map(_term, self.words)]
        return " OR ".join(terms) or None

    def within(self, gate: str) -> str:
        """FTS5 expression: must match the gate; every word counts for the rank."""
        return f"({gate}) AND ({self.any_word})"


def parse_query(text: str) -> Query:
    """Split a question into its parts; stop words go unless nothing else is left."""
    text = unicodedata.normalize("NFC", text)
    names = [tuple(_words(quoted)) for quoted in _QUOTED.findall(text)]
    compounds: list[tuple[str, ...]] = []
    words: list[str] = []
    common: list[str] = []
    for token in _tokens(text):
        parts = _words(token)
        if len(parts) > 1 and UNSPACED_RUN.search(token) is None:
            (names if _NAME.search(token) else compounds).append(tuple(parts))
        elif len(parts) == 1 and is_stop_word(parts[0]):
            common += parts
        else:
            words += parts
    parsed = Query(text, _unique(names), _unique(compounds), _unique(words))
    return parsed if parsed.any_word else Query(text, (), (), _unique(common))


def _unique(items: Iterable[_Item]) -> tuple[_Item, ...]:
    return tuple(item for item in dict.fromkeys(items) if item)[:MAX_TERMS]


def _tokens(text: str) -> list[str]:
    """Split at white space, and take off the punctuation around each part."""
    return [token for part in text.split() if (token := _strip(part))]


def _strip(part: str) -> str:
    start, end = 0, len(part)
    while start < end and not _is_letter(part[start]):
        start += 1
    while end > start and not _is_letter(part[end - 1]):
        end -= 1
    return part[start:end]


def _words(text: str) -> list[str]:
    """Split as the index does, but keep the marks that some scripts spell vowels with."""
    spaced = "".join(c if _is_letter(c) else " " for c in segment(_JOINTS.sub(" ", text)))
    return spaced.split()


def _is_letter(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character)[0] == "M"


def _phrase(parts: tuple[str, ...]) -> str:
    return '"' + " ".join(parts) + '"'


def _term(word: str) -> str:
    """A word as it is; in an alphabet that is not stemmed also words with its beginning."""
    if word.isascii() or len(word) <= _STEM_LETTERS or _is_latin(word):
        # One letter of an unspaced script stands in the index only as the first of a pair.
        alone = len(word) == 1 and UNSPACED_RUN.match(word) is not None
        return f'"{word}"*' if alone else f'"{word}"'
    stem = word[: max(_STEM_LETTERS, len(word) - _ENDING_LETTERS)]
    return f'"{word}" OR "{stem}"*'


def _is_latin(word: str) -> bool:
    return unicodedata.name(word[0], "").startswith("LATIN")
