"""What a judgement is about: a moment in a session, and a lesson with what it rests on."""

from typing import Annotated, Literal

import msgspec

MomentKind = Literal["prompt", "tool", "handback"]


class Prompt(msgspec.Struct, frozen=True):
    """A person has asked for something."""

    prompt: str


class ToolCall(msgspec.Struct, frozen=True):
    """An agent is about to use a tool."""

    tool: str
    description: str = ""
    command: str = ""


class Handback(msgspec.Struct, frozen=True):
    """An agent is about to end its reply."""

    prompt: str
    reply: str


Moment = Prompt | ToolCall | Handback


class Corrected(msgspec.Struct, frozen=True):
    """What a person said of what the agent had done or said."""

    said: str
    agent_did: str = ""


class Failed(msgspec.Struct, frozen=True):
    """A call that failed, and the one that worked later, where that is known."""

    tool: str
    failure: str
    description: str = ""
    command: str = ""
    fixed: str = ""


class Stated(msgspec.Struct, frozen=True):
    """What an agent itself found it had wrong."""

    statement: str


Source = Corrected | Failed | Stated
LessonKind = Literal["correction", "error", "surprise"]


class LessonView(msgspec.Struct, frozen=True):
    """A lesson as prime sees it. The sources are all of the lesson's kind."""

    id: str
    kind: LessonKind
    sources: Annotated[tuple[Source, ...], msgspec.Meta(min_length=1)]


SHAPES: dict[str, type[Prompt] | type[ToolCall] | type[Handback]] = {
    "prompt": Prompt,
    "tool": ToolCall,
    "handback": Handback,
}
SOURCES: dict[str, type[Corrected] | type[Failed] | type[Stated]] = {
    "correction": Corrected,
    "error": Failed,
    "surprise": Stated,
}


def kind_of(moment: Moment) -> MomentKind:
    """Return a moment's kind, as its records name it."""
    match moment:
        case Prompt():
            return "prompt"
        case ToolCall():
            return "tool"
        case Handback():
            return "handback"
