"""The ledger: every change of what is remembered, for ever, as it was before and as it became.

`before` and `after` of a change of lessons are JSON arrays of records as they are on the wire; of
episodes that were put aside, or woken again, an object that names them as `faded` (MEM-056).
"""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

import msgspec

from remem_core.lessons.changes import Change, Kept
from remem_core.store.mentions import ids_in
from remem_protocol import LedgerEntry, encode

_NAMES = ("seq", "at", "verb", "subject", "before", "after", "why", "ref")
_SELECT = f"select {', '.join(_NAMES)} from ledger"
_DECODE = msgspec.json.Decoder(tuple[Kept, ...]).decode


@dataclass(frozen=True)
class State:
    """One side of an entry: the records that there were, the episodes that were put aside."""

    records: tuple[Kept, ...] = ()
    faded: tuple[str, ...] = ()


def enter(db: sqlite3.Connection, change: Change, *, ref: str | None = None) -> int:
    """Write a change to the ledger, inside the caller's transaction; return its number."""
    after = faded_as_text(change.faded) if change.faded else records_as_text(change.after)
    return append(db, change, records_as_text(change.before), after, ref)


def append(
    db: sqlite3.Connection, change: Change, before: str | None, after: str | None, ref: str | None
) -> int:
    """Write a row under a change's verb, subject, time and why; return its number."""
    seq = db.execute(
        "insert into ledger (at, verb, subject, before, after, why, ref)"
        " values (?, ?, ?, ?, ?, ?, ?)",
        (change.at, change.verb, change.subject, before, after, change.why, ref),
    ).lastrowid
    assert seq is not None
    return seq


def records_as_text(records: Iterable[Kept]) -> str | None:
    """Return records as an entry has them; None for none."""
    lines = [encode(record).decode() for record in records]
    return f"[{','.join(lines)}]" if lines else None


def faded_as_text(ids: Collection[str]) -> str:
    """Return episodes as an entry has them."""
    return json.dumps({"faded": list(ids)}, separators=(",", ":"))


def state_of(text: str | None) -> State | None:
    """Return one side of an entry; None where it is no change of lessons or of episodes."""
    if text is None:
        return State()
    try:
        if text.startswith("["):
            return State(records=_DECODE(text))
        faded = json.loads(text)["faded"]
        return State(faded=tuple(faded)) if all(isinstance(id_, str) for id_ in faded) else None
    except (ValueError, TypeError, KeyError):
        return None


def entry(db: sqlite3.Connection, seq: int) -> LedgerEntry | None:
    """Return the entry of a number."""
    return next(_entries(db, "where seq = ?", (seq,)), None)


def entries(
    db: sqlite3.Connection, names: Collection[str] | None = None, *, limit: int | None = None
) -> list[LedgerEntry]:
    """Return the newest entries, the oldest of them first.

    With `names` those that are about, or mention, any of these ids.
    """
    newest = _entries(db, "order by seq desc", ())
    out: list[LedgerEntry] = []
    for found in newest:
        if limit is not None and len(out) >= limit:
            break
        if names is None or _mentions(found, names):
            out.append(found)
    return out[::-1]


def later_than(db: sqlite3.Connection, seq: int) -> Iterator[LedgerEntry]:
    """Yield the entries after a number, in their order."""
    return _entries(db, "where seq > ? order by seq", (seq,))


def before_night(db: sqlite3.Connection, now: str) -> int:
    """Return the number after which the entries of a night's clock begin; the last without any."""
    first, last = db.execute(
        "select min(seq) filter (where at = ?), max(seq) from ledger", (now,)
    ).fetchone()
    return first - 1 if first is not None else last or 0


def undone_keys(db: sqlite3.Connection) -> set[str]:
    """Return the keys of the changes that the owner took back, and did not want after all.

    A RESTORE names the key of what it took back; taking that RESTORE back wants it again.
    """
    undone: set[str] = set()
    known: dict[str, tuple[str, bool]] = {}  # key of a RESTORE → (what it is about, is it undone)
    for found in _entries(db, "where verb = 'RESTORE' and ref is not null order by seq", ()):
        about, was = known.get(found.ref or "", (found.ref or "", False))
        known[key_of(found)] = (about, not was)
        (undone.discard if was else undone.add)(about)
    return undone


def key_of(entry: LedgerEntry) -> str:
    """Return the key of the change that an entry tells (`Change.key`)."""
    after = state_of(entry.after) or State()
    return Change(
        verb=entry.verb,
        subject=entry.subject,
        at=entry.at,
        after=after.records,
        faded=after.faded,
    ).key


def _mentions(entry: LedgerEntry, names: Collection[str]) -> bool:
    if entry.subject in names:
        return True
    return not (ids_in(entry.before) | ids_in(entry.after)).isdisjoint(names)


def _entries(
    db: sqlite3.Connection, rest: str, values: tuple[object, ...]
) -> Iterator[LedgerEntry]:
    tag = {"type": "ledger", "v": "1.0"}
    for row in db.execute(f"{_SELECT} {rest}", values):
        yield msgspec.convert(dict(zip(_NAMES, row, strict=True)) | tag, LedgerEntry)
