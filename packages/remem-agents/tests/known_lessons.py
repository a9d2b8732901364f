"""Lessons with what they rest on, made up for tests."""

import hashlib
from base64 import b32encode

from remem_agents.ports import Known
from remem_protocol import Correction, Event, Failure
from remem_protocol.memory import Lesson

AT = "2026-11-02T09:00:00.000000Z"
ORCHARD = "path:/home/ana/orchard"


def id_for(name: str) -> str:
    """Return an id that is shaped as ids are."""
    return b32encode(hashlib.sha256(name.encode()).digest()[:20]).decode().lower()


def lesson(
    name: str, *sources: Event, project: str | None = ORCHARD, strength: float = 1.0, **more: object
) -> Known:
    """Return a lesson on these sources; its text names it where none is given."""
    made = Lesson(
        id=id_for(name),
        text=str(more.pop("text", f"The person said: “{name}”")),
        kind=more.pop("kind", "correction"),
        project=project,
        strength=strength,
        seen=max(1, len(sources)),
        sources=tuple(event.id for event in sources),
        created=AT,
        updated=AT,
        hash=id_for(f"words of {name}"),
        **more,
    )
    return Known(made, sources)


def corrected(said: str, did: str, *, at: str = AT, cwd: str | None = None) -> Correction:
    """Return a correction by the owner."""
    return Correction(
        said=said, agent_did=did, cause="message", at=at, source="owner", project=ORCHARD, cwd=cwd
    )


def failed(command: str, failure: str, description: str) -> Failure:
    """Return a failed command."""
    return Failure(
        tool="Bash",
        call=command,
        failure=failure,
        description=description,
        at=AT,
        source="tool",
        project=ORCHARD,
    )
