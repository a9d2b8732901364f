"""An episode as a lesson sees it: whose words, about what, when, and whether it may teach."""

import re
from dataclasses import dataclass

import msgspec

from remem_core.lessons.failing import is_an_outcome, telling_line, what_changed
from remem_core.telling import target
from remem_protocol import Event, encode

# A name that only one project knows: a path, a file, an identifier with an inner capital or a bar.
_NAME = re.compile(
    r"(?:[\w.-]+/)+[\w.-]+|\b[\w-]+\.(?:[a-z]{1,4}\d?|lock|toml|yaml|json)\b"
    r"|\b[a-z]+[A-Z]\w+|\b[A-Z][a-z]+[A-Z]\w*|\b\w+_\w+\b"
)


@dataclass(frozen=True)
class Source:
    """What a lesson may rest on.

    `said` are the words themselves: the person's, the failure's, the agent's admission. `did` is
    what they answered or were about: what the agent had done, or the call that failed. `fixed` is
    the later call that did work, or what it was given otherwise, where the session showed one.
    """

    id: str
    kind: str
    at: str
    project: str | None
    session: str | None
    said: str
    did: str
    tool: str = ""
    fixed: str = ""

    @property
    def item(self) -> tuple[str, str]:
        """What linking compares: (the words, what they answered); of an output its telling line."""
        return (telling_line(self.said) if self.kind == "error" else self.said), self.did

    @property
    def order(self) -> tuple[str, str]:
        """By time, then by id: the one order that does not depend on how it came in."""
        return self.at, self.id


def source_of(event: Event) -> Source | None:
    """Return an event as a source; None for what never becomes a lesson, as `read_source`."""
    return read_source(encode(event))


def read_source(line: bytes | str) -> Source | None:
    """Return the source in a stored event's line; None for what never becomes a lesson.

    That is the machine's state (MEM-033), what only an outsider states (MEM-034), a candidate
    (EVT-045), a refusal without a word, a run that merely reports findings, sessions and
    hand-backs; a note is kept as it is and needs no lesson. The line was checked when it was
    stored and is not checked again.
    """
    told = _READ(line)
    if told.source == "external" or told.candidate:
        return None
    match told.kind:
        case "correction" if told.said.strip():
            return _source(told, told.said, told.agent_did or "")
        case "error" if not is_an_outcome(told.failure):
            about = (told.description, target(told.call))
            return _source(told, told.failure, " · ".join(part for part in about if part))
        case "surprise":
            return _source(told, told.statement, "")
        case _:
            return None


class _Told(msgspec.Struct):
    """The fields of events that a source is made of."""

    kind: str
    id: str
    at: str
    source: str
    session: str | None = None
    project: str | None = None
    said: str = ""
    agent_did: str | None = None
    candidate: bool = False
    tool: str = ""
    failure: str = ""
    description: str | None = None
    call: str | None = None
    fixed: str | None = None
    statement: str = ""


_READ = msgspec.json.Decoder(_Told).decode


def names_things(source: Source) -> bool:
    """Tell whether what was said names a file, a path or an identifier: a project's own things."""
    return _NAME.search(source.item[0]) is not None


def _source(told: _Told, said: str, did: str) -> Source:
    return Source(
        id=told.id,
        kind=told.kind,
        at=told.at,
        project=told.project,
        session=told.session,
        said=said,
        did=did,
        tool=told.tool,
        fixed=what_changed(told.call or "", told.fixed or ""),
    )
