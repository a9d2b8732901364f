"""Telling one thing said twice from two things said alike."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from remem_core.recall.hits import Hit
from remem_core.segment import variants, words

# Share of common words from which two texts say the same: a changed word in ten.
_SAME = 0.9


def collapse(hits: Iterable[tuple[int, Hit]], limit: int) -> list[tuple[int, Hit]]:
    """Return the first `limit` hits, near-duplicates counted with the best of them.

    Only within a kind and a project, and never across a number, name or code: what differs in a
    word with a digit differs.
    """
    kept: list[tuple[int, Hit]] = []
    said: list[frozenset[str]] = []
    for row, hit in hits:
        mine = frozenset(words((hit.text or hit.title).casefold()))
        twin = _twin_of(hit, mine, kept, said)
        if twin is not None:
            row_of, first = kept[twin]
            kept[twin] = row_of, replace(first, times=first.times + 1)
        elif len(kept) < limit:
            kept.append((row, hit))
            said.append(mine)
        else:
            break
    return kept


def fires(trigger: str, query: str) -> bool:
    """Tell whether one of a note's triggers, separated by commas, stands in a question whole."""
    folded = query.casefold()
    asked = f" {' '.join(words(folded) + variants(folded))} "
    phrases = (" ".join(words(part.casefold())) for part in trigger.split(","))
    return any(phrase and f" {phrase} " in asked for phrase in phrases)


def _twin_of(
    hit: Hit,
    mine: frozenset[str],
    kept: Sequence[tuple[int, Hit]],
    said: Sequence[frozenset[str]],
) -> int | None:
    for place, (_, other) in enumerate(kept):
        if (hit.kind, hit.project) == (other.kind, other.project) and _alike(mine, said[place]):
            return place
    return None


def _alike(one: frozenset[str], two: frozenset[str]) -> bool:
    if one == two:
        return bool(one)
    if len(one & two) < _SAME * len(one | two):
        return False
    return not any(any(map(str.isdigit, word)) for word in one ^ two)
