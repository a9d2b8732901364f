"""Forgetting: rows go, tombstones stay, and no byte of the words is left in the files (MEM-080).

SQLite overwrites deleted rows (`secure_delete`), but a full-text index keeps deleted words in its
segments until they are merged, and the write-ahead log keeps old pages until it is truncated.
"""

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from remem_core.errors import BusyError
from remem_core.lessons.changes import identity
from remem_core.store import journal, ledger, rows, tombstones
from remem_core.store.connection import store_errors
from remem_core.store.lessons import hanging
from remem_core.store.mentions import ids_in
from remem_protocol import Lesson, Tombstone


@dataclass(frozen=True)
class Selection:
    """What the owner names: exactly one of an episode, a session, a project, a time on."""

    id: str | None = None
    session: str | None = None
    project: str | None = None
    since: str | None = None

    def where(self) -> tuple[str, list[str]]:
        """Return a condition on episodes and its parameters."""
        column, value = self._named
        return ("at >= ?", [value]) if column == "since" else (f"{column} = ?", [value])

    def sessions(self) -> tuple[str, list[str]] | None:
        """Return the same on sessions; None where none goes."""
        column, value = self._named
        conditions = {"session": "id = ?", "project": "project = ?", "since": "started >= ?"}
        return (conditions[column], [value]) if column in conditions else None

    def tombstone(self, now: str) -> Tombstone | None:
        """Return the one that keeps out what was named, beside those of single episodes."""
        column, value = self._named
        if column == "session":
            return Tombstone(key=tombstones.scope_key("session", value), scope="session", at=now)
        if column == "project":
            key = tombstones.scope_key("project", value)
            return Tombstone(key=key, scope="project", at=now, until=now)
        if column == "since":
            key = tombstones.scope_key("time", value, now)
            return Tombstone(key=key, scope="time", at=now, since=value, until=now)
        return None

    @property
    def named(self) -> str:
        """Which of the four it is."""
        return self._named[0]

    @property
    def _named(self) -> tuple[str, str]:
        named = [(name, value) for name, value in vars(self).items() if value is not None]
        if len(named) != 1:
            raise ValueError("name one of id, session, project, since")
        return named[0]


@dataclass(frozen=True)
class Found:
    """What a selection would take: rows, and how many of what. `lessons` are ids."""

    rows: list[int]
    sessions: list[str]
    lessons: list[str]


def find(db: sqlite3.Connection, selection: Selection) -> Found:
    """Return what a selection names now, and the lessons that rest on it (MEM-084)."""
    where, values = selection.where()
    found = db.execute(f"select n, id from episodes where {where} order by n", values).fetchall()
    sessions: list[str] = []
    if (named := selection.sessions()) is not None:
        sessions = [
            id_ for (id_,) in db.execute(f"select id from sessions where {named[0]}", named[1])
        ]
    lessons = _resting_on(db, {id_ for _, id_ in found})
    return Found([n for n, _ in found], sessions, lessons)


def erase(db: sqlite3.Connection, found: Found, *, now: str | None) -> None:
    """Delete what was found, inside the caller's transaction; bury it, unless it is (no `now`)."""
    subjects = ids_of(db, found.rows)
    if now is not None:
        _bury(db, found.rows, now)
    db.executemany("delete from episodes where n = ?", [(n,) for n in found.rows])
    db.executemany("delete from sessions where id = ?", [(id_,) for id_ in found.sessions])
    _open_again(db, subjects)
    gone = {*subjects, *erase_lessons(db, found.lessons)}
    _blank_vetoes(db, subjects)
    with _editable_ledger(db):
        db.executemany(
            "update ledger set before = null, after = null where seq = ?",
            [(seq,) for seq in _entries_about(db, gone)],
        )
    journal.drop_mentions(db, gone)
    for name in full_text_tables(db):  # merging rewrites the index without the deleted words
        db.execute(f"insert into {name} ({name}) values ('optimize')")


def record(
    db: sqlite3.Connection, selection: Selection, found: Found, *, now: str, why: str
) -> None:
    """Bury what was named as a whole, and write FORGET to the ledger without a word of it."""
    if (stone := selection.tombstone(now)) is not None:
        tombstones.bury(db, [stone])
    counted = {
        "episodes": len(found.rows),
        "sessions": len(found.sessions),
        "lessons": len(found.lessons),
    }
    db.execute(
        "insert into ledger (at, verb, subject, after, why) values (?, 'FORGET', ?, ?, ?)",
        (now, selection.id or "", json.dumps(counted), why),
    )


def buried(db: sqlite3.Connection, store: str = "main") -> Found:
    """Return what a store holds and this one's tombstones keep out.

    `store` is the schema name of this one, or of one that is attached beside it.
    """
    rows = {n for (n,) in db.execute(_BURIED.format(store=store))}
    for scope in ("session", "project"):
        names = db.execute(f"select distinct {scope} from {store}.episodes").fetchall()
        keys = {name: tombstones.scope_key(scope, name) for (name,) in names if name is not None}
        for name in [name for name, key in keys.items() if tombstones.has(db, key)]:
            named = _NAMED.format(store=store, scope=scope)
            rows |= {n for (n,) in db.execute(named, (keys[name], name))}
    sessions = [
        id_
        for id_, *about in db.execute(f"select id, project, started from {store}.sessions")
        if tombstones.blocks_session(db, id_, *about)
    ]
    ordered = sorted(rows)
    lessons = _resting_on(db, set(ids_of(db, ordered, store)), store)
    return Found(ordered, sessions, lessons)


def ids_of(db: sqlite3.Connection, rows: Sequence[int], store: str = "main") -> list[str]:
    """Return the ids of rows, in their order."""
    one = f"select id from {store}.episodes where n = ?"
    return [db.execute(one, (n,)).fetchone()[0] for n in rows]


_WITHIN = "e.at >= coalesce(t.since, '') and e.at <= coalesce(t.until, '\uffff')"
_JOIN = "select n from {store}.episodes e join main.tombstones t on"
_BURIED = " union ".join(
    f"{_JOIN} {same} where {_WITHIN}"
    for same in ("t.key = e.id", "t.key = e.twin", "t.scope = 'time'")
)
_NAMED = f"{_JOIN} t.key = ? where e.{{scope}} = ? and {_WITHIN}"


def _resting_on(db: sqlite3.Connection, ids: set[str], store: str = "main") -> list[str]:
    return [
        id_
        for id_, sources in db.execute(f"select id, sources from {store}.lessons order by id")
        if not ids.isdisjoint(json.loads(sources))
    ]


def _bury(db: sqlite3.Connection, rows: Sequence[int], now: str) -> None:
    for n in rows:
        keys = db.execute("select id, twin from episodes where n = ?", (n,)).fetchone()
        tombstones.bury(db, [Tombstone(key=key, scope="episode", at=now) for key in set(keys)])


def erase_lessons(db: sqlite3.Connection, lessons: Sequence[str]) -> list[str]:
    """Delete lessons with their predictions and names; return every id that went."""
    gone = list(lessons)
    for lesson in lessons:
        for record in hanging(db, lesson):
            gone.append(identity(record)[1])
            rows.remove(db, record)
        db.execute("delete from lessons where id = ?", (lesson,))
        db.execute("update lessons set superseded_by = null where superseded_by = ?", (lesson,))
    return gone


def _entries_about(db: sqlite3.Connection, gone: set[str]) -> list[int]:
    """Return the entries that may hold words of what is gone, under whatever subject (MEM-085).

    A lesson's record names what it rests on, so whichever was split off or merged is found by
    that; what it predicted names the lesson alone, also one that went before. Rows that name
    nothing but ids hold no words and stay.
    """
    told = [
        (seq, subject, [text for text in sides if text and not text.startswith("{")])
        for seq, subject, *sides in db.execute(
            "select seq, subject, before, after from ledger"
            " where before is not null or after is not null"
        )
    ]
    about = gone | _once_resting_on(gone, [text for _, _, sides in told for text in sides])
    return [
        seq
        for seq, subject, sides in told
        if subject in about or any(not ids_in(text).isdisjoint(about) for text in sides)
    ]


def _once_resting_on(gone: set[str], sides: Sequence[str]) -> set[str]:
    """Return the lessons that, as the ledger tells, ever rested on what is gone."""
    states = (ledger.state_of(text) for text in sides if not ids_in(text).isdisjoint(gone))
    return {
        record.id
        for state in states
        if state is not None
        for record in state.records
        if isinstance(record, Lesson) and not gone.isdisjoint(record.sources)
    }


def _blank_vetoes(db: sqlite3.Connection, gone: Sequence[str]) -> None:
    """Take the words out of vetoes that rest on what is gone; by hash they still hold."""
    db.execute(
        "update vetoes set text = '' where exists (select 1 from json_each(vetoes.sources)"
        " where value in (select value from json_each(?)))",
        (json.dumps(list(gone)),),
    )


def _open_again(db: sqlite3.Connection, ids: Sequence[str]) -> None:
    """Let what a forgotten note had superseded be valid again (MEM-086)."""
    db.execute(
        "update episodes set superseded_by = null,"
        " valid_until = json_extract(event, '$.valid_until')"
        " where superseded_by in (select value from json_each(?))",
        (json.dumps(ids),),
    )


@contextlib.contextmanager
def _editable_ledger(db: sqlite3.Connection) -> Iterator[None]:
    """Lift the ledger's guard within the transaction: for forgetting alone (MEM-085)."""
    name = "ledger_is_append_only"
    guard = db.execute("select sql from sqlite_master where name = ?", (name,)).fetchone()[0]
    db.execute(f"drop trigger {name}")
    yield
    db.execute(guard)


def scrub(db: sqlite3.Connection) -> bool:
    """Empty the write-ahead log of old pages; False while another program still reads them."""
    try:
        with store_errors(None):
            busy, _, _ = db.execute("pragma wal_checkpoint(truncate)").fetchone()
    except BusyError:
        return False
    return not busy


def full_text_tables(db: sqlite3.Connection) -> list[str]:
    """Return the names of the word indexes."""
    found = db.execute(
        "select name from sqlite_master where type = 'table'"
        " and sql like 'create virtual table%using fts5%' order by name"
    )
    return [name for (name,) in found]
