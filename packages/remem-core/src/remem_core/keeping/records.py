"""Records from outside on their way in: strictly read, checked against themselves, redacted."""

from typing import Any

import msgspec

from remem_core.lessons.identity import words_hash
from remem_core.redact import redact, redact_event
from remem_protocol import (
    MAX_RECORD_BYTES,
    Episode,
    Event,
    InvalidRecordError,
    LedgerEntry,
    Lesson,
    Prediction,
    Record,
    RememError,
    SessionEntry,
    UnknownEvent,
    UnknownRecord,
    Veto,
    decode_event,
    decode_record,
)

# Fields that hold somebody's words: what a redactor has to look at (MEM-075).
_WORDS: dict[type[Any], tuple[str, ...]] = {
    Lesson: ("text",),
    Prediction: ("text",),
    Veto: ("text",),
    SessionEntry: ("cwd",),
    LedgerEntry: ("before", "after", "why", "ref"),
}
Prepared = tuple[Record, Event | None]


def read(line: bytes) -> Prepared | UnknownRecord:
    """Return the record of a line and, of an episode, its event; raise the protocol's errors."""
    record = decode_record(line)
    return record if isinstance(record, UnknownRecord) else prepare(record)


def prepare(record: Record) -> Prepared:
    """Return a record redacted, and an episode's event; raise InvalidRecordError."""
    if isinstance(record, Episode):
        return record, redact_event(_event_of(record))
    changes: dict[str, Any] = {}
    if isinstance(record, Lesson):
        _check_lesson(record)
    for name in _WORDS.get(type(record), ()):
        value = getattr(record, name)
        if value and (clean := redact(value)) != value:
            changes[name] = clean
    if isinstance(record, Lesson) and "text" in changes:
        changes["hash"] = words_hash(record.kind, changes["text"])
    return (msgspec.structs.replace(record, **changes) if changes else record), None


def _check_lesson(lesson: Lesson) -> None:
    """Refuse a lesson that contradicts itself (MEM-030, MEM-038)."""
    if lesson.seen != len(set(lesson.sources)) or lesson.seen != len(lesson.sources):
        raise InvalidRecordError("not the number of its sources", at="/seen")
    if lesson.hash != words_hash(lesson.kind, lesson.text):
        raise InvalidRecordError("not the hash of its text", at="/hash")


def _event_of(episode: Episode) -> Event:
    try:
        event = decode_event(episode.event.encode(), limit=MAX_RECORD_BYTES)
    except RememError as error:
        raise InvalidRecordError(f"its event: {error}", at="/event") from None
    if isinstance(event, UnknownEvent) or event.kind != episode.kind:
        raise InvalidRecordError("its event is of another kind", at="/event")
    if event.id != episode.id:
        raise InvalidRecordError("not the id of its event", at="/id")
    return event
