"""A moment as a line of JSON asks about it, with or without the lessons to choose from."""

from typing import Any

import msgspec

from remem_core.prime.moment import (
    SHAPES,
    SOURCES,
    LessonKind,
    LessonView,
    Moment,
    MomentKind,
    Source,
)  # fmt: skip
from remem_protocol import MalformedError

MAX_LINE = 4 << 20


class Asked(msgspec.Struct, frozen=True):
    """One question: which of these lessons bear on this moment? None: of those remembered."""

    id: str
    moment: Moment
    lessons: tuple[LessonView, ...] | None


class _Lesson(msgspec.Struct, frozen=True):
    id: str
    kind: LessonKind
    sources: list[msgspec.Raw]


class _Line(msgspec.Struct, frozen=True):
    id: str
    kind: MomentKind
    moment: msgspec.Raw
    lessons: list[_Lesson] | None = None


_DECODER = msgspec.json.Decoder(_Line)


def read_asked(line: bytes) -> Asked:
    """Read one line. Fields that are not known are passed over.

    Raises MalformedError for what is no such question.
    """
    try:
        read = _DECODER.decode(line)
        moment = msgspec.json.decode(read.moment, type=SHAPES[read.kind])
        lessons = None if read.lessons is None else tuple(map(_lesson, read.lessons))
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise MalformedError(f"no moment: {error}") from None
    return Asked(read.id, moment, lessons)


def _lesson(read: _Lesson) -> LessonView:
    if not read.sources:
        raise msgspec.ValidationError(f"lesson {read.id!r} has no sources")
    shape: Any = SOURCES[read.kind]
    sources: tuple[Source, ...] = tuple(msgspec.json.decode(s, type=shape) for s in read.sources)
    return LessonView(read.id, read.kind, sources)
