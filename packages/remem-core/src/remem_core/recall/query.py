"""What a question asks for: identifiers exactly, other words by the keyword index.

Codenames, paths, flags, versions and error codes are found as phrases: the index splits them at
their punctuation, and only their order tells `amber-raven-00123` from its decoys.
"""

import re
import unicodedata
from dataclasses import dataclass

from remem_core.recall.stopwords import is_stop_word
from remem_core.segment import UNSPACED_RUN, segment

MAX_TERMS = 64
_QUOTED = re.compile(r"[\"“«„「]([^\"“”«»„「」]{2,200})[\"”»」]")
_JOINTS = re.compile(r"[-_./:@#+~=\\]+")
# The index stems English; the endings of other alphabets are bridged by the beginning of a word.
_STEM_LETTERS, _ENDING_LETTERS = 4, 2


@dataclass(frozen=True)
class Query:
    """A parsed question: `phrases` are lists of words in order, `words` stand alone."""

    text: str
    phrases: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]

    @property
    def exact(self) -> str | None:
        """FTS5 expression of the phrases alone, None without any."""
        return " OR ".join(map(_phrase, self.phrases)) or None

    @property
    def any_word(self) -> str | None:
        """FTS5 expression of every phrase and word, None when nothing can be searched."""
        terms = [*map(_phrase, self.phrases), *map(_term, self.words)]
        return " OR ".join(terms) or None

    def within(self, gate: str) -> str:
        """FTS5 expression: must match the gate; every word counts for the rank."""
        return f"({gate}) AND ({self.any_word})"


def parse_query(text: str) -> Query:
    """Split a question into phrases and words; stop words go unless nothing else is left."""
    text = unicodedata.normalize("NFC", text)
    phrases = [tuple(_words(quoted)) for quoted in _QUOTED.findall(text)]
    words, common = [], []
    for token in _tokens(text):
        parts = _words(token)
        if len(parts) > 1 and UNSPACED_RUN.search(token) is None:
            phrases.append(tuple(parts))
        elif len(parts) == 1 and is_stop_word(parts[0]):
            common += parts
        else:
            words += parts
    unique = [p for p in dict.fromkeys(phrases) if p][:MAX_TERMS]
    chosen = list(dict.fromkeys(words))[:MAX_TERMS]
    if not unique and not chosen:
        chosen = list(dict.fromkeys(common))[:MAX_TERMS]
    return Query(text=text, phrases=tuple(unique), words=tuple(chosen))


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
