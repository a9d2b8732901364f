"""How a story of nights is told: what was said, what was learned of it, what may be changed.

Stories of what is learned say a thing twice in the same words, in two sessions, for what else
means the same or would hold another day is an implementation's own to judge.
"""

from typing import Any

from conformance.generate.shapes import Case, Value, event, event_id, person, session
from conformance.generate.store.shapes import NOW, ORCHARD, content_id, expecting

MARCH_4, MARCH_5, MARCH_6, MARCH_7 = (f"2026-03-0{day}T09:00:00.000000Z" for day in (4, 5, 6, 7))
NIGHT = "2026-03-11T03:00:00.000000Z"
DUE = "2026-03-25T03:00:00.000000Z"
SOON = "2026-03-14T09:00:00.000000Z"
NEXT = "2026-03-15T03:00:00.000000Z"
OVER = "2026-03-26T03:00:00.000000Z"
UV, PIP = "Use uv, not pip.", "I install it with pip."
HERONS, CRANES = "Herons are counted in May.", "I count the cranes in June."


def night(name: str, why: str, req: str, *steps: Value, level: str = "must") -> Case:
    """Return a case; `req` are ids with spaces between them."""
    *before, last = steps
    content: Value = {"description": why, "req": req.split(), "level": level, "role": "sleep"}
    content |= last
    if before:
        content["before"] = before
    return f"sleep/{name}", content


# -- what was said and done


def said(words: str = UV, at: str = MARCH_4, of: str = "s-1", **fields: Any) -> Value:
    """Return a correction, by default one of ORCHARD's about pip."""
    about = {"project": ORCHARD, "agent_did": PIP, "cause": "message", **fields}
    return event("correction", said=words, at=at, session=of, **about)


def herons(at: str = MARCH_4, of: str = "s-1", **fields: Any) -> Value:
    """Return a correction that shares nothing with those about pip."""
    return said(HERONS, at, of, agent_did=CRANES, **fields)


def failed(at: str = MARCH_4, of: str = "s-1", **fields: Any) -> Value:
    """Return an error, by default one of ORCHARD's."""
    told = {"tool": "Bash", "call": "make harvest", "failure": "No rule to make target 'harvest'."}
    about = {"source": "tool", "project": ORCHARD, **told, **fields}
    return event(about.pop("kind", "error"), at=at, session=of, **about)


def worked(at: str, project: str = ORCHARD, id_: str = "s-9") -> Value:
    """Return a session in which nothing surprised."""
    return session(person("List the files.", at=at), id=id_, project=project, started=at, ended=at)


# -- what was learned


def lesson_id(kind: str, project: str | None, *sources: Value) -> str:
    """Return the id of a lesson that is new on these sources (MEM-037)."""
    first = min(sources, key=lambda source: (source["at"], event_id(source)))
    return content_id("remem/1/lesson", kind, project, event_id(first))


def words_hash(kind: str, text: str) -> str:
    """Return the hash of words in one case and spacing, composed (MEM-038)."""
    return content_id("remem/1/lesson-words", kind, " ".join(text.casefold().split()))


def like(*sources: Value, project: str | None = ORCHARD, **fields: Any) -> Value:
    """Return what a lesson on these sources is like, by default one that is as new."""
    kind = sources[0]["kind"]
    ids = sorted(event_id(source) for source in sources)
    about = {"id": lesson_id(kind, project, *sources), "kind": kind, "project": project}
    grown = {"sources": ids, "seen": len(ids), "strength": min(3.0, 0.5 + 0.5 * len(ids))}
    return {**about, **grown, "archived": None, "superseded_by": None, **fields}


def lesson(*sources: Value, text: str = f"The person said: “{UV}”", **fields: Any) -> Value:
    """Return the record of a lesson."""
    about = {k: v for k, v in like(*sources).items() if v is not None}
    about |= {"created": NOW, "updated": NOW, "text": text, **fields}
    hash_ = words_hash(about["kind"], text)
    made = {"type": "lesson", "v": "1.0", "hash": hash_, **about}
    return {name: value for name, value in made.items() if value is not None}


def grown(old: Value, *more: Value, **fields: Any) -> Value:
    """Return a lesson that rests on more."""
    ids = [*old["sources"], *(event_id(source) for source in more)]
    return {**old, "sources": ids, "seen": len(ids), **fields}


def prediction(of: Value | str, made: str = NIGHT, due: str = DUE, **fields: Any) -> Value:
    """Return the record of a prediction of a lesson."""
    id_ = of if isinstance(of, str) else of["id"]
    head = {"type": "prediction", "v": "1.0", "id": content_id("remem/1/prediction", id_, made)}
    return {**head, "lesson": id_, "text": "It is said again.", "made": made, "due": due, **fields}


def alias(old: Value | str, new: Value | str, at: str = NOW) -> Value:
    """Return the record of an old name."""
    ids = [id_ if isinstance(id_, str) else id_["id"] for id_ in (old, new)]
    return {"type": "alias", "v": "1.0", "old": ids[0], "new": ids[1], "at": at}


# -- steps


def sleep(now: str = NIGHT) -> Value:
    return {"op": "sleep", "input": {"now": now}}


def lessons(now: str = NIGHT, **narrowed: Any) -> Value:
    return {"op": "lessons", "input": {"now": now, **narrowed}}


def predictions(now: str = NIGHT, **narrowed: Any) -> Value:
    return {"op": "predictions", "input": {"now": now, **narrowed}}


def ledger(now: str = NIGHT, **narrowed: Any) -> Value:
    return {"op": "ledger", "input": {"now": now, **narrowed}}


def undo(step: int, verb: str, subject: str | None = None, now: str = NEXT) -> Value:
    """Take back the last change of a verb in the ledger that a step was answered with."""
    return {"op": "undo", "input": {"now": now, "seq_of": entry(step, verb, subject)}}


def veto(of: Value, now: str = NEXT) -> Value:
    return {"op": "veto", "input": {"now": now, "id": of["id"]}}


def unveto(of: Value, now: str = OVER) -> Value:
    return {"op": "unveto", "input": {"now": now, "id": of["id"]}}


def change(verb: str, of: Value | str, before: Any = (), after: Any = (), **more: Any) -> Value:
    """Offer a change to the write path."""
    told: Value = {"verb": verb, "subject": of if isinstance(of, str) else of["id"]}
    told |= {"before": list(before)} if before else {}
    told |= {"after": list(after)} if after else {}
    now = more.pop("now", NEXT)
    return {"op": "change", "input": {"now": now, "change": {**told, "why": "", **more}}}


def entry(step: int, verb: str, subject: str | None = None) -> Value:
    """Name an entry of a ledger that a step was answered with."""
    return {"step": step, "verb": verb, **({"subject": subject} if subject else {})}


def just(step: Value, *records: Value, **expect: Any) -> Value:
    """Return a step that is answered with records like these and no others."""
    return expecting(step, match=sorted(records, key=lambda record: record["id"]), **expect)


def refused(step: Value, code: str = "invalid-record", **more: Any) -> Value:
    return expecting(step, error={"code": code, **more})
