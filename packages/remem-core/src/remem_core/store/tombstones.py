"""What was forgotten stays forgotten: hashes that keep it out, on every way in (MEM-081 … 083)."""

import sqlite3
from collections.abc import Iterable

from remem_core.store.twins import twin_id
from remem_protocol import Event, Tombstone, content_id

DOMAIN = "remem/1/forgotten"


def scope_key(scope: str, *fields: str | None) -> str:
    """Return the key of a session, a project or a span of time: its name can't be read from it."""
    return content_id(DOMAIN, [scope, *fields])


def blocks(db: sqlite3.Connection, event: Event) -> bool:
    """Tell whether an event was forgotten, itself or with its session, project or time."""
    if not _any(db):
        return False
    keys = [event.id, twin_id(event), *_scope_keys(event.session, event.project)]
    return _hit(db, keys, event.at, event.at)


def blocks_session(db: sqlite3.Connection, session: str, project: str | None, started: str) -> bool:
    """Tell whether a session was forgotten as a whole, or its project or time when it began."""
    return _any(db) and _hit(db, _scope_keys(session, project), started, started)


def all_of(db: sqlite3.Connection) -> list[Tombstone]:
    """Return every tombstone of a store."""
    names = ("key", "scope", "at", "since", "until")
    rows = db.execute(f"select {', '.join(names)} from tombstones")
    return [Tombstone(**dict(zip(names, row, strict=True))) for row in rows]


def has(db: sqlite3.Connection, key: str) -> bool:
    """Tell whether there is a tombstone of this key."""
    return db.execute("select 1 from tombstones where key = ?", (key,)).fetchone() is not None


def bury(db: sqlite3.Connection, stones: Iterable[Tombstone]) -> int:
    """Store tombstones inside the caller's transaction; return how many were not there yet.

    One that is there already is widened to what both keep out.
    """
    before = db.total_changes
    db.executemany(
        "insert into tombstones (key, scope, at, since, until) values (?, ?, ?, ?, ?)"
        " on conflict (key) do update set"
        " since = case when since is null or excluded.since is null then null"
        "  else min(since, excluded.since) end,"
        " until = case when until is null or excluded.until is null then null"
        "  else max(until, excluded.until) end"
        " where since is not excluded.since or until is not excluded.until",
        [(s.key, s.scope, s.at, s.since, s.until) for s in stones],
    )
    return db.total_changes - before


def would_hit(db: sqlite3.Connection, stone: Tombstone) -> bool:
    """Tell whether a tombstone would keep out an episode that the memory holds (MEM-077)."""
    span = (stone.since or "", stone.until or "\uffff")
    if stone.scope == "time":
        found = db.execute("select 1 from episodes where at between ? and ? limit 1", span)
        return found.fetchone() is not None
    if stone.scope == "episode":
        found = db.execute(
            "select 1 from episodes where (id = ? or twin = ?) and at between ? and ? limit 1",
            (stone.key, stone.key, *span),
        )
        return found.fetchone() is not None
    column = "session" if stone.scope == "session" else "project"
    names = db.execute(
        f"select distinct {column} from episodes where {column} is not null and at between ? and ?",
        span,
    )
    return any(scope_key(column, name) == stone.key for (name,) in names)


def _any(db: sqlite3.Connection) -> bool:
    return db.execute("select 1 from tombstones limit 1").fetchone() is not None


def _scope_keys(session: str | None, project: str | None) -> list[str]:
    given = (("session", session), ("project", project))
    return [scope_key(scope, name) for scope, name in given if name is not None]


def _hit(db: sqlite3.Connection, keys: list[str], first: str, last: str) -> bool:
    marks = ", ".join("?" * len(keys))
    found = db.execute(
        f"select 1 from tombstones where (key in ({marks}) or scope = 'time')"
        " and coalesce(since, '') <= ? and coalesce(until, '\uffff') >= ? limit 1",
        (*keys, last, first),
    )
    return found.fetchone() is not None
