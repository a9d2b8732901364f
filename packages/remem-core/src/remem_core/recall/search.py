"""Gathering candidates by word and by meaning, and ranking them.

Identifiers gate: when the question names one that the memory holds, candidates are gathered by
it and ranked by the other words too, which also keeps a question over a large store fast.
"""

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from remem_core import telling
from remem_core.recall.gate import RANKED, gates
from remem_core.recall.hits import Hit
from remem_core.recall.query import Query
from remem_core.recall.rank import Found, lend, order, score_all
from remem_core.recall.score import Parts, floor_of, rescale
from remem_core.recall.similar import collapse, fires
from remem_core.store import reading
from remem_core.store.connection import Connection
from remem_core.store.reading import Candidate, Filter
from remem_protocol import Event, parse_time

if TYPE_CHECKING:
    from remem_core.store.index import Near

CANDIDATES = 200
FEW = 50
FIRST_STRENGTH = 1.0  # an episode's: only recall adds to it
LENDERS = 60


@dataclass(frozen=True)
class Meaning:
    """The question's vector against a space's index."""

    space: str
    near: "Near"

    def cosines(self, rows: Iterable[int]) -> dict[int, float]:
        """Return row → cosine, rescaled above the space's floor, of rows that have a vector."""
        floor = floor_of(self.space)
        return {n: rescale(c, floor) for n, c in self.near.cosines(list(rows)).items()}


def search(
    db: Connection,
    query: Query,
    allowed: Filter,
    ask: Callable[[], Callable[[], Meaning | None]],
    *,
    limit: int,
) -> list[tuple[int, Hit]]:
    """Return (row, hit), best first; ties go to the newer, then to the lower row.

    `ask` begins to compare the question's meaning, what it returns waits for the answer; a question
    that only names an identifier which the memory holds is answered by it, and is not asked.
    """
    exact = _by_names(db, query, allowed)
    asked = None if exact and not query.words else ask()
    words = exact or _by_any_word(db, query, allowed)
    bm25 = {candidate.n: score for candidate, score in words}
    gathered = [candidate for candidate, _ in words]
    for candidate in _triggered(db, query, allowed):
        if candidate.n not in bm25:
            gathered.append(candidate)
        bm25[candidate.n] = max(bm25.values(), default=1.0)
    meaning = None if asked is None else asked()
    if meaning is not None:
        gathered += [c for c in _by_meaning(db, allowed, meaning) if c.n not in bm25]
    found = _found(gathered, bm25, meaning)
    # What an identifier finds stands by itself; other answers may stand beside what matches.
    ranked = order(score_all(found, _now(allowed))) if exact else _rank(db, found, allowed, meaning)
    return collapse(_hits(db, ranked, limit), limit)


def _by_names(db: Connection, query: Query, allowed: Filter) -> list[tuple[Candidate, float]]:
    """Find the names in a question, ranked by its other words too.

    For a few hits the words are looked for in their texts: the index would first count how
    common each word is in the whole store, which at 50,000 memories takes nearly all the time.
    """
    if query.exact is None:
        return []
    named = _by_words(db, query.exact, allowed)
    if len(named) > FEW:
        return _by_words(db, query.within(query.exact), allowed)
    if not query.words:
        return named
    texts = reading.searched_texts(db, [candidate.n for candidate, _ in named])
    return [(c, score * (1 + query.share_in(texts[c.n]))) for c, score in named]


def _hits(db: Connection, ranked: list[tuple[int, Parts]], limit: int) -> Iterator[tuple[int, Hit]]:
    """Yield the hits as they are asked for: near-duplicates make it more than the limit."""
    for start in range(0, len(ranked), limit):
        part = ranked[start : start + limit]
        events = reading.events_of(db, [n for n, _ in part])
        yield from ((n, _hit(events[n], why)) for n, why in part)


def _triggered(db: Connection, query: Query, allowed: Filter) -> list[Candidate]:
    found = reading.with_triggers(db, allowed)
    return [candidate for candidate, trigger in found if fires(trigger, query.text)]


def _now(allowed: Filter) -> datetime.datetime:
    return parse_time(allowed.at)


def _rank(
    db: Connection, found: list[Found], allowed: Filter, meaning: Meaning | None
) -> list[tuple[int, Parts]]:
    now = _now(allowed)
    first = order(score_all(found, now))[:LENDERS]
    around = reading.neighbours(db, [n for n, _ in first], allowed)
    beside = {m for near in around.values() for m in near} - {item.n for item in found}
    found = found + _found(reading.by_rows(db, sorted(beside), allowed), {}, meaning)
    return order(lend(score_all(found, now), around))


def _found(
    gathered: Iterable[Candidate], bm25: Mapping[int, float], meaning: Meaning | None
) -> list[Found]:
    items = list(gathered)
    near = {} if meaning is None else meaning.cosines(item.n for item in items)
    return [
        # What recall added to an episode counts against its fading, not for its rank (MEM-011).
        Found(c.n, c.at, min(c.strength, FIRST_STRENGTH), bm25.get(c.n, 0.0), near.get(c.n))
        for c in items
    ]


def _by_words(db: Connection, match: str, allowed: Filter) -> list[tuple[Candidate, float]]:
    return reading.by_words(db, match, allowed, CANDIDATES)


def _by_any_word(db: Connection, query: Query, allowed: Filter) -> list[tuple[Candidate, float]]:
    if query.any_word is None:
        return []
    if allowed.narrow:  # what is out of scope is not ranked, so it is not looked at first either
        return _by_words(db, query.any_word, allowed)
    among = gates(query.terms, lambda match: reading.count_words(db, match, RANKED + 1))
    if not among:
        return _by_words(db, query.any_word, allowed)
    return reading.by_words_among(db, among, RANKED, allowed, CANDIDATES)


def _by_meaning(db: Connection, allowed: Filter, meaning: Meaning) -> list[Candidate]:
    if not allowed.narrow:
        best = meaning.near.best(CANDIDATES)
        kept = reading.by_rows(db, best, allowed)
        if len(kept) * 2 >= len(best):
            return kept
    # A narrow scope's best may be none of the best overall: look among what is allowed.
    among = reading.allowed_rows(db, allowed)
    return reading.by_rows(db, meaning.near.best(CANDIDATES, among), allowed)


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
