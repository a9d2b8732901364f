"""Gathering candidates by word and by meaning, and ranking them.

Identifiers gate: when the question names one that the memory holds, candidates are gathered by
it and ranked by all words, which is also what keeps a question over a large store fast.
"""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from remem_core import telling
from remem_core.recall.query import Query
from remem_core.recall.score import Parts, floor_of, parts, rescale
from remem_core.store import reading
from remem_core.store.connection import Connection
from remem_core.store.reading import Candidate, Filter
from remem_protocol import Event, parse_time

if TYPE_CHECKING:
    from remem_core.store.vectors import Matrix, VectorIndex

CANDIDATES = 200
MIN_COSINE = 0.05  # rescaled: what only meaning found, and faintly, is not an answer


@dataclass(frozen=True)
class Hit:
    """An episode that answers a question. `text` are the words themselves, quoted."""

    id: str
    kind: str
    title: str
    text: str
    score: float
    parts: Parts
    at: str
    project: str | None
    session: str | None
    agent: str | None
    ref: str | None


@dataclass(frozen=True)
class Meaning:
    """The question's vector against a space's index, or nothing."""

    index: "VectorIndex"
    cosines: "Matrix"


def search(
    db: Connection, query: Query, allowed: Filter, meaning: Meaning | None, *, limit: int
) -> list[tuple[int, Hit]]:
    """Return (row, hit), best first; ties go to the newer, then to the lower row."""
    found = dict[int, tuple[Candidate, float]]()
    for candidate, bm25 in _by_words(db, query, allowed):
        found[candidate.n] = (candidate, bm25)
    if meaning is not None:
        for candidate in _by_meaning(db, allowed, meaning):
            found.setdefault(candidate.n, (candidate, 0.0))
    ranked = _rank(list(found.values()), meaning, parse_time(allowed.at))[:limit]
    events = reading.events_of(db, [candidate.n for candidate, _ in ranked])
    return [(c.n, _hit(events[c.n], why)) for c, why in ranked]


def _by_words(db: Connection, query: Query, allowed: Filter) -> list[tuple[Candidate, float]]:
    if query.exact is not None:
        gated = reading.by_words(db, query.within(query.exact), allowed, CANDIDATES)
        if gated:
            return gated
    if query.any_word is None:
        return []
    return reading.by_words(db, query.any_word, allowed, CANDIDATES)


def _by_meaning(db: Connection, allowed: Filter, meaning: Meaning) -> list[Candidate]:
    index = meaning.index
    if not allowed.narrow:
        best = index.best(meaning.cosines, CANDIDATES)
        kept = reading.by_rows(db, best, allowed)
        if len(kept) * 2 >= min(CANDIDATES, len(index)):
            return kept
    # A narrow scope's best may be none of the best overall: look among what is allowed.
    among = reading.allowed_rows(db, allowed)
    return reading.by_rows(db, index.best(meaning.cosines, CANDIDATES, among), allowed)


def _rank(
    found: Sequence[tuple[Candidate, float]], meaning: Meaning | None, now: datetime.datetime
) -> list[tuple[Candidate, Parts]]:
    best = max((bm25 for _, bm25 in found), default=0.0)
    near = {c.n: _cosine(meaning, c.n) for c, _ in found}
    known = [value for value in near.values() if value is not None]
    typical = sum(known) / len(known) if known else None
    out = []
    for candidate, bm25 in found:
        keyword = bm25 / best if best > 0 else 0.0
        cosine = near[candidate.n]
        if bm25 == 0.0 and (cosine or 0.0) < MIN_COSINE:
            continue
        why = parts(
            keyword=keyword,
            cosine=cosine,
            typical=keyword if typical is None else typical,
            age_days=(now - parse_time(candidate.at)).total_seconds() / 86_400,
            strength=candidate.strength,
        )
        out.append((candidate, why))
    # Stable sorts, the last one decides: score, then the newer, then the lower row.
    out.sort(key=lambda pair: pair[0].n)
    out.sort(key=lambda pair: pair[0].at, reverse=True)
    out.sort(key=lambda pair: pair[1].score, reverse=True)
    return out


def _cosine(meaning: Meaning | None, row: int) -> float | None:
    if meaning is None:
        return None
    cosine = meaning.index.cosine_of(meaning.cosines, row)
    return None if cosine is None else rescale(cosine, floor_of(meaning.index.space))


def _hit(event: Event, why: Parts) -> Hit:
    return Hit(
        id=event.id,
        kind=event.kind,
        title=telling.heading(event),
        text=telling.words(event),
        score=why.score,
        parts=why,
        at=event.at,
        project=event.project,
        session=event.session,
        agent=event.agent,
        ref=event.ref,
    )
