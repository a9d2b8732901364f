"""Cue rules, one TOML file a language, compiled once for each of their tables."""

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = ("en",)


class Cues:
    """The rules of one list, of all languages: is one of them in a text?

    Texts are matched in lower case with straight apostrophes (`plain`). The hints of a table are
    substrings of which every match holds one, so most texts are never searched.
    """

    def __init__(self, patterns: Iterable[str], hints: Iterable[str] = ()) -> None:
        listed = list(patterns)
        body = "|".join(f"(?:{p})" for p in listed) or r"(?!)"
        self._start = re.compile(rf"(?:{body})")
        self._inside = re.compile(rf"(?<!\w)(?:{body})")
        self._hints = tuple(hints)

    def opens(self, text: str) -> bool:
        """Say whether a rule matches at the start of a plain text."""
        return self._start.match(text) is not None

    def find(self, text: str) -> re.Match[str] | None:
        """Return the first match in a plain text, at a word's edge."""
        if self._hints and not any(hint in text for hint in self._hints):
            return None
        return self._inside.search(text)

    def strip_all(self, text: str) -> str:
        """Take matches off the start, with the marks between them, until none is left."""
        while (match := self._start.match(text)) is not None and match.end() > 0:
            rest = text[match.end() :]
            if rest[:1].isalnum():
                break
            text = rest.lstrip(" ,.!:;…–—-\n")
        return text


def plain(text: str) -> str:
    """Lower the case and straighten apostrophes and quotation marks, as the rules expect."""
    return text.lower().translate(_STRAIGHT)


@cache
def cues(table: str, name: str) -> Cues:
    """Return the rules of `[table] name`, of every language together."""
    patterns: list[str] = []
    hints: list[str] = []
    for language in LANGUAGES:
        rules = _load(language).get(table, {})
        patterns += rules.get(name, ())
        hints += rules.get("hints", {}).get(name, ())
    return Cues(patterns, hints)


@cache
def _load(language: str) -> dict[str, Any]:
    return tomllib.loads((files(__package__) / f"{language}.toml").read_text("utf-8"))


_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "\u00a0": " "})
