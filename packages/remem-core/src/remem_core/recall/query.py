"""What a question asks for: identifiers exactly, other words by the keyword index.

Codenames, paths, flags, versions and error codes are found as phrases: the index splits them at
their punctuation, and only their order tells `amber-raven-00123` from its decoys.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from remem_core.recall.stopwords import is_stop_word, without_function_words
from remem_core.segment import letters, unspaced_run, variants, words

MAX_TERMS = 64
_Item = TypeVar("_Item", str, tuple[str, ...])
_QUOTED = re.compile(r"[\"“«„「]([^\"“”«»„「」]{2,200})[\"”»」]")
_NAME = re.compile(r"[0-9_/\\.:@#=~]")
_APOSTROPHE = re.compile("['’]")
_JOINTS = re.compile(r"[-_./:@#+~=\\]+")
# The index stems English; other endings are bridged by the beginning of a word. Where vowels go
# unwritten, words and what is added to them are shorter.
_STEM_LETTERS, _ENDING_LETTERS = 4, 2
_SHORT_STEM_LETTERS, _LONG_LATIN_LETTERS = 3, 6
_ENDING_VOWELS = "аеиоуыэюяіїєαεηιουω"
_VOWELLESS = re.compile("[\u0590-\u06ff]")


@dataclass(frozen=True)
class Query:
    """A parsed question: lists of words in order, and words that stand alone.

    `names` must be found as they are: quotations, and what holds a digit or code punctuation.
    `compounds` are joined words as people write them (`self-made`), `begun` the beginnings of
    words whose endings may differ.
    """

    text: str
    names: tuple[tuple[str, ...], ...]
    compounds: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]
    begun: tuple[str, ...] = ()

    @property
    def exact(self) -> str | None:
        """FTS5 expression of the names alone, None without any."""
        return " OR ".join(map(_phrase, self.names)) or None

    @property
    def any_word(self) -> str | None:
        """FTS5 expression of every part of the question, None when nothing can be searched."""
        return " OR ".join(self.terms) or None

    @property
    def terms(self) -> list[str]:
        """FTS5 expressions of the parts of the question, one each."""
        terms = [*map(_phrase, self.names + self.compounds), *map(_term, self.words)]
        return terms + [f'"{beginning}"*' for beginning in self.begun]

    def share_in(self, text: str) -> float:
        """Return the share of the single words that a text holds, endings aside, in 0…1."""
        there = " " + " ".join(words(text.casefold()))
        starts = [w[: max(_STEM_LETTERS, len(w) - _ENDING_LETTERS)] for w in self.words]
        held = sum(f" {start.casefold()}" in there for start in starts)
        return held / len(starts) if starts else 0.0

    def within(self, gate: str) -> str:
        """FTS5 expression: must match the gate; every word counts for the rank."""
        return f"({gate}) AND ({self.any_word})"


def parse_query(text: str) -> Query:
    """Split a question into its parts; stop words go unless nothing else is left."""
    text = unicodedata.normalize("NFKC", text)
    names = [tuple(words(quoted)) for quoted in _QUOTED.findall(text)]
    compounds: list[tuple[str, ...]] = []
    single: list[str] = []
    common: list[str] = []
    begun: list[str] = []
    for token in _tokens(text):
        parts = words(_JOINTS.sub(" ", token))
        if not token.isascii() and unspaced_run().search(token) is not None:
            telling = [word for run in without_function_words(token) for word in words(run)]
            single += telling
            common += () if telling else parts
        elif len(parts) > 1:
            (names if _NAME.search(token) else compounds).append(tuple(parts))
            # What an apostrophe joins are words of their own (`l'erreur`, `İstanbul'da`).
            if _APOSTROPHE.search(token) and not _NAME.search(token):
                single += [part for part in parts if len(part) > 2 and not is_stop_word(part)]
        elif is_stop_word(token):
            common += parts
        else:
            single += parts + variants(token)
            begun += [] if token.isascii() else map(_beginning, parts)
    parsed = Query(text, _unique(names), _unique(compounds), _unique(single), _unique(begun))
    return parsed if parsed.any_word else Query(text, (), (), _unique(common))


def _unique(items: Iterable[_Item]) -> tuple[_Item, ...]:
    return tuple(item for item in dict.fromkeys(items) if item)[:MAX_TERMS]


def _tokens(text: str) -> list[str]:
    """Split at white space and around unspaced script, without the punctuation around each."""
    spaced = text if text.isascii() else unspaced_run().sub(r" \g<0> ", text)
    return [token for part in spaced.split() if (token := _strip(part))]


def _strip(part: str) -> str:
    start, end = 0, len(part)
    while start < end and not _is_letter(part[start]):
        start += 1
    while end > start and not _is_letter(part[end - 1]):
        end -= 1
    return part[start:end]


def _is_letter(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character)[0] == "M"


def _phrase(parts: tuple[str, ...]) -> str:
    return '"' + " ".join(parts) + '"'


def _term(word: str) -> str:
    # One letter of an unspaced script stands in the index only as the first of a pair.
    if word.isascii():
        return f'"{word}"'
    alone = unspaced_run().match(word) is not None and len(letters(word)) == 1
    return f'"{word}"*' if alone else f'"{word}"'


def _beginning(word: str) -> str:
    """Return what the forms of a word have in common, "" where that says too little."""
    latin = unicodedata.name(word[0], "").startswith("LATIN")
    if len(word) < (_LONG_LATIN_LETTERS if latin else _SHORT_STEM_LETTERS):
        return ""
    short = _VOWELLESS.match(word) or word[-1].casefold() in _ENDING_VOWELS
    least = _SHORT_STEM_LETTERS if short else _STEM_LETTERS
    return word[: max(least, len(word) - _ENDING_LETTERS)]
