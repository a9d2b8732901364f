"""Gathering candidates by word and by meaning, and ranking them.

Identifiers gate: when the question names one that the memory holds, candidates are gathered by
it and ranked by all words, which is also what keeps a question over a large store fast.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from remem_core import telling
from remem_core.recall.query import Query
from remem_core.recall.rank import Found, lend, order, score_all
from remem_core.recall.score import Parts, floor_of, rescale
from remem_core.store import reading
from remem_core.store.connection import Connection
from remem_core.store.reading import Candidate, Filter
from remem_protocol import Event, parse_time

if TYPE_CHECKING:
    from remem_core.store.vectors import Matrix, VectorIndex

CANDIDATES = 200
LENDERS = 60


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
    words = {c.n: (c, bm25) for c, bm25 in _by_words(db, query, allowed)}
    found = {n: _found(c, bm25, meaning) for n, (c, bm25) in words.items()}
    if meaning is not None:
        for candidate in _by_meaning(db, allowed, meaning):
            found.setdefault(candidate.n, _found(candidate, 0.0, meaning))
    ranked = _rank(db, found, allowed, meaning)[:limit]
    events = reading.events_of(db, [n for n, _ in ranked])
    return [(n, _hit(events[n], why)) for n, why in ranked]


def _rank(
    db: Connection, found: dict[int, Found], allowed: Filter, meaning: Meaning | None
) -> list[tuple[int, Parts]]:
    now = parse_time(allowed.at)
    first = order(score_all(found.values(), now))[:LENDERS]
    around = reading.neighbours(db, [n for n, _ in first], allowed)
    beside = {m for near in around.values() for m in near} - found.keys()
    for candidate in reading.by_rows(db, sorted(beside), allowed):
        found[candidate.n] = _found(candidate, 0.0, meaning)
    return order(lend(score_all(found.values(), now), around))


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


def _found(candidate: Candidate, bm25: float, meaning: Meaning | None) -> Found:
    cosine = _cosine(meaning, candidate.n)
    return Found(candidate.n, candidate.at, candidate.strength, bm25, cosine)


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
