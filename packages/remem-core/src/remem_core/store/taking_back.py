"""The owner's own changes: taking one back exactly, never wanting a lesson again, lifting that."""

import json
import sqlite3
from collections.abc import Sequence

import msgspec

from remem_core.errors import StaleChangeError
from remem_core.lessons.changes import Change, Kept, identity
from remem_core.store import ledger, lessons, rows
from remem_core.store.changing import Applied, Unwanted, apply, current
from remem_protocol import (
    Alias,
    InvalidRecordError,
    LedgerEntry,
    Lesson,
    NotFoundError,
    Prediction,
    Veto,
)


def undo(db: sqlite3.Connection, seq: int, *, now: str, unwanted: Unwanted | None) -> Applied:
    """Take a change back, inside the caller's transaction, when its records are as it left them.

    Raises NotFoundError, InvalidRecordError for what is no such change, StaleChangeError naming
    the later change that has to be taken back before, or VetoedError.
    """
    entry = ledger.entry(db, seq)
    if entry is None:
        raise NotFoundError(f"the ledger has no change {seq}")
    before, after = ledger.state_of(entry.before), ledger.state_of(entry.after)
    if before is None or after is None or entry.verb == "FORGET":
        raise InvalidRecordError(f"change {seq} ({entry.verb}) is none that can be taken back")
    if not (entry.before or entry.after):
        raise InvalidRecordError(f"of change {seq} ({entry.verb}) the words were forgotten")
    why = f"change {seq} ({entry.verb}) taken back"
    change = Change(verb="RESTORE", subject=entry.subject, at=now, why=why)
    if before.faded or after.faded:
        return _turn(db, change, before.faded, after.faded, ledger.key_of(entry))
    _is_as_it_left_them(db, entry, before.records, after.records)
    went = _predicted_since(db, before.records, after.records)
    change = msgspec.structs.replace(change, before=(*after.records, *went), after=before.records)
    return apply(db, change, unwanted=unwanted, owner=True, ref=ledger.key_of(entry))


def _predicted_since(
    db: sqlite3.Connection, before: Sequence[Kept], after: Sequence[Kept]
) -> list[Kept]:
    """Return what lessons that go predicted, under no name that stays: it goes with them."""
    stay = {r.id for r in before if isinstance(r, Lesson)}
    stay |= {r.old for r in before if isinstance(r, Alias)}
    gone = [r.id for r in after if isinstance(r, Lesson) and r.id not in stay]
    known = {identity(record) for record in after}
    found = [record for id_ in gone for record in lessons.hanging(db, id_)]
    return [
        record
        for record in found
        if isinstance(record, Prediction)
        and record.lesson not in stay
        and identity(record) not in known
    ]


def veto(db: sqlite3.Connection, id_: str, *, now: str) -> Applied:
    """Let a lesson go for good, inside the caller's transaction; raise NotFoundError."""
    lesson = rows.find(db, Lesson, id_)
    if lesson is None:
        raise NotFoundError(f"no lesson has the id {id_!r}")
    made = Veto(
        hash=lesson.hash,
        text=lesson.text,
        at=now,
        kind=lesson.kind,
        lesson=id_,
        sources=lesson.sources,
    )
    lifted = rows.find(db, Veto, lesson.hash)
    change = Change(
        verb="VETO",
        subject=id_,
        at=now,
        before=(lesson, *lessons.hanging(db, id_), *([lifted] if lifted else [])),
        after=(made,),
        why="vetoed by the owner",
    )
    return apply(db, change, unwanted=None, owner=True)


def unveto(db: sqlite3.Connection, found: Veto, *, now: str, unwanted: Unwanted | None) -> Applied:
    """Lift a veto, inside the caller's transaction; its lesson is back if its sources are there.

    What else became of it – it is there again, another lesson has its name – lifts it alone.
    """
    if found.lifted is not None:
        raise StaleChangeError(f"that veto was lifted on {found.lifted[:10]}")
    lifted = msgspec.structs.replace(found, lifted=now)
    change = Change(
        verb="RESTORE",
        subject=found.lesson or "",
        at=now,
        before=(found,),
        after=(lifted, *_what_went(db, found)),
        why="the owner's veto lifted",
    )
    return apply(db, change, unwanted=unwanted, owner=True)


def _what_went(db: sqlite3.Connection, found: Veto) -> tuple[Kept, ...]:
    """Return what the veto let go, as the ledger tells it, if all of it can be there again."""
    told = [e for e in ledger.entries(db, {found.hash}) if e.verb == "VETO"]
    state = ledger.state_of(told[-1].before) if told else None
    gone = tuple(r for r in state.records if not isinstance(r, Veto)) if state else ()
    if any(current(db, record) is not None for record in gone):
        return ()
    for record in gone:
        if isinstance(record, Lesson) and not _rests_on_what_is_there(db, record):
            return ()
        if isinstance(record, Lesson | Alias) and _name_is_taken(db, record):
            return ()
    return gone


def _rests_on_what_is_there(db: sqlite3.Connection, lesson: Lesson) -> bool:
    there = db.execute(
        "select count(*) from episodes where id in (select value from json_each(?))",
        (json.dumps(lesson.sources),),
    )
    return lesson.origin is not None or int(there.fetchone()[0]) == len(lesson.sources)


def _name_is_taken(db: sqlite3.Connection, record: Lesson | Alias) -> bool:
    if isinstance(record, Lesson):
        return rows.find(db, Alias, record.id) is not None
    return rows.find(db, Lesson, record.old) is not None


def _is_as_it_left_them(
    db: sqlite3.Connection, entry: LedgerEntry, before: Sequence[Kept], after: Sequence[Kept]
) -> None:
    """Refuse what is not as an entry left it, naming the later change (MEM-057)."""
    left = {identity(record): record for record in after}
    touched = {identity(record): record for record in (*before, *after)}
    other = [key for key, record in touched.items() if current(db, record) != left.get(key)]
    if not other:
        return
    ids = {key for _, key in other}
    for later in ledger.later_than(db, entry.seq):
        states = (ledger.state_of(later.before), ledger.state_of(later.after))
        changed = {identity(r) for state in states if state for r in state.records}
        if later.subject in ids or not changed.isdisjoint(other):
            raise StaleChangeError(
                f"change {later.seq} ({later.verb}) is later and about the same;"
                f" to take back {entry.seq}, take that one back first",
                later.seq,
            )
    raise StaleChangeError(f"what change {entry.seq} made is not as it left it any more")


def _turn(
    db: sqlite3.Connection, change: Change, wake: Sequence[str], fade: Sequence[str], ref: str
) -> Applied:
    """Take back that episodes were put aside (`fade` were), or woken (`wake` were).

    Those that were forgotten since stay so. What is woken counts as touched, or it would fade
    again the next night.
    """
    db.execute(
        "update episodes set archived = null, touched = ? where archived is not null"
        " and id in (select value from json_each(?))",
        (change.at, json.dumps(list(fade))),
    )
    db.execute(
        "update episodes set archived = ? where archived is null"
        " and id in (select value from json_each(?))",
        (change.at, json.dumps(list(wake))),
    )
    before = ledger.faded_as_text(fade) if fade else None
    after = ledger.faded_as_text(wake) if wake else None
    turned = msgspec.structs.replace(change, faded=tuple(wake))
    return Applied(ledger.append(db, turned, before, after, ref), turned)
