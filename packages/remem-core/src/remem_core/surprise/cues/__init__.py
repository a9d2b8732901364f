"""Cue rules, one TOML file a language; a list is compiled when a text first needs it.

Which languages a text may be in is told by the letters of its script or by a few frequent words,
and English is always tried, since people mix it in. So a machine on which only English is spoken
compiles only English.
"""

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

LANGUAGES = (
    "en", "es", "de", "fr", "pt", "it", "nl", "pl", "tr", "ru", "uk", "zh", "ja", "ko", "ar", "hi",
)  # fmt: skip
# What continues a word in scripts that part words. Chinese, Japanese and Korean don't, or glue
# endings on, so a cue may start anywhere there.
_LETTER = "A-Za-z0-9_\u00c0-\u052f\u0600-\u06ff\u0900-\u097f"
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "\u00a0": " "})
_SAMPLE = 400  # characters that tell a text's language
_SHORT = 6  # words up to which one frequent word tells the language; beyond, two must
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")


def plain(text: str) -> str:
    """Lower the case and straighten apostrophes and quotation marks, as the rules expect."""
    return text.lower() if text.isascii() else text.lower().translate(_STRAIGHT)


class Cues:
    """The rules of one list in every language. Texts must be `plain`."""

    def __init__(self, table: str, name: str) -> None:
        self._table, self._name = table, name

    def opens(self, text: str) -> bool:
        """Say whether a rule matches at the start of a text."""
        return any(
            rules is not None and rules.start.match(text) is not None
            for rules in (self._rules(language) for language in languages_of(text))
        )

    def find(self, text: str) -> re.Match[str] | None:
        """Return a match in a text, at a word's edge."""
        for language in languages_of(text):
            rules = self._rules(language)
            if rules is not None and (match := rules.inside.search(text)) is not None:
                return match
        return None

    def strip_all(self, text: str) -> str:
        """Take matches off the start, with the marks between them, until none is left."""
        rules = self._rules("en")
        while rules and (match := rules.start.match(text)) is not None and match.end() > 0:
            rest = text[match.end() :]
            if rest[:1].isalnum():
                break
            text = rest.lstrip(" ,.!:;…–—-\n")
        return text

    def gate(self, text: str) -> bool:
        """Say whether a text is worth a search: a language without such rules always says so."""
        for language in languages_of(text):
            rules = self._rules(language)
            if rules is None or rules.inside.search(text) is not None:
                return True
        return False

    def _rules(self, language: str) -> "_Rules | None":
        return _compiled(language, self._table, self._name)


class _Rules:
    """One list of one language."""

    def __init__(self, patterns: list[str]) -> None:
        body = "|".join(f"(?:{p})" for p in patterns)
        self.start = re.compile(f"(?:{body})")
        self.inside = re.compile(f"(?<![{_LETTER}])(?:{body})")


@cache
def cues(table: str, name: str) -> Cues:
    """Return the rules of `[table] name`."""
    return Cues(table, name)


@lru_cache(maxsize=256)
def languages_of(text: str) -> tuple[str, ...]:
    """Return the languages whose cues may be in a plain text, English first."""
    text = text[:_SAMPLE]
    words = set(_WORD.findall(text))
    needed = 1 if len(words) <= _SHORT else 2
    told = words & _all_words()
    found = ["en"]
    if told:
        found += [name for name, marks in _words().items() if len(told & marks) >= needed]
    if not text.isascii():
        found += [name for name, letter in _letters().items() if letter.search(text)]
    return tuple(found)


@cache
def _words() -> dict[str, frozenset[str]]:
    marks = {name: _load(name)["language"].get("words") for name in LANGUAGES[1:]}
    return {name: frozenset(words) for name, words in marks.items() if words}


@cache
def _all_words() -> frozenset[str]:
    return frozenset().union(*_words().values())


@cache
def _letters() -> dict[str, re.Pattern[str]]:
    marks = {name: _load(name)["language"].get("letters") for name in LANGUAGES[1:]}
    return {name: re.compile(letters) for name, letters in marks.items() if letters}


@cache
def _compiled(language: str, table: str, name: str) -> _Rules | None:
    patterns = _load(language).get(table, {}).get(name)
    return _Rules(patterns) if patterns else None


@cache
def _load(language: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / f"{language}.toml").read_text("utf-8"))
