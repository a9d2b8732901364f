"""The memory records (MEM): what a store keeps, as export, share and other programs see it."""

from typing import Annotated, Literal, get_args

import msgspec

from remem_protocol.events import OptionalId, Ref
from remem_protocol.ids import Id
from remem_protocol.session import NonEmpty, ShortText
from remem_protocol.times import Time
from remem_protocol.versions import PROTOCOL

EpisodeKind = Literal[
    "correction", "error", "environment", "surprise", "note", "session", "handback"
]
LessonKind = Literal["correction", "error", "surprise", "note"]
Trust = Literal["own", "candidate", "corroborated", "confirmed"]
Wording = Literal["quoted", "model", "owner"]
Outcome = Literal["confirmed", "failed"]
Verb = Literal[
    "CREATE", "CORROBORATE", "REFINE", "CORRECT", "MERGE", "SPLIT", "ARCHIVE", "REWORD",
    "PREDICT", "RESOLVE", "VETO", "RESTORE", "FORGET",
]  # fmt: skip
Scope = Literal["episode", "session", "project", "time"]
Strength = Annotated[float, msgspec.Meta(ge=0.0)]
Count = Annotated[int, msgspec.Meta(ge=0)]


class _Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type"):
    """The field that every memory record has."""

    v: ShortText = msgspec.field(default_factory=lambda: PROTOCOL)


class Episode(_Record, frozen=True, kw_only=True, omit_defaults=True, tag="episode"):
    """One remembered event, and what the memory knows about remembering it.

    `event` is the event as JSON text, exactly as it was folded (after redaction); `id` is its id.
    `detector` is the version of the detectors that made it, None when it was emitted.
    """

    id: Id
    kind: EpisodeKind
    event: str
    created: Time
    strength: Strength = 1.0
    recalls: Count = 0
    touched: Time | None = None
    archived: Time | None = None
    detector: Count | None = None


class Lesson(_Record, frozen=True, kw_only=True, omit_defaults=True, tag="lesson"):
    """A short observation that sleep left, with the episodes it rests on.

    `seen` counts its sources, `project` is None for a lesson that holds everywhere, `hash`
    identifies its words across memories, `origin` is the memory that made it (None: this one),
    `origins` those that corroborated it. `wording` says whose the words are: quoted from the
    sources, a model's, or the owner's own. `archived` is when it was put aside.
    """

    id: Id
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=2000)]
    kind: LessonKind
    project: ShortText | None = None
    strength: Strength
    seen: Count
    sources: tuple[Id, ...]
    created: Time
    updated: Time
    origin: NonEmpty | None = None
    hash: Id
    origins: tuple[NonEmpty, ...] = ()
    trust: Trust = "own"
    wording: Wording = "quoted"
    valid_from: Time | None = None
    valid_until: Time | None = None
    superseded_by: Id | None = None
    archived: Time | None = None


class Prediction(_Record, frozen=True, kw_only=True, omit_defaults=True, tag="prediction"):
    """What a lesson says will happen again, and whether it did."""

    id: Id
    lesson: Id
    text: Annotated[str, msgspec.Meta(min_length=1)]
    made: Time
    due: Time
    resolved: Time | None = None
    outcome: Outcome | None = None


class Alias(_Record, frozen=True, kw_only=True, omit_defaults=True, tag="alias"):
    """A lesson that was merged into another keeps its old id as a name of the new one."""

    old: Id
    new: Id
    at: Time


class Veto(_Record, frozen=True, kw_only=True, omit_defaults=True, tag="veto"):
    """The owner said never: by the hash of a lesson's words, by its sources and its meaning.

    `lesson`, `kind` and `sources` are those of the lesson that was vetoed. `text` is "" once a
    source of it was forgotten. It holds until it is `lifted`.
    """

    hash: Id
    text: str
    at: Time
    lifted: Time | None = None
    kind: LessonKind | None = None
    lesson: Id | None = None
    sources: tuple[Id, ...] = ()


class LedgerEntry(_Record, frozen=True, kw_only=True, omit_defaults=True, tag="ledger"):
    """One change to what is remembered, for ever."""

    seq: Annotated[int, msgspec.Meta(ge=1)]
    at: Time
    verb: Verb
    subject: OptionalId
    before: str | None = None
    after: str | None = None
    why: str = ""
    ref: Ref | None = None


class SessionEntry(_Record, frozen=True, kw_only=True, omit_defaults=True, tag="session-entry"):
    """That a session was read, how far and by which detectors; not what was said in it."""

    id: ShortText
    agent: ShortText
    project: ShortText | None = None
    cwd: str | None = None
    parent: ShortText | None = None
    started: Time
    ended: Time
    turns: Count
    person_turns: Count
    detector: Count
    updated: Time


class Tombstone(_Record, frozen=True, kw_only=True, omit_defaults=True, tag="tombstone"):
    """What was forgotten and must not come back, named by hashes alone.

    `scope` says what `key` was computed from; `since` and `until` bound the times of the events
    it keeps out, both inclusive.
    """

    key: Id
    scope: Scope
    at: Time
    since: Time | None = None
    until: Time | None = None


class ExportHeader(_Record, frozen=True, kw_only=True, omit_defaults=True, tag="export"):
    """The first line of an exported memory: how many records of each type follow."""

    records: dict[NonEmpty, Count]


Record = (
    Episode
    | Lesson
    | Prediction
    | Alias
    | Veto
    | LedgerEntry
    | SessionEntry
    | Tombstone
    | ExportHeader
)
RECORD_TYPES: tuple[str, ...] = tuple(str(t.__struct_config__.tag) for t in get_args(Record))
TIME_FIELDS = (
    "at", "created", "updated", "touched", "archived", "made", "due", "resolved", "lifted",
    "valid_from", "valid_until", "started", "ended", "since", "until",
)  # fmt: skip


class UnknownRecord(msgspec.Struct, frozen=True):
    """A record of a type that this version does not know: kept as the bytes it came in."""

    type: str
    raw: bytes
