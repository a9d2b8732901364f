"""Corrections and errors of a made-up person, and the changes that sleep would make of them."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from remem_core.lessons.changes import Change, revised
from remem_core.lessons.identity import lesson_id, prediction_id, words_hash
from remem_core.lessons.sources import Source, source_of
from remem_core.lessons.wording import expected, narrowed, tell
from remem_core.store import changing, fold
from remem_core.store.connection import Connection, transaction
from remem_protocol import Alias, Correction, Failure, Lesson, Prediction, Veto

NIGHT, NEXT = "2026-06-01T03:00:00.000000Z", "2026-06-02T03:00:00.000000Z"
LATER, DUE = "2026-06-03T03:00:00.000000Z", "2026-06-15T03:00:00.000000Z"
A, B = "git:example.org/ana/orchard", "git:example.org/ana/meadow"
Unwanted = Callable[[Lesson], Veto | None]


def correct(db: Connection, said: str, minute: int = 0, project: str | None = A) -> Source:
    """Store a correction; return it as a source."""
    at = f"2026-05-01T{minute // 60:02d}:{minute % 60:02d}:00.000000Z"
    event = Correction(
        said=said, agent_did="I ran pip.", cause="message", at=at, source="owner", project=project
    )
    return _stored(db, event)


def fail(db: Connection, failure: str, minute: int = 0, project: str | None = A) -> Source:
    """Store an error of a call; return it as a source."""
    at = f"2026-05-02T{minute // 60:02d}:{minute % 60:02d}:00.000000Z"
    event = Failure(
        tool="Bash", call="make", failure=failure, at=at, source="tool", project=project
    )
    return _stored(db, event)


def _stored(db: Connection, event: Correction | Failure) -> Source:
    with transaction(db):
        fold.fold(db, [event], detector=None, now=NIGHT)
    source = source_of(event)
    assert source is not None
    return source


def lesson_on(*sources: Source, project: str | None = A, **fields: Any) -> Lesson:
    """Return the lesson that quotes these sources."""
    kind, text = sources[0].kind, tell(sources[0].kind, sources)
    founder = min(sources, key=lambda source: source.order)
    made: dict[str, Any] = {
        "id": lesson_id(kind, project, founder.id),
        "text": text,
        "kind": kind,
        "project": project,
        "strength": 1.0,
        "seen": len(sources),
        "sources": tuple(s.id for s in sorted(sources, key=lambda source: source.order)),
        "created": NIGHT,
        "updated": NIGHT,
        "hash": words_hash(kind, fields.get("text", text)),
    }
    return Lesson(**(made | fields))


def creating(*sources: Source, project: str | None = A, **fields: Any) -> Change:
    made = lesson_on(*sources, project=project, **fields)
    return Change(verb="CREATE", subject=made.id, at=NIGHT, after=(made,), why="said")


def changing_to(verb: Any, old: Lesson, new: Lesson, why: str = "so it was") -> Change:
    return Change(verb=verb, subject=old.id, at=NEXT, before=(old,), after=(new,), why=why)


def corroborating(old: Lesson, *sources: Source, **fields: Any) -> Change:
    grown = (*old.sources, *(source.id for source in sources))
    new = revised(old, sources=grown, strength=old.strength + 0.5, updated=NEXT)
    return changing_to("CORROBORATE", old, msgspec.structs.replace(new, **fields))


def refining(old: Lesson, source: Source, **fields: Any) -> Change:
    text = narrowed(old.text, source)
    hash_ = words_hash(old.kind, text)
    new = revised(old, sources=(*old.sources, source.id), text=text, hash=hash_, updated=NEXT)
    return changing_to("REFINE", old, msgspec.structs.replace(new, **fields), "in one case alone")


def correcting(old: Lesson, by: Lesson, **fields: Any) -> Change:
    new = revised(old, valid_until=NEXT, superseded_by=by.id, updated=NEXT)
    return changing_to("CORRECT", old, msgspec.structs.replace(new, **fields))


def archiving(old: Lesson) -> Change:
    return changing_to("ARCHIVE", old, revised(old, archived=NEXT))


def merging(
    olds: Sequence[Lesson], one: Lesson, aliases: Sequence[Alias] = (), moved: Sequence[Alias] = ()
) -> Change:
    """Return the change that makes one of several; `moved` are names that they had before."""
    named = tuple(Alias(old=o.id, new=one.id, at=NEXT) for o in olds if o.id != one.id)
    moving = tuple(msgspec.structs.replace(alias, new=one.id, at=NEXT) for alias in moved)
    return Change(
        verb="MERGE",
        subject=one.id,
        at=NEXT,
        before=(*olds, *moved),
        after=(one, *(aliases or named), *moving),
        why="the same wish",
    )


def splitting(whole: Lesson, *parts: Lesson, aliases: Sequence[Alias] = ()) -> Change:
    return Change(
        verb="SPLIT",
        subject=whole.id,
        at=NEXT,
        before=(whole,),
        after=(*parts, *aliases),
        why="two wishes",
    )


def predicting(lesson: Lesson, sources: Sequence[Source], at: str = NEXT, **more: Any) -> Change:
    made = Prediction(
        **(
            {
                "id": prediction_id(lesson.id, at),
                "lesson": lesson.id,
                "text": expected(lesson.kind, sources),
                "made": at,
                "due": DUE,
            }
            | more
        )
    )
    return Change(verb="PREDICT", subject=made.id, at=at, after=(made,), why="strong enough")


def resolving(made: Prediction, outcome: Any, lesson: Lesson | None, **fields: Any) -> Change:
    told = msgspec.structs.replace(made, resolved=LATER, outcome=outcome)
    weaker = [revised(lesson, strength=0.5, updated=LATER, **fields)] if lesson else []
    return Change(
        verb="RESOLVE",
        subject=made.id,
        at=LATER,
        before=(made, *([lesson] if lesson else [])),
        after=(told, *weaker),
        why="it happened",
    )


def apply(db: Connection, change: Change, unwanted: Unwanted | None = None) -> int:
    """Make a change; return its number in the ledger."""
    with transaction(db):
        return changing.apply(db, change, unwanted=unwanted).seq
