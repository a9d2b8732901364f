"""Telling one thing said twice from two things said alike."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remem_core.recall.search import Hit

_TOKEN = re.compile(r"[^\W_]+")
# Share of common words from which two texts say the same: a changed word in ten.
_SAME = 0.9


def collapse(hits: Iterable[tuple[int, "Hit"]], limit: int) -> list[tuple[int, "Hit"]]:
    """Return the first `limit` hits, near-duplicates counted with the best of them.

    Only within a kind and a project, and never across a number, name or code: what differs in a
    word with a digit differs.
    """
    kept: list[tuple[int, Hit]] = []
    words: list[frozenset[str]] = []
    for row, hit in hits:
        mine = frozenset(token.casefold() for token in _TOKEN.findall(hit.text or hit.title))
        twin = _twin_of(hit, mine, kept, words)
        if twin is not None:
            row_of, first = kept[twin]
            kept[twin] = row_of, replace(first, times=first.times + 1)
        elif len(kept) < limit:
            kept.append((row, hit))
            words.append(mine)
        else:
            break
    return kept


def fires(trigger: str, query: str) -> bool:
    """Tell whether one of a note's triggers, separated by commas, stands in a question whole."""
    asked = f" {' '.join(_TOKEN.findall(query.casefold()))} "
    phrases = (" ".join(_TOKEN.findall(part.casefold())) for part in trigger.split(","))
    return any(phrase and f" {phrase} " in asked for phrase in phrases)


def _twin_of(
    hit: "Hit",
    mine: frozenset[str],
    kept: Sequence[tuple[int, "Hit"]],
    words: Sequence[frozenset[str]],
) -> int | None:
    for place, (_, other) in enumerate(kept):
        if (hit.kind, hit.project) == (other.kind, other.project) and _alike(mine, words[place]):
            return place
    return None


def _alike(one: frozenset[str], two: frozenset[str]) -> bool:
    if one == two:
        return bool(one)
    if len(one & two) < _SAME * len(one | two):
        return False
    return not any(any(map(str.isdigit, word)) for word in one ^ two)
