"""The one way to change lessons and what hangs on them: checked, written, and one ledger row each.

Everything that could refuse a change is asked before the first row is written (MEM-050).
"""

import json
import sqlite3
from collections.abc import Callable, Collection
from dataclasses import dataclass

from remem_core.errors import StaleChangeError
from remem_core.lessons import verbs
from remem_core.lessons.changes import Change, Kept, identity, lessons_of
from remem_core.redact import redact
from remem_core.store import ledger, lessons, rows, vetoing
from remem_core.store.ledger import undone_keys as undone_keys  # what is not to be done again
from remem_protocol import (
    Alias,
    InvalidRecordError,
    Lesson,
    Prediction,
    SecretError,
    Veto,
    VetoedError,
)

Unwanted = Callable[[Lesson], Veto | None]
OWNERS_VERBS = ("VETO", "RESTORE")
# Verbs under which words or sources are new, so that a lesson may have come to mean what is vetoed.
_SAYS_MORE = ("CREATE", "CORROBORATE", "REFINE", "MERGE", "SPLIT", "REWORD", "RESTORE")


@dataclass(frozen=True)
class Applied:
    """A change that was made, and its number in the ledger."""

    seq: int
    change: Change


def apply(
    db: sqlite3.Connection,
    change: Change,
    *,
    unwanted: Unwanted | None,
    owner: bool = False,
    ref: str | None = None,
) -> Applied:
    """Make a change whole, inside the caller's transaction, or refuse it and write nothing.

    `unwanted` tells the veto that a lesson falls under by its meaning; it is asked only while
    there are vetoes. VETO and RESTORE are the `owner`'s. The ledger has the change's time, and
    `ref`. Raises StaleChangeError, InvalidRecordError, OutOfScopeError, SecretError or VetoedError.
    """
    if change.verb in OWNERS_VERBS and not owner:
        raise RefusedForOthersError(f"{change.verb} is the owner's alone")
    _is_fresh(db, change)
    found = lessons.sources(db, needed) if (needed := verbs.needed(change)) else []
    verbs.check(change, {source.id: source for source in found})
    _holds_together(db, change)
    _has_no_secret(change)
    _is_wanted(db, change, unwanted)
    _write(db, change)
    return Applied(ledger.enter(db, change, ref=ref), change)


class RefusedForOthersError(InvalidRecordError):
    """Only the owner vetoes and takes back (MEM-054)."""


def current(db: sqlite3.Connection, record: Kept) -> Kept | None:
    """Return what is stored under a record's identity."""
    return rows.find(db, type(record), identity(record)[1])


def _is_fresh(db: sqlite3.Connection, change: Change) -> None:
    """Refuse a change of what is not as it was when it was decided."""
    known = {identity(record) for record in change.before}
    for record in change.before:
        if current(db, record) != record:
            raise StaleChangeError(f"{identity(record)} is not as it was")
    for record in change.after:
        if identity(record) not in known and current(db, record) is not None:
            raise StaleChangeError(f"{identity(record)} is there already")
    if change.faded and _count_unarchived(db, change.faded) < len(change.faded):
        raise StaleChangeError("an episode is put aside already, or gone")


def _count_unarchived(db: sqlite3.Connection, ids: Collection[str]) -> int:
    there = db.execute(
        "select count(*) from episodes where archived is null"
        " and id in (select value from json_each(?))",
        (json.dumps(list(ids)),),
    )
    return int(there.fetchone()[0])


def _holds_together(db: sqlite3.Connection, change: Change) -> None:
    """Refuse what would leave a name, a prediction or a successor of what is not there."""
    after = {identity(record) for record in change.after}
    gone = {identity(record) for record in change.before} - after
    for record in change.after:
        match record:
            case Lesson():
                _demand(not _is(db, "alias", record.id, after, gone), "its id is an old name")
                if record.superseded_by is not None:
                    heir = lessons.current_id(db, record.superseded_by)
                    _demand(_is(db, "lesson", heir, after, gone), "what supersedes it is not there")
            case Alias():
                _demand(not _is(db, "lesson", record.old, after, gone), "a lesson has that name")
                _demand(_is(db, "lesson", record.new, after, gone), "a name of nothing")
            case Prediction():
                _fits_its_lesson(db, change, record, after, gone)
    for kind, key in gone:
        if kind == "lesson":
            _leaves_nothing_behind(db, change, key, after, gone)


Identities = set[tuple[str, str]]


def _is(db: sqlite3.Connection, kind: str, key: str, after: Identities, gone: Identities) -> bool:
    """Tell whether a lesson or an alias of this key is there once the change is made."""
    if (kind, key) in after or (kind, key) in gone:
        return (kind, key) in after
    return rows.find(db, Lesson if kind == "lesson" else Alias, key) is not None


def _fits_its_lesson(
    db: sqlite3.Connection, change: Change, made: Prediction, after: Identities, gone: Identities
) -> None:
    if change.verb == "RESTORE":  # its old names may come back beside it
        return
    lesson = lessons.current_id(db, made.lesson)
    _demand(_is(db, "lesson", lesson, after, gone), "the lesson that predicts is not there")
    others = lessons_of(change.after).keys() - {lesson}
    _demand(not others, "it changes another lesson than the one that predicted")
    if change.verb == "PREDICT":
        held = rows.find(db, Lesson, lesson)
        _demand(held is not None and held.archived is None, "the lesson is put aside")
        open_ = lessons.predictions(db, lesson=lesson, unresolved=True)
        _demand(not open_, "the lesson has a prediction open")


def _leaves_nothing_behind(
    db: sqlite3.Connection, change: Change, key: str, after: Identities, gone: Identities
) -> None:
    """A lesson that goes is the target of no alias, and of no prediction that has no lesson."""
    moved = {r.old: r.new for r in change.after if isinstance(r, Alias)}
    for old in (alias.old for alias in rows.select(db, Alias, "where t.new = ?", (key,))):
        _demand(("alias", old) in gone or moved.get(old, key) != key, "an old name is lost")
    if change.verb == "VETO":
        names = json.dumps(lessons.names_of(db, key))
        where = "where t.lesson in (select value from json_each(?))"
        hanging = rows.select(db, Prediction, where, (names,))
        _demand({identity(p) for p in hanging} <= gone, "a prediction is left behind")


def _has_no_secret(change: Change) -> None:
    texts = [r.text for r in change.after if not isinstance(r, Alias)]
    for text in (*texts, change.why):
        if redact(text) != text:
            raise SecretError("a secret stands in it")


def _is_wanted(db: sqlite3.Connection, change: Change, unwanted: Unwanted | None) -> None:
    """Refuse a lesson that the owner vetoed: by words, by a source, or by meaning (MEM-053)."""
    if not vetoing.any_holds(db):
        return
    kept = {r.hash for r in change.after if isinstance(r, Veto) and r.lifted is None}
    lifted = {r.hash for r in change.before if isinstance(r, Veto)} - kept
    for lesson in lessons_of(change.after).values():
        veto = vetoing.veto_of(db, lesson, without=lifted)
        if veto is None and unwanted is not None and change.verb in _SAYS_MORE:
            veto = unwanted(lesson)
        if veto is not None and veto.hash not in lifted:
            raise VetoedError(f"the owner vetoed it on {veto.at[:10]}: {veto.hash}")


def _write(db: sqlite3.Connection, change: Change) -> None:
    after = {identity(record) for record in change.after}
    for record in change.before:
        if identity(record) not in after:
            rows.remove(db, record)
    for record in change.after:
        rows.put(db, record)
    if change.faded:
        db.execute(
            "update episodes set archived = ? where id in (select value from json_each(?))",
            (change.at, json.dumps(list(change.faded))),
        )


def _demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise InvalidRecordError(otherwise)
