"""The open event format (EVT): what surprised, as anyone may emit it.

Events are tagged by `kind`. An event's id is computed from its content (EVT-010), so emitting it
twice is emitting it once; a constructor given no id computes it, one given a wrong id refuses.
"""

import datetime
from typing import Annotated, Any, ClassVar, Literal, get_args

import msgspec

from remem_protocol.errors import InvalidEventError
from remem_protocol.ids import Id, content_id
from remem_protocol.session import NonEmpty, ShortText
from remem_protocol.times import Time, format_time, parse_time
from remem_protocol.versions import PROTOCOL

Source = Literal["owner", "tool", "agent", "external"]
Act = Literal["offer", "waiting", "question"]
Answer = Literal["corrected", "declined", "approved", "other"]
Cause = Literal["message", "refusal", "steering", "comment"]
Evidence = Literal["cue", "model", "refusal"]
Layer = Literal["semantic", "identity", "procedural"]
SOURCES: tuple[str, ...] = get_args(Source)  # in falling authority (EVT-021)

Ref = Annotated[str, msgspec.Meta(max_length=200)]
Text = Annotated[str, msgspec.Meta(min_length=1)]
OptionalId = Annotated[str, msgspec.Meta(pattern=r"^([a-z2-7]{32})?$")]


class _Common(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kind"):
    """The fields of every event. Times may be given to a constructor as aware datetimes."""

    v: ShortText = msgspec.field(default_factory=lambda: PROTOCOL)
    id: OptionalId = ""
    at: Time
    source: Source
    session: ShortText | None = None
    agent: ShortText | None = None
    project: ShortText | None = None
    cwd: str | None = None
    ref: Ref | None = None

    _words: ClassVar[tuple[str, ...]] = ()
    _span: ClassVar[tuple[str, ...]] = ()  # two more times, the second not before the first

    def __post_init__(self) -> None:
        for name in ("at", *self._span):
            self._settle_time(name)
        start, end = (getattr(self, name) for name in self._span or ("at", "at"))
        if start is not None and end is not None and end < start:
            raise InvalidEventError("ends before it starts", at=f"/{self._span[1]}")
        computed = event_id(self)
        if self.id not in ("", computed):
            raise InvalidEventError(f"id is not that of the content, {computed}", at="/id")
        msgspec.structs.force_setattr(self, "id", computed)

    def _settle_time(self, name: str) -> None:
        """Respell a datetime as the wire does; refuse a text that is no point in time (OVR-021)."""
        value: Any = getattr(self, name)
        try:
            if isinstance(value, datetime.datetime):
                msgspec.structs.force_setattr(self, name, format_time(value))
            elif value is not None or name == "at":
                parse_time(value)
        except (TypeError, ValueError) as error:
            raise InvalidEventError(str(error), at=f"/{name}") from None

    @property
    def kind(self) -> str:
        """The wire's tag: "correction", "error", …"""
        return str(self.__struct_config__.tag)


class Correction(_Common, frozen=True, kw_only=True, omit_defaults=True, tag="correction"):
    """The person corrected, refused or stopped the agent.

    `said` are the person's own words ("" when a refusal had none), `agent_did` what they
    answered, `ended` how the agent's reply had handed back, `cause` the channel they came by.
    `evidence` says what decided that they correct, `confidence` how likely that is in percent;
    a `candidate` is too unlikely to learn from (EVT-044, EVT-045).
    """

    said: str
    cause: Cause
    agent_did: str | None = None
    ended: Act | None = None
    evidence: Evidence | None = None
    confidence: Annotated[int, msgspec.Meta(ge=0, le=100)] | None = None
    candidate: bool = False

    # Not what the agent did: that is a reader's summary, and a better one must not change the id.
    _words: ClassVar[tuple[str, ...]] = ("said",)


class Failure(_Common, frozen=True, kw_only=True, omit_defaults=True, tag="error"):
    """A tool call failed through the agent's own mistake. `call` is what the tool was given,
    `fixed` what it was given when the same was tried another way and worked (EVT-046).
    """

    tool: NonEmpty
    failure: Text
    description: str | None = None
    call: str | None = None
    fixed: str | None = None

    # Not what fixed it: that comes later than the failure, which is the same event without it.
    _words: ClassVar[tuple[str, ...]] = ("tool", "description", "call", "failure")


class Environment(_Common, frozen=True, kw_only=True, omit_defaults=True, tag="environment"):
    """A tool call failed because of the machine, the outside, or because it was a mere probe."""

    tool: NonEmpty
    failure: Text
    description: str | None = None
    call: str | None = None

    _words: ClassVar[tuple[str, ...]] = ("tool", "description", "call", "failure")


class Surprise(_Common, frozen=True, kw_only=True, omit_defaults=True, tag="surprise"):
    """The agent itself said that something was not as it had believed."""

    statement: Text
    said_by: Literal["agent"] = "agent"

    _words: ClassVar[tuple[str, ...]] = ("statement",)


class Note(_Common, frozen=True, kw_only=True, omit_defaults=True, tag="note"):
    """Something to remember, told on purpose. `trigger` words bring a procedural note to mind."""

    text: Text
    layer: Layer = "semantic"
    trigger: str | None = None
    valid_from: Time | None = None
    valid_until: Time | None = None
    supersedes: Id | None = None

    _words: ClassVar[tuple[str, ...]] = ("text",)
    _span: ClassVar[tuple[str, ...]] = ("valid_from", "valid_until")


class SessionSummary(_Common, frozen=True, kw_only=True, omit_defaults=True, tag="session"):
    """That a session took place, and in a few words what it was about.

    `turns` counts the turns of both sides. Its id stays the same while the session grows.
    """

    gist: str
    turns: Annotated[int, msgspec.Meta(ge=0)]
    started: Time
    ended: Time

    _span: ClassVar[tuple[str, ...]] = ("started", "ended")


class Handback(_Common, frozen=True, kw_only=True, omit_defaults=True, tag="handback"):
    """The agent ended a reply by handing back to the person, and how the person answered.

    `offer`: it could simply have done it; `waiting`: it waits for a go; `question`: it asks what
    only the person has. `action` are the agent's words that handed back, `said` the answer's.
    """

    act: Act
    answer: Answer
    action: str | None = None
    said: str | None = None

    _words: ClassVar[tuple[str, ...]] = ("act", "action")


Event = Correction | Failure | Environment | Surprise | Note | SessionSummary | Handback
EVENT_TYPES: tuple[type[Event], ...] = get_args(Event)
EVENT_KINDS: tuple[str, ...] = tuple(str(t.__struct_config__.tag) for t in EVENT_TYPES)
EVENT_ID_DOMAIN = "remem/1/event"


class UnknownEvent(msgspec.Struct, frozen=True):
    """An event of a kind that this version does not know: kept as the bytes it came in."""

    kind: str
    raw: bytes


def event_words(event: _Common) -> list[str | None]:
    """Return the words that tell an event from others of its kind, in the order of EVT-010."""
    return [getattr(event, name) for name in event._words]


def event_id(event: _Common) -> str:
    """Return the id of an event: kind, project, session, at, then its words (EVT-010)."""
    fields = [event.kind, event.project, event.session, event.at, *event_words(event)]
    return content_id(EVENT_ID_DOMAIN, fields)


def replace_event(event: Event, **changes: Any) -> Event:
    """Return a copy with other content, its id computed anew."""
    return msgspec.structs.replace(event, id="", **changes)
