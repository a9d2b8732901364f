"""Strict decoding and exact encoding of single lines and of streams (OVR-010 … OVR-018).

The wire is UTF-8 JSON Lines. A decoder that let a duplicate key, a rounded integer or half a
surrogate pair through would let two implementations read two different records from one line,
so all of that is `malformed`. Only `\\n` ends a line.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

import msgspec

from remem_protocol.errors import (
    InvalidError,
    InvalidEventError,
    InvalidRecordError,
    InvalidSessionError,
    MalformedError,
    RememError,
    TooLargeError,
)
from remem_protocol.events import EVENT_KINDS, Event, UnknownEvent
from remem_protocol.memory import RECORD_TYPES, TIME_FIELDS, Record, UnknownRecord
from remem_protocol.session import Session
from remem_protocol.times import parse_time
from remem_protocol.versions import check_version

MAX_DEPTH = 64
MAX_INTEGER = 2**53 - 1
MAX_EVENT_BYTES = 1 << 20
MAX_RECORD_BYTES = 16 << 20  # an episode holds an event as text, whose escapes are escaped again
MAX_SESSION_BYTES = 256 << 20

Encodable = Event | UnknownEvent | Session | Record | UnknownRecord
_ENCODER = msgspec.json.Encoder()
_PATH_STEP = re.compile(r"\.([A-Za-z_]\w*)|\[(\d+|\.\.\.)\]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def decode_object(line: bytes, *, limit: int = MAX_EVENT_BYTES) -> dict[str, Any]:
    """Return the one JSON object of a line, strictly; raise MalformedError or TooLargeError.

    `limit` is in bytes, without the line end.
    """
    if len(line) > limit:
        raise TooLargeError(f"a line of {len(line)} bytes, the limit is {limit}")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedError(f"not UTF-8 at byte {error.start}") from None
    if "\n" in text or text.startswith("\ufeff"):
        raise MalformedError("a byte order mark" if text[0] == "\ufeff" else "more than one line")
    _check_depth(text)
    try:
        value = _STRICT.decode(text)
    except (ValueError, RecursionError) as error:
        raise MalformedError(str(error)) from None
    if not isinstance(value, dict):
        raise MalformedError("not an object")
    if "\\u" in text and _has_surrogate(value):
        raise MalformedError("an unpaired surrogate")
    return value


def decode_event(line: bytes, *, limit: int = MAX_EVENT_BYTES) -> Event | UnknownEvent:
    """Read one event; a kind that this version does not know comes back untouched (OVR-003).

    `limit` is in bytes, without the line end. Raises MalformedError, TooLargeError,
    UnsupportedVersionError or InvalidEventError.
    """
    tree = decode_object(line, limit=limit)
    _check_version(tree, InvalidEventError)
    kind = tree.get("kind")
    if isinstance(kind, str) and kind and kind not in EVENT_KINDS:
        return UnknownEvent(kind=kind, raw=line)
    event: Event = _convert(tree, Event, InvalidEventError)
    return event


def decode_session(line: bytes) -> Session:
    """Read one Session; raises as decode_event, with InvalidSessionError for a wrong shape."""
    tree = decode_object(line, limit=MAX_SESSION_BYTES)
    _check_version(tree, InvalidSessionError)
    if "type" not in tree:  # msgspec asks for a tag only where there are several to choose from
        raise InvalidSessionError("no type")
    session: Session = _convert(tree, Session, InvalidSessionError)
    _check_session(session)
    return session


def decode_record(line: bytes) -> Record | UnknownRecord:
    """Read one memory record; raises as decode_event, with InvalidRecordError.

    A type that this version does not know comes back untouched (OVR-003).
    """
    tree = decode_object(line, limit=MAX_RECORD_BYTES)
    _check_version(tree, InvalidRecordError)
    kind = tree.get("type")
    if isinstance(kind, str) and kind and kind not in RECORD_TYPES:
        return UnknownRecord(type=kind, raw=line)
    record: Record = _convert(tree, Record, InvalidRecordError)
    times = [(f"/{name}", getattr(record, name, None)) for name in TIME_FIELDS]
    _check_times(times, InvalidRecordError)
    return record


def encode(record: Encodable) -> bytes:
    """Return a record's line without its end: compact UTF-8, fields in the order of the schema."""
    if isinstance(record, UnknownEvent | UnknownRecord):
        return record.raw
    return _ENCODER.encode(record)


def encode_stream(records: Iterable[Encodable]) -> Iterator[bytes]:
    """Yield each record as a line that ends in `\\n`."""
    for record in records:
        yield encode(record) + b"\n"


def split_lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield (number from 1, line) of a stream's bytes, split at `\\n` alone; empty lines skipped.

    U+2028, U+0085, `\\x0b` and a lone `\\r` are not line ends (OVR-011).
    """
    for number, line in enumerate(data.split(b"\n"), 1):
        if line:
            yield number, line


def decode_events(data: bytes) -> Iterator[tuple[int, Event | UnknownEvent | RememError]]:
    """Yield (line number, event or why that line is none); one bad line never stops the rest."""
    for number, line in split_lines(data):
        try:
            yield number, decode_event(line)
        except RememError as error:
            yield number, error


def _check_version(tree: dict[str, Any], wrong: type[InvalidError]) -> None:
    version = tree.get("v")
    if not isinstance(version, str):
        raise wrong("no version" if version is None else "a version is a string", at="/v")
    check_version(version)


def _convert(tree: dict[str, Any], kind: Any, wrong: type[InvalidError]) -> Any:
    try:
        return msgspec.convert(tree, kind)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `")
        raise wrong(message, at=_pointer(path.rstrip("`"))) from None


def _check_session(session: Session) -> None:
    """Times are real days, and the session does not end before it starts (SES-004)."""
    times = [("/started", session.started), ("/ended", session.ended)]
    _check_times(times, InvalidSessionError)
    turns = ((f"/turns/{i}/at", turn.at) for i, turn in enumerate(session.turns))
    _check_times(turns, InvalidSessionError)
    if session.ended < session.started:
        raise InvalidSessionError("ends before it starts", at="/ended")


def _check_times(times: Iterable[tuple[str, str | None]], wrong: type[InvalidError]) -> None:
    """Refuse a time that the pattern lets through and the calendar does not have (OVR-021)."""
    for at, text in times:
        try:
            if text is not None:
                parse_time(text)
        except ValueError as error:
            raise wrong(str(error), at=at) from None


def _pointer(path: str) -> str | None:
    """`$.turns[3].at` → `/turns/3/at`; msgspec writes `[...]` where it keeps no index."""
    steps = [name or index for name, index in _PATH_STEP.findall(path)]
    return "".join("/" + step for step in steps) or None


def _check_depth(text: str) -> None:
    if text.count("{") + text.count("[") <= MAX_DEPTH:
        return  # nearly every line: no scan needed
    depth, quoted = 0, False
    for token in re.finditer(r'\\.|["\[\]{}]', text):
        mark = token[0]
        if mark == '"':
            quoted = not quoted
        elif not quoted and mark in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise MalformedError(f"nested deeper than {MAX_DEPTH}")
        elif not quoted and mark in "]}":
            depth -= 1


def _has_surrogate(value: Any) -> bool:
    if isinstance(value, str):
        return _SURROGATE.search(value) is not None
    if isinstance(value, dict):
        return any(_has_surrogate(k) or _has_surrogate(v) for k, v in value.items())
    return isinstance(value, list) and any(map(_has_surrogate, value))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise ValueError("a duplicate key")
    return out


def _integer(text: str) -> int:
    if len(text) > 17 or abs(int(text)) > MAX_INTEGER:
        raise ValueError("an integer beyond 2^53 - 1")
    return int(text)


def _float(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError("a number beyond the range of a double")
    return value


def _constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not JSON")


_STRICT = json.JSONDecoder(
    object_pairs_hook=_unique, parse_int=_integer, parse_float=_float, parse_constant=_constant
)
