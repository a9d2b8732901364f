"""The read path of lessons: validity, archive, scope and vetoes are part of each query.

What is vetoed – by its words or by a source of it – is returned by nothing in here (MEM-053).
Lists that grow with the memory are streamed a page at a time, so that no read stays open while
their reader writes.
"""

import enum
import json
import sqlite3
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from remem_core.lessons.sources import Source, read_source
from remem_core.store import rows
from remem_core.store.reading import MIN_PREFIX
from remem_protocol import Alias, Lesson, NotFoundError, Prediction, Veto

PAGE = 1_000
SURPRISES = ("correction", "error", "surprise")


class Every(enum.Enum):
    """Says that no project limits a read."""

    PROJECT = "every project"


ALL: Final = Every.PROJECT
Scope = str | None | Every


class Remembered(NamedTuple):
    """What decay looks at in an episode. Times as on the wire."""

    id: str
    at: str
    created: str
    touched: str | None
    strength: float
    kind: str


# Of a lesson `t`. By words, for the same words are one lesson wherever they are (MEM-055); by
# sources, for words told otherwise are still what the owner did not want.
VISIBLE = (
    "not exists (select 1 from vetoes v where v.lifted is null and v.hash = t.hash)"
    " and not exists (select 1 from lesson_sources s join veto_sources v on v.episode = s.episode"
    "  where s.lesson = t.id)"
)


def lessons(
    db: sqlite3.Connection,
    *,
    at: str,
    project: Scope = None,
    kinds: Collection[str] | None = None,
    archived: bool = False,
    closed: bool = False,
) -> list[Lesson]:
    """Return the lessons that hold at a time, by (created, id).

    A project has its own and those of no project; None has these alone. `archived` adds what was
    put aside, `closed` what is not valid at that time.
    """
    parts, values = [VISIBLE], list[str]()
    if not archived:
        parts.append("t.archived is null")
    if not closed:
        parts.append("coalesce(t.valid_from, t.created) <= ?")
        parts.append("(t.valid_until is null or t.valid_until > ?)")
        values += [at, at]
    if not isinstance(project, Every):
        parts.append("(t.project is null or t.project = ?)")
        values.append(project or "")
    if kinds is not None:
        parts.append("t.kind in (select value from json_each(?))")
        values.append(json.dumps(sorted(kinds)))
    return rows.select(db, Lesson, f"where {' and '.join(parts)} order by t.created, t.id", values)


def lesson(db: sqlite3.Connection, prefix: str) -> Lesson:
    """Return the lesson whose id, or an old name of it, starts with a prefix, valid or not.

    Raises NotFoundError.
    """
    if len(prefix) < MIN_PREFIX:
        raise NotFoundError(f"an id has 32 letters; give at least {MIN_PREFIX} of them")
    ids = db.execute(_NAMED, {"low": prefix, "high": prefix + "\uffff"}).fetchall()
    found = [rows.select(db, Lesson, f"where t.id = ? and {VISIBLE}", id_) for id_ in ids]
    there = [record for records in found for record in records]
    if not there:
        raise NotFoundError(f"no lesson has an id that starts with {prefix[:40]!r}")
    if len(there) > 1:
        raise NotFoundError(f"more than one lesson's id starts with {prefix!r}; give more of it")
    return there[0]


_NAMED = (
    "select id from lessons where id >= :low and id < :high"
    " union select new from aliases where old >= :low and old < :high limit 3"
)


def full_id(db: sqlite3.Connection, prefix: str) -> str:
    """Return the one id that starts with a prefix among lessons, old names, vetoes and the ledger.

    Also that of a lesson that is no more. Raises NotFoundError.
    """
    if len(prefix) < MIN_PREFIX:
        raise NotFoundError(f"an id has 32 letters; give at least {MIN_PREFIX} of them")
    found = db.execute(_EVER, {"low": prefix, "high": prefix + "\uffff"}).fetchall()
    if not found:
        raise NotFoundError(f"the ledger tells of nothing whose id starts with {prefix[:40]!r}")
    if len(found) > 1:
        raise NotFoundError(f"more than one id starts with {prefix!r}; give more of it")
    return str(found[0][0])


_EVER = (
    "select id from lessons where id >= :low and id < :high"
    " union select old from aliases where old >= :low and old < :high"
    " union select lesson from vetoes where lesson >= :low and lesson < :high"
    " union select subject from ledger where subject >= :low and subject < :high limit 2"
)


def current_id(db: sqlite3.Connection, id_: str) -> str:
    """Return the id of the lesson that an old name stands for; an id that is none as it is."""
    found = db.execute("select new from aliases where old = ?", (id_,)).fetchone()
    return id_ if found is None else str(found[0])


def names_of(db: sqlite3.Connection, id_: str) -> list[str]:
    """Return a lesson's id and its old names."""
    old = db.execute("select old from aliases where new = ? order by old", (id_,))
    return [id_, *(name for (name,) in old)]


def predictions(
    db: sqlite3.Connection, *, lesson: str | None = None, unresolved: bool = False
) -> list[Prediction]:
    """Return what lessons predicted, under their old names too, by (made, id)."""
    parts, values = [VISIBLE.replace("t.", "l.")], list[str]()
    if lesson is not None:
        parts.append("t.lesson in (select value from json_each(?))")
        values.append(json.dumps(names_of(db, lesson)))
    if unresolved:
        parts.append("t.resolved is null")
    return rows.select(db, Prediction, _OF_LESSONS.format(where=" and ".join(parts)), values)


_OF_LESSONS = (
    "join lessons l on l.id = coalesce((select new from aliases where old = t.lesson), t.lesson)"
    " where {where} order by t.made, t.id"
)


def hanging(db: sqlite3.Connection, id_: str) -> list[Prediction | Alias]:
    """Return what goes when a lesson does: what it predicted under any name, and its old names."""
    names = json.dumps(names_of(db, id_))
    where = "where t.lesson in (select value from json_each(?)) order by t.made, t.id"
    return [
        *rows.select(db, Prediction, where, (names,)),
        *rows.select(db, Alias, "where t.new = ? order by t.old", (id_,)),
    ]


def vetoes(db: sqlite3.Connection, *, lifted: bool = False) -> list[Veto]:
    """Return the vetoes that hold, by (at, hash); with `lifted` also those that did."""
    where = "true" if lifted else "t.lifted is null"
    return rows.select(db, Veto, f"where {where} order by t.at, t.hash")


def veto(db: sqlite3.Connection, prefix: str) -> Veto:
    """Return the veto whose hash, or whose lesson's id, starts with a prefix, the newest of it.

    One that holds comes before one that was lifted. Raises NotFoundError.
    """
    if len(prefix) < MIN_PREFIX:
        raise NotFoundError(f"an id has 32 letters; give at least {MIN_PREFIX} of them")
    where = (
        "where (t.hash >= ?1 and t.hash < ?2) or (t.lesson >= ?1 and t.lesson < ?2)"
        " order by t.lifted is not null, t.at desc"
    )
    found = rows.select(db, Veto, where, (prefix, prefix + "\uffff"))
    if not found:
        raise NotFoundError(f"no veto has an id or a hash that starts with {prefix[:40]!r}")
    if len({veto.lesson or veto.hash for veto in found}) > 1:
        raise NotFoundError(f"more than one veto starts with {prefix!r}; give more of it")
    return found[0]


def sources(db: sqlite3.Connection, ids: Collection[str]) -> list[Source]:
    """Return those episodes that a lesson may rest on, by (at, id), archived or not."""
    found = db.execute(
        "select event from episodes where id in (select value from json_each(?))",
        (json.dumps(sorted(ids)),),
    )
    made = (read_source(line) for (line,) in found)
    return sorted((source for source in made if source), key=lambda source: source.order)


def uncovered(db: sqlite3.Connection, kind: str, project: str | None) -> Iterator[Source]:
    """Yield what no lesson and no veto rests on yet, by (at, id)."""
    last = ("", "")
    while found := db.execute(_UNCOVERED, (kind, project, *last, PAGE)).fetchall():
        for at, id_, line in found:
            last = (at, id_)
            if (source := read_source(line)) is not None:
                yield source


_UNCOVERED = """
select at, id, event from episodes e where kind = ? and project is ? and archived is null
and (at, id) > (?, ?)
and not exists (select 1 from lesson_sources s where s.episode = e.id)
and not exists (select 1 from veto_sources v where v.episode = e.id)
order by at, id limit ?
"""


def blocks(db: sqlite3.Connection) -> list[tuple[str, str | None]]:
    """Return each (kind, project) that has surprises or lessons, in their order."""
    found = db.execute(
        f"select kind, project from episodes where archived is null and kind in {SURPRISES}"
        " union select kind, project from lessons order by 1, 2"
    )
    return [(kind, project) for kind, project in found]


def strengths(db: sqlite3.Connection) -> Iterator[Remembered]:
    """Yield what decay looks at in each episode that is not archived, in no stated order."""
    last = -1
    while found := db.execute(_STRENGTHS, (last, PAGE)).fetchall():
        for n, *row in found:
            last = n
            yield Remembered(*row)


_STRENGTHS = (
    "select n, id, at, created, touched, strength, kind from episodes"
    " where archived is null and n > ? order by n limit ?"
)
