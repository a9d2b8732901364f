"""The one read path: scope, validity and archive are part of each query, and fail closed."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from remem_protocol import Event, NotFoundError
from remem_protocol.memory import Episode, LedgerEntry

_DECODE_EVENT = msgspec.json.Decoder(Event).decode
MIN_PREFIX = 4
# What a match counts beside one in the words themselves: in what is told about them (the tool, what
# the agent did) and in the episode before, with which conversation turns ranked best, and equally
# well, from 0.3 to 0.5.
TITLE_WEIGHT, BEFORE_WEIGHT = 0.5, 0.4


@dataclass(frozen=True)
class Filter:
    """What may be returned. Times as on the wire; `at` is the moment as of which things hold.

    A project limits to its own episodes and to notes that belong to no project. What was
    archived comes only when `archived` asks for it.
    """

    at: str
    project: str | None = None
    kinds: tuple[str, ...] | None = None
    layers: tuple[str, ...] | None = None
    agents: tuple[str, ...] | None = None
    since: str | None = None
    until: str | None = None
    archived: bool = False

    @property
    def narrow(self) -> bool:
        """Whether anything beyond validity is asked for."""
        return any(
            part is not None
            for part in (self.project, self.kinds, self.layers, self.agents, self.since, self.until)
        )

    def sql(self) -> tuple[str, list[str]]:
        """Return a condition on `episodes e` and its parameters."""
        parts = [
            "true" if self.archived else "e.archived is null",
            "e.at <= ?",
            "(e.valid_from is null or e.valid_from <= ?)",
            "(e.valid_until is null or e.valid_until > ?)",
        ]
        values = [self.at] * 3
        if self.project is not None:
            parts.append("(e.project = ? or (e.project is null and e.kind = 'note'))")
            values.append(self.project)
        for column, allowed in (
            ("kind", self.kinds),
            ("layer", self.layers),
            ("agent", self.agents),
        ):
            if allowed == ():  # SQLite plans no search for an empty list
                parts.append("false")
            elif allowed is not None:
                parts.append(f"e.{column} in ({', '.join('?' * len(allowed))})")
                values += allowed
        for sign, bound in ((">=", self.since), ("<", self.until)):
            if bound is not None:
                parts.append(f"e.at {sign} ?")
                values.append(bound)
        return " and ".join(parts), values


@dataclass(frozen=True)
class Candidate:
    """An episode as ranking needs it: no text is decoded before it is among the best."""

    n: int
    at: str
    strength: float


def by_words(
    db: sqlite3.Connection, match: str, allowed: Filter, limit: int
) -> list[tuple[Candidate, float]]:
    """Return (episode, BM25 score, higher is better) of an FTS5 expression, best first."""
    if not allowed.narrow:
        # Ranked before anything is looked up: common words match nearly every episode.
        best = db.execute(_BEST_WORDS, (match, _RANK, 2 * limit)).fetchall()
        kept = _kept(db, dict(best), allowed, limit)
        if len(kept) >= limit or len(best) < 2 * limit:
            return kept
    where, values = allowed.sql()
    rows = db.execute(
        "select e.n, e.at, e.strength, -words.rank as score from words"
        " join episodes e on e.n = words.rowid"
        f" where words match ? and words.rank match ? and {where}"
        " order by score desc, e.n limit ?",
        (match, _RANK, *values, limit),
    )
    return [(Candidate(n, at, strength), score) for n, at, strength, score in rows]


def by_words_among(
    db: sqlite3.Connection, among: Sequence[str], ranked: int, allowed: Filter, limit: int
) -> list[tuple[Candidate, float]]:
    """Return the same as `by_words` of the last of several FTS5 expressions, ranking only some.

    `ranked` of what matches: of the first expression, then of the next, the newest of each.
    """
    rows = dict[int, None]()
    for match in among:
        if len(rows) < ranked:
            (newest,) = db.execute(_NEWEST, (match, ranked)).fetchone()
            rows |= dict.fromkeys(json.loads(newest))
    some = json.dumps(list(rows)[:ranked])
    (best,) = db.execute(_BEST_AMONG, (among[-1], some, 2 * limit)).fetchone()
    return _kept(db, {int(n): score for n, score in json.loads(best)}, allowed, limit)


def count_words(db: sqlite3.Connection, match: str, most: int) -> int:
    """Return how many episodes an FTS5 expression matches, counting no further than `most`."""
    row = db.execute(
        "select count(*) from (select 1 from words where words match ? limit ?)", (match, most)
    ).fetchone()
    return int(row[0])


def _kept(
    db: sqlite3.Connection, scores: dict[int, float], allowed: Filter, limit: int
) -> list[tuple[Candidate, float]]:
    kept = by_rows(db, list(scores), allowed)
    kept.sort(key=lambda c: (-scores[c.n], c.n))
    return [(c, scores[c.n]) for c in kept[:limit]]


_RANK = f"bm25({TITLE_WEIGHT}, 1, 1, {BEFORE_WEIGHT})"
_BEST_WORDS = (
    "select rowid, -rank from words where words match ? and rank match ? order by rank limit ?"
)
# One row with a list, because each row is a turn for other threads, such as one that loads a model.
_NEWEST = (
    "select json_group_array(rowid) from"
    " (select rowid from words where words match ? order by rowid desc limit ?)"
)
# The plus keeps SQLite from asking the index anew for each row; only what is among them is ranked.
_BEST_AMONG = (
    "select json_group_array(json_array(n, score)) from (select rowid as n,"
    f" -{_RANK.replace('(', '(words, ', 1)} as score from words where words match ?"
    " and +rowid in (select value from json_each(?)) order by score desc, rowid limit ?)"
)


def searched_texts(db: sqlite3.Connection, rows: Sequence[int]) -> dict[int, str]:
    """Return row → the words that are searched of it, as the index is given them."""
    marks = ", ".join("?" * len(rows))
    found = db.execute(
        f"select n, title || ' ' || body || ' ' || dated from episodes where n in ({marks})",
        tuple(rows),
    )
    return dict(found.fetchall())


def by_rows(db: sqlite3.Connection, rows: Sequence[int], allowed: Filter) -> list[Candidate]:
    """Return those of the given episodes that may be returned, in no order."""
    where, values = allowed.sql()
    out = []
    for start in range(0, len(rows), 500):
        part = rows[start : start + 500]
        found = db.execute(
            "select e.n, e.at, e.strength from episodes e"
            f" where e.n in ({', '.join('?' * len(part))}) and {where}",
            (*part, *values),
        )
        out += [Candidate(*row) for row in found]
    return out


def neighbours(
    db: sqlite3.Connection, rows: Sequence[int], allowed: Filter
) -> dict[int, list[int]]:
    """Return, for each given episode, those told just before and after it in its session.

    Only such as may be returned themselves: what is out of scope lends nothing either.
    """
    where, values = allowed.sql()
    found = db.execute(_NEIGHBOURS.format(where=where), (*values, *values, json.dumps(list(rows))))
    out: dict[int, list[int]] = {n: [] for n in rows}
    for n, before, after in found:
        out[n] = [m for m in (before, after) if m is not None]
    return out


_NEIGHBOURS = """
select i.n, (
    select e.n from episodes e where e.session = i.session
    and (e.at, e.n) < (i.at, i.n) and {where} order by e.at desc, e.n desc limit 1
), (
    select e.n from episodes e where e.session = i.session
    and (e.at, e.n) > (i.at, i.n) and {where} order by e.at, e.n limit 1
) from json_each(?) asked join episodes i on i.n = asked.value
"""


def with_triggers(db: sqlite3.Connection, allowed: Filter) -> list[tuple[Candidate, str]]:
    """Return (note, its trigger words) of every note that has some and may be returned."""
    where, values = allowed.sql()
    rows = db.execute(
        # Named, because SQLite would rather look through all that happened until now.
        "select e.n, e.at, e.strength, e.trigger_words"
        " from episodes e indexed by episodes_by_trigger"
        f" where e.trigger_words is not null and {where}",
        values,
    )
    return [(Candidate(n, at, strength), words) for n, at, strength, words in rows]


def history(db: sqlite3.Connection, prefix: str) -> list[Episode]:
    """Return a note's versions, the oldest first: all that it replaced and that replaced it.

    Anything but a note has only itself. Raises NotFoundError.
    """
    this = episode(db, prefix)
    ids = db.execute(_HISTORY, {"id": this.id}).fetchall()
    return [episode(db, id_) for (id_,) in ids] or [this]


_HISTORY = """
with recursive chain (id) as (
    select :id
    union select e.id from chain c join episodes e on e.superseded_by = c.id
    union select e.superseded_by from chain c join episodes e on e.id = c.id
    where e.superseded_by is not null
)
select e.id from chain c join episodes e on e.id = c.id order by e.at, e.n
"""


def ledger_of(db: sqlite3.Connection, subject: str) -> list[LedgerEntry]:
    """Return the ledger's entries on one thing, the oldest first."""
    names = ("seq", "at", "verb", "subject", "before", "after", "why", "ref")
    found = db.execute(
        f"select {', '.join(names)} from ledger where subject = ? and subject <> '' order by seq",
        (subject,),
    )
    tag = {"type": "ledger", "v": "1.0"}
    return [msgspec.convert(dict(zip(names, row, strict=True)) | tag, LedgerEntry) for row in found]


def allowed_rows(db: sqlite3.Connection, allowed: Filter) -> list[int]:
    """Return the row numbers of everything that may be returned."""
    where, values = allowed.sql()
    return [n for (n,) in db.execute(f"select e.n from episodes e where {where}", values)]


def events_of(db: sqlite3.Connection, rows: Sequence[int]) -> dict[int, Event]:
    """Return row number → event."""
    marks = ", ".join("?" * len(rows))
    found = db.execute(f"select n, event from episodes where n in ({marks})", tuple(rows))
    return {n: _DECODE_EVENT(line) for n, line in found}


def episode(db: sqlite3.Connection, prefix: str) -> Episode:
    """Return the episode whose id starts with a prefix; raise NotFoundError."""
    if len(prefix) < MIN_PREFIX:
        raise NotFoundError(f"an id has 32 letters; give at least {MIN_PREFIX} of them")
    found = db.execute(
        "select id, kind, event, created, strength, recalls, touched, archived from episodes"
        " where id >= ? and id < ? limit 2",
        (prefix, prefix + "\uffff"),
    ).fetchall()
    if not found:
        raise NotFoundError(f"nothing has an id that starts with {prefix[:40]!r}")
    if len(found) > 1:
        raise NotFoundError(f"more than one id starts with {prefix!r}; give more of it")
    names = ("id", "kind", "event", "created", "strength", "recalls", "touched", "archived")
    return msgspec.convert(dict(zip(names, found[0], strict=True)) | _TAG, Episode)


_TAG = {"type": "episode", "v": "1.0"}


def decode_event_text(line: str) -> Event:
    """Return the event of an episode's exact line."""
    return _DECODE_EVENT(line)
