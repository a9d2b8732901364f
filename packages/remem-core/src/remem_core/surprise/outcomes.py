"""The rules of outcomes.toml: a table is compiled when it is first needed."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

_PLAIN = re.compile(r"[^\\^$.|?*+()\[\]{}]+")


class Outcomes:
    """The rules of one table. Plain words are looked up as substrings: there are hundreds."""

    def __init__(self, rules: list[str]) -> None:
        patterns = [rule for rule in rules if _PLAIN.fullmatch(rule) is None]
        self._words = tuple(rule.lower() for rule in rules if _PLAIN.fullmatch(rule))
        self._patterns = _compile(patterns) if patterns else None
        self._all = rules

    def are_in(self, text: str) -> bool:
        """Say whether one of the rules holds anywhere in a text."""
        lower = text.lower()
        if any(word in lower for word in self._words):
            return True
        return self._patterns is not None and self._patterns.search(text) is not None

    def open(self, text: str) -> bool:
        """Say whether a text begins with one of the rules."""
        return _compile_once(tuple(self._all)).match(text) is not None


@cache
def outcomes(table: str) -> Outcomes:
    """Return the rules of a table."""
    return Outcomes(_load()[table]["any"])


@cache
def _load() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "outcomes.toml").read_text("utf-8"))


@cache
def _compile_once(rules: tuple[str, ...]) -> re.Pattern[str]:
    return _compile(list(rules))


def _compile(rules: list[str]) -> re.Pattern[str]:
    body = "|".join(f"(?:{rule})" for rule in rules)
    return re.compile(body, re.MULTILINE | re.IGNORECASE)
