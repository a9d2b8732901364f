"""The neutral transcript (SES): what was said and done in one session, whatever the agent.

A Session holds only words that a person really said as `person`; everything a harness writes in
the person's name is left out by the reader. One agent turn is one reply with all its calls.
"""

from typing import Annotated, Literal, get_args

import msgspec

from remem_protocol.times import Time
from remem_protocol.versions import PROTOCOL

Via = Literal["prompt", "steering", "refusal", "comment", "command"]
CallStatus = Literal["ok", "failed", "refused", "interrupted", "collateral", "missing", "unknown"]
CALL_STATUSES: tuple[str, ...] = get_args(CallStatus)
ShortText = Annotated[str, msgspec.Meta(max_length=1024)]
NonEmpty = Annotated[str, msgspec.Meta(min_length=1, max_length=1024)]


class CallResult(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came back: the host's own verdict where it gave one, and the text."""

    status: CallStatus
    text: str = ""


class Call(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One tool call of an agent, with its result.

    `input` is the command line of a shell, else the arguments as JSON text; `tool` is empty
    where the host kept no name.
    """

    id: ShortText
    tool: ShortText
    result: CallResult
    description: str = ""
    input: str = ""


class PersonTurn(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="person", tag_field="role"
):
    """Words that a person typed or spoke.

    `via`: a prompt; steering, typed while the agent worked; the words of a refusal; a comment
    typed while approving; the arguments of a command. A refusal without words is an empty text.
    """

    at: Time
    text: str
    via: Via = "prompt"


class AgentTurn(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="agent", tag_field="role"
):
    """One reply of the agent with all its calls, however many rows it was streamed in."""

    at: Time
    text: str
    calls: tuple[Call, ...] = ()


Turn = PersonTurn | AgentTurn


class SessionHead(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a session before its turns are read.

    `project` is the project's identity, not its path; a reader leaves it None and gives `cwd`.
    `parent` is the session that started this one (a subagent's).
    """

    id: NonEmpty
    agent: NonEmpty
    started: Time
    project: str | None = None
    cwd: str | None = None
    parent: str | None = None


class Session(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    tag="session",
    tag_field="type",
):
    """A whole session; `turns` in the order in which they happened."""

    # A custom factory is never taken for a default, so the version is always written (OVR-001).
    v: ShortText = msgspec.field(default_factory=lambda: PROTOCOL)
    id: NonEmpty
    agent: NonEmpty
    project: str | None = None
    cwd: str | None = None
    started: Time
    ended: Time
    parent: str | None = None
    turns: tuple[Turn, ...]

    @property
    def head(self) -> SessionHead:
        """The part that is known before the turns."""
        return SessionHead(
            id=self.id,
            agent=self.agent,
            started=self.started,
            project=self.project,
            cwd=self.cwd,
            parent=self.parent,
        )
