"""Lessons as records with the events they rest on, for what is shown of them to agents."""

from dataclasses import dataclass
from typing import Any

from conformance.generate.shapes import Value, event, event_id, line
from conformance.generate.store.shapes import NOW, ORCHARD, content_id

MARCH_4, MARCH_5, MARCH_6 = (f"2026-03-0{day}T09:00:00.000000Z" for day in (4, 5, 6))
EARLIER = "2026-03-01T09:00:00.000000Z"


@dataclass(frozen=True)
class Learned:
    """A lesson's record, and its sources."""

    record: Value
    sources: tuple[Value, ...]

    @property
    def id(self) -> str:
        return str(self.record["id"])

    @property
    def last(self) -> str:
        """The day of its latest source."""
        return max(str(source["at"]) for source in self.sources)[:10]


def said(words: str, did: str = "I install it with pip.", at: str = MARCH_4, **more: Any) -> Value:
    """Return a correction of ORCHARD's."""
    about = {"project": ORCHARD, "session": "s-1", "cause": "message", "agent_did": did}
    return event("correction", said=words, at=at, **{**about, **more})


def failed(command: str, failure: str, at: str = MARCH_4, **more: Any) -> Value:
    """Return a failed call of ORCHARD's."""
    told = {"tool": "Bash", "call": command, "failure": failure, "session": "s-1"}
    return event("error", at=at, **{"source": "tool", "project": ORCHARD, **told, **more})


def learned(*sources: Value, text: str | None = None, **fields: Any) -> Learned:
    """Return a lesson on these sources; without `text` it quotes the first."""
    kind, project = sources[0]["kind"], sources[0].get("project")
    first = min(sources, key=lambda source: (source["at"], event_id(source)))
    words = text if text is not None else _quoted(sources[0])
    spelled = " ".join(words.casefold().split())
    made = {
        "type": "lesson",
        "v": "1.0",
        "id": content_id("remem/1/lesson", kind, project, event_id(first)),
        "text": words,
        "kind": kind,
        "project": project,
        "strength": 1.0,
        "seen": len(sources),
        "sources": sorted(event_id(source) for source in sources),
        "created": NOW,
        "updated": NOW,
        "hash": content_id("remem/1/lesson-words", kind, spelled),
        **fields,
    }
    record = {name: value for name, value in made.items() if value is not None}
    return Learned(record, sources)


def everywhere(
    words: str, *more: str, did: str = "I install it with pip.", at: str = MARCH_4, **fields: Any
) -> Learned:
    """Return a lesson that belongs to no project, on a correction for each day given."""
    told = [said(words, did, day, session=f"s-{day[:10]}") for day in (at, *more)]
    for source in told:
        del source["project"]
    return learned(*told, **fields)


def vetoed(one: Learned) -> Value:
    """Return the record of a veto of a lesson."""
    told = {name: one.record[name] for name in ("hash", "text", "kind", "sources")}
    return {"type": "veto", "v": "1.0", "at": NOW, "lesson": one.id, **told}


def holding(*lessons: Learned | Value) -> Value:
    """Return what of an input says which lessons, and vetoes, a memory holds."""
    records = [one.record if isinstance(one, Learned) else one for one in lessons]
    events = {
        line(source): source
        for one in lessons
        if isinstance(one, Learned)
        for source in one.sources
    }
    return {"now": NOW, "records": records, "events": list(events.values())}


def _quoted(source: Value) -> str:
    if source["kind"] == "correction":
        return f"The person said: “{source['said']}”"
    return f"{source['tool']} failed: “{source['failure']}”"
