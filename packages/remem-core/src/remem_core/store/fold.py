"""The one write path: events become episodes, each once, whatever they are seen in (MEM-001 …).

Folding is idempotent by content id. A copy of an event in another session (a resumed or forked
transcript) shares its twin id and is not stored again. What a better detector no longer sees is
replaced, but a transcript that vanished or got shorter never takes an episode away (MEM-004).
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from remem_core import telling
from remem_core.segment import segment
from remem_core.store import lapsing, tombstones
from remem_core.store.twins import twin_id
from remem_protocol import Event, Note, encode


@dataclass
class FoldCounts:
    """What became of a batch of events. `rows` are the row numbers of what is new or changed."""

    new: int = 0
    known: int = 0
    changed: int = 0
    copies: int = 0
    replaced: int = 0
    forgotten: int = 0
    by_kind: dict[str, int] = field(default_factory=dict)
    rows: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class SessionRow:
    """What the store keeps of a session beside its episodes. Times as on the wire."""

    id: str
    agent: str
    project: str | None
    cwd: str | None
    parent: str | None
    started: str
    ended: str
    turns: int
    person_turns: int
    detector: int


def fold(
    db: sqlite3.Connection, events: Iterable[Event], *, detector: int | None, now: str
) -> FoldCounts:
    """Store events inside the caller's transaction; `detector` is None for emitted ones.

    The events are redacted already. Returns what became of them.
    """
    counts = FoldCounts()
    for event in events:
        row = _fold_one(db, event, detector, now, counts)
        if row is not None:
            counts.rows.append(row)
    return counts


def fold_session(
    db: sqlite3.Connection, session: SessionRow, events: Sequence[Event], *, now: str
) -> FoldCounts:
    """Store a session and its events inside the caller's transaction."""
    before = db.execute("select turns from sessions where id = ?", (session.id,)).fetchone()
    counts = fold(db, events, detector=session.detector, now=now)
    forgotten = tombstones.blocks_session(db, session.id, session.project, session.started)
    if not forgotten and (before is None or session.turns >= before[0]):
        counts.replaced = _replace_older(db, session, {e.id for e in events}, now)
        _put_session(db, session, now)
    record(db, counts, now=now, session=session.id)
    return counts


def record(db: sqlite3.Connection, counts: FoldCounts, *, now: str, session: str | None) -> None:
    """Write a batch that changed something to the ledger, as one row."""
    if not (counts.new or counts.changed or counts.replaced):
        return
    after = {
        "session": session,
        "new": counts.new,
        "changed": counts.changed,
        "replaced": counts.replaced,
    }
    db.execute(
        "insert into ledger (at, verb, subject, after, why) values (?, 'CREATE', '', ?, ?)",
        (now, json.dumps(after), "events folded"),
    )


def _fold_one(
    db: sqlite3.Connection, event: Event, detector: int | None, now: str, counts: FoldCounts
) -> int | None:
    line = encode(event).decode()
    there = db.execute("select n, event, detector from episodes where id = ?", (event.id,))
    if (known := there.fetchone()) is not None:
        n, old_line, old_detector = known
        # What an owner emitted is not reworded by a detector, nor the other way round.
        if old_line == line or (old_detector is None) != (detector is None):
            counts.known += 1
            return None
        _update(db, n, event, line, detector)
        counts.changed += 1
        return int(n)
    if tombstones.blocks(db, event):  # MEM-083
        counts.forgotten += 1
        return None
    twin = twin_id(event)
    if db.execute("select 1 from episodes where twin = ?", (twin,)).fetchone():
        counts.copies += 1
        return None
    n = _insert(db, event, line, twin, detector, now)
    counts.new += 1
    counts.by_kind[event.kind] = counts.by_kind.get(event.kind, 0) + 1
    return n


def _insert(
    db: sqlite3.Connection, event: Event, line: str, twin: str, detector: int | None, now: str
) -> int:
    note = event if isinstance(event, Note) else None
    title, body = map(segment, telling.searched(event))
    row = {
        "id": event.id,
        "twin": twin,
        "kind": event.kind,
        "session": event.session,
        "agent": event.agent,
        "project": event.project,
        "source": event.source,
        "at": event.at,
        "layer": note and note.layer,
        "trigger_words": note and note.trigger,
        "valid_from": note and note.valid_from,
        "valid_until": note and note.valid_until,
        "supersedes": note and note.supersedes,
        "ref": event.ref,
        "title": title,
        "body": body,
        "dated": telling.dated(event.at),
        "event": line,
        "detector": detector,
        "created": now,
    }
    n = db.execute(_INSERT, row).lastrowid
    assert n is not None
    if note is not None:
        _supersede(db, note)
    return n


_COLUMNS = (
    "id twin kind session agent project source at layer trigger_words valid_from valid_until"
    " supersedes ref title body dated event detector created"
).split()
_INSERT = (
    f"insert into episodes ({', '.join(_COLUMNS)}) values ({', '.join(':' + c for c in _COLUMNS)})"
)


def _update(db: sqlite3.Connection, n: int, event: Event, line: str, detector: int | None) -> None:
    """Take a better telling of the same event; what remembering added to it stays."""
    title, body = map(segment, telling.searched(event))
    db.execute(
        "update episodes set event = ?, title = ?, body = ?, detector = ? where n = ?",
        (line, title, body, detector, n),
    )
    db.execute("delete from vectors where n = ?", (n,))
    if isinstance(event, Note):  # what is no part of its id may differ
        db.execute(
            "update episodes set layer = ?, trigger_words = ?, valid_from = ?, valid_until = ?,"
            " supersedes = ? where n = ?",
            (
                event.layer,
                event.trigger,
                event.valid_from,
                event.valid_until,
                event.supersedes,
                n,
            ),
        )
        _supersede(db, event)


def _supersede(db: sqlite3.Connection, note: Note) -> None:
    """Close what a note replaces, whichever of the two came first; never in another project."""
    close = (
        "update episodes set superseded_by = ?, valid_until = coalesce(valid_until, ?)"
        " where id = ? and kind = 'note' and project is ?"
    )
    if note.supersedes:
        db.execute(close, (note.id, note.valid_from or note.at, note.supersedes, note.project))
    later = db.execute(
        "select id, coalesce(valid_from, at) from episodes where supersedes = ? and project is ?",
        (note.id, note.project),
    ).fetchone()
    if later is not None:
        db.execute(close, (*later, note.id, note.project))


def _replace_older(db: sqlite3.Connection, session: SessionRow, seen: set[str], now: str) -> int:
    """Remove what an older detector made of the part that was just read again, and no more.

    A refusal whose words had not been written yet when it was first read gives way to them.
    """
    older = db.execute(
        "select n, id from episodes where session = ? and at between ? and ? and (detector < ?"
        " or detector = ? and kind = 'correction' and body = '')",
        (session.id, session.started, session.ended, session.detector, session.detector),
    ).fetchall()
    gone = [(n, id_) for n, id_ in older if id_ not in seen]
    if gone:
        lapsing.lapse(db, [id_ for _, id_ in gone], now=now)
    db.executemany("delete from episodes where n = ?", [(n,) for n, _ in gone])
    return len(gone)


def _put_session(db: sqlite3.Connection, session: SessionRow, now: str) -> None:
    db.execute(
        "insert or replace into sessions (id, agent, project, cwd, parent, started, ended, turns,"
        " person_turns, detector, updated) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            session.id,
            session.agent,
            session.project,
            session.cwd,
            session.parent,
            session.started,
            session.ended,
            session.turns,
            session.person_turns,
            session.detector,
            now,
        ),
    )
