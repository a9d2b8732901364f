"""Ranking what was gathered: pure, from figures to an order.

An episode's neighbours in its session lend it a little: an answer often stands beside the words
that match the question (smoothing over both neighbours was measured to lift conversation turns).
"""

import datetime
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from remem_core.recall.score import Parts, parts
from remem_protocol import parse_time

MIN_COSINE = 0.05  # rescaled: what only meaning found, and faintly, is not an answer


@dataclass(frozen=True)
class Found:
    """A gathered episode. `bm25` is 0 when no word matched, `cosine` None without a vector."""

    n: int
    at: str
    strength: float
    bm25: float
    cosine: float | None


def score_all(found: Iterable[Found], now: datetime.datetime) -> dict[int, tuple[Found, Parts]]:
    """Return row → (episode, parts) of everything that may be an answer, without neighbours."""
    items = list(found)
    best = max((item.bm25 for item in items), default=0.0)
    known = [item.cosine for item in items if item.cosine is not None]
    typical = sum(known) / len(known) if known else None
    out = {}
    for item in items:
        keyword = item.bm25 / best if best > 0 else 0.0
        out[item.n] = (
            item,
            parts(
                keyword=keyword,
                cosine=item.cosine,
                typical=keyword if typical is None else typical,
                age_days=(now - parse_time(item.at)).total_seconds() / 86_400,
                strength=item.strength,
            ),
        )
    return out


def lend(
    scored: Mapping[int, tuple[Found, Parts]], neighbours: Mapping[int, Iterable[int]]
) -> dict[int, tuple[Found, Parts]]:
    """Return the same with what the better of its neighbours lends each."""
    lent = dict.fromkeys(scored, 0.0)
    pairs = {(min(n, m), max(n, m)) for n, around in neighbours.items() for m in around}
    for n, m in pairs:
        if n in scored and m in scored:
            lent[n] = max(lent[n], scored[m][1].relevance)
            lent[m] = max(lent[m], scored[n][1].relevance)
    return {n: (item, replace(why, context=lent[n])) for n, (item, why) in scored.items()}


def order(scored: Mapping[int, tuple[Found, Parts]]) -> list[tuple[int, Parts]]:
    """Return (row, parts), best first; ties go to the newer, then to the lower row."""
    answers = [pair for pair in scored.values() if _is_answer(*pair)]
    answers.sort(key=lambda pair: pair[0].n)
    answers.sort(key=lambda pair: pair[0].at, reverse=True)
    answers.sort(key=lambda pair: pair[1].score, reverse=True)
    return [(item.n, why) for item, why in answers]


def _is_answer(item: Found, why: Parts) -> bool:
    return item.bm25 > 0 or (why.cosine or 0.0) >= MIN_COSINE
