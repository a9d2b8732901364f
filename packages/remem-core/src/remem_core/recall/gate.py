"""Which memories are worth ranking by their words.

Where the words of a question stand in most of a large store, ranking all that hold one takes
nearly all the time of an answer, and most of them are no better than one another. What holds a rare
word, or two of the common ones, is ranked; so is, up to the same number, the newest of the rest.
"""

from collections.abc import Callable, Sequence

RANKED = 4_096
_PAIRED = 12  # more common words than this are not paired: pairs grow with their square


def gates(terms: Sequence[str], count: Callable[[str], int]) -> list[str]:
    """Return FTS5 expressions of what to rank, the most telling first, none when all can be ranked.

    `terms` are expressions of single terms. `count` tells how many memories match an expression;
    it may stop counting beyond RANKED.
    """
    everything = " OR ".join(terms)
    if count(everything) <= RANKED:
        return []
    sizes = {term: count(term) for term in terms}
    rare, left = list[str](), RANKED
    for term in sorted(terms, key=sizes.__getitem__):
        if sizes[term] > left:
            break
        rare.append(term)
        left -= sizes[term]
    common = [term for term in terms if term not in rare]
    found = [" OR ".join(rare)] if rare else []
    if len(common) > 1:
        pairs = " OR ".join(_pairs(common[:_PAIRED]))
        found += [pairs] if count(pairs) <= RANKED else [" AND ".join(common), pairs]
    return [*found, everything]


def _pairs(terms: Sequence[str]) -> list[str]:
    return [
        f"({term} AND ({' OR '.join(terms[i:])}))" for i, term in enumerate(terms[:-1], start=1)
    ]
