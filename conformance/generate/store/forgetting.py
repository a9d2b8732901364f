"""Forgetting: gone from every answer and every copy, and kept out on every way in."""

from typing import Any

from conformance.generate.shapes import Cases, Value, event, event_id
from conformance.generate.store.folding import correction
from conformance.generate.store.shapes import (
    HARBOUR,
    LATER,
    NOW,
    ORCHARD,
    append,
    content_id,
    episode,
    expecting,
    export,
    exported,
    forget,
    import_,
    named,
    not_found,
    recall,
    reset,
    show,
    status,
    story,
    told,
)

MARCH_6 = "2026-03-06T09:00:00.000000Z"
GONE = told("The heron vault is at Alderbrook.", project=ORCHARD, session="s-1")
ALSO = told("The heron key is in Alderbrook too.", project=ORCHARD, session="s-1", at=MARCH_6)
OTHER = told("The heron vault has a warden.", project=HARBOUR, session="s-2")
FREE = told("Heron vaults are counted in May.")
EVERYTHING = append(GONE, ALSO, OTHER, FREE)
NEVER = ["Alderbrook"]


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _one()
    yield from _copies()
    yield from _many()
    yield from _tombstones()
    yield from _what_hangs_on_it()
    yield from _replaced()
    yield from _ledger()


def _one() -> Cases:
    yield story(
        "forgetting/one",
        "What was forgotten is in no answer any more; the rest is.",
        "MEM-080",
        EVERYTHING,
        expecting(forget(GONE), match={"episodes": 1}),
        not_found(show(GONE)),
        expecting(recall("heron vault"), has=named(OTHER, FREE, ALSO), lacks=named(GONE)),
        expecting(status(), match={"episodes": 3}),
    )
    yield story(
        "forgetting/no-byte-in-an-export",
        "An export has no word of it, and no entry of the ledger either.",
        "MEM-080 MEM-085",
        append(GONE, FREE),
        forget(GONE),
        expecting(export(), has=[{"type": "ledger", "verb": "FORGET"}], silent=NEVER),
    )
    yield story(
        "forgetting/appended-again",
        "It does not come back when its file is read again.",
        "MEM-083",
        EVERYTHING,
        forget(GONE),
        expecting(append(GONE, ALSO, now=LATER), match={"new": 0, "forgotten": 1, "known": 1}),
        not_found(show(GONE)),
        expecting(recall("Alderbrook vault"), has=named(ALSO), lacks=named(GONE)),
    )
    yield story(
        "forgetting/imported-again",
        "It does not come back with a copy that was made before.",
        "MEM-075 MEM-083",
        append(GONE, FREE),
        export(),
        forget(GONE),
        expecting(import_(2, now=LATER), match={"kept_out": 1}),
        expecting(export(LATER), silent=NEVER),
    )
    yield story(
        "forgetting/nothing-of-that-id",
        "What is not there can not be forgotten.",
        "MEM-080",
        append(FREE),
        not_found(forget(GONE)),
    )


def _copies() -> Cases:
    yield story(
        "forgetting/copy-in-a-fork",
        "A copy in another session is the same thing and stays out as well.",
        "MEM-081 MEM-083",
        append(correction(session="s-1")),
        forget(correction(session="s-1")),
        expecting(append(correction(session="s-2")), match={"new": 0, "forgotten": 1}),
    )
    yield story(
        "forgetting/said-again-later",
        "The same words at another time are another thing and are taken.",
        "MEM-083",
        append(GONE),
        forget(GONE),
        expecting(append({**GONE, "at": LATER}, now=LATER), match={"new": 1, "forgotten": 0}),
    )


def _many() -> Cases:
    for name, why, what, kept, gone in (
        ("session", "A session with all that was in it.", {"session": "s-1"}, [OTHER, FREE],
         [GONE, ALSO]),
        ("project", "A project, and not what belongs to none.", {"project": ORCHARD},
         [OTHER, FREE], [GONE, ALSO]),
        ("since", "All from a moment on.", {"since": MARCH_6}, [GONE, OTHER, FREE], [ALSO]),
    ):  # fmt: skip
        yield story(
            f"forgetting/{name}",
            why,
            "MEM-080 MEM-083",
            EVERYTHING,
            expecting(forget(**what), match={"episodes": len(gone)}),
            expecting(recall("heron vault key"), has=named(*kept), lacks=named(*gone)),
            expecting(
                append(*gone, *kept, now=LATER),
                match={"new": 0, "forgotten": len(gone), "known": len(kept)},
            ),
        )
    unseen = {**GONE, "text": "The heron vault moved.", "at": "2026-03-05T09:00:00.000000Z"}
    for name, what in (("session", {"session": "s-1"}), ("project", {"project": ORCHARD})):
        yield story(
            f"forgetting/{name}-keeps-out-what-was-not-read-yet",
            "What of it had not been read stays out too.",
            "MEM-083",
            EVERYTHING,
            forget(**what),
            expecting(append(unseen, now=LATER), match={"new": 0, "forgotten": 1}),
        )
    yield story(
        "forgetting/since-ends-now",
        "What happens after it is remembered again.",
        "MEM-083",
        EVERYTHING,
        forget(since=MARCH_6),
        expecting(
            append(told("The heron came back.", at=LATER), now=LATER),
            match={"new": 1, "forgotten": 0},
        ),
    )
    yield story(
        "forgetting/other-session-of-a-similar-name",
        "A session is forgotten by its whole id.",
        "MEM-080",
        append(GONE, {**OTHER, "session": "s-11"}),
        forget(session="s-1"),
        expecting(
            recall("heron vault"), has=named({**OTHER, "session": "s-11"}), lacks=named(GONE)
        ),
    )


def _tombstones() -> Cases:
    twin = content_id("remem/1/twin", "note", ORCHARD, GONE["at"], GONE["text"])
    for name, step, keys in (
        ("episode", forget(GONE), [("episode", event_id(GONE)), ("episode", twin)]),
        ("session", forget(session="s-1"), [
            ("session", content_id("remem/1/forgotten", "session", "s-1")),
            ("episode", event_id(GONE)), ("episode", twin)]),
        ("project", forget(project=ORCHARD), [
            ("project", content_id("remem/1/forgotten", "project", ORCHARD)),
            ("episode", event_id(GONE)), ("episode", twin)]),
        ("time", forget(since=GONE["at"]), [
            ("time", content_id("remem/1/forgotten", "time", GONE["at"], NOW)),
            ("episode", event_id(GONE)), ("episode", twin)]),
    ):  # fmt: skip
        stones = [{"type": "tombstone", "scope": scope, "key": key} for scope, key in keys]
        yield story(
            f"forgetting/tombstones-of-{name}",
            "What stays are hashes: of each episode two, and one of what was named.",
            "MEM-081 MEM-082",
            append(GONE),
            step,
            expecting(export(), has=stones, lacks=[{"type": "episode"}], silent=NEVER),
        )
    yield story(
        "forgetting/in-another-home",
        "Tombstones go with an export, and hold where it is imported.",
        "MEM-072 MEM-083",
        append(GONE, FREE),
        forget(GONE),
        export(),
        reset(),
        import_(3),
        expecting(append(GONE, FREE), match={"new": 0, "forgotten": 1, "known": 1}),
    )


def lesson(*sources: Value, **fields: Any) -> Value:
    """Return a lesson that rests on events."""
    text = fields.get("text", "The owner was told where the vault is: Alderbrook.")
    made = {"created": NOW, "updated": NOW, "strength": 1.0, "seen": len(sources)}
    words = content_id("remem/1/lesson-words", "correction", " ".join(text.casefold().split()))
    ids = {"id": content_id("test", "lesson"), "hash": words}
    head = {"type": "lesson", "v": "1.0", "text": text, "kind": "correction"}
    return {**head, **ids, **made, "sources": [event_id(s) for s in sources], **fields}


def _what_hangs_on_it() -> Cases:
    of = lesson(GONE)
    hanging = [
        {"type": "prediction", "v": "1.0", "id": content_id("test", "prediction"),
         "lesson": of["id"], "text": "Alderbrook again.", "made": NOW, "due": LATER},
        {"type": "alias", "v": "1.0", "old": content_id("test", "old"), "new": of["id"], "at": NOW},
    ]  # fmt: skip
    yield story(
        "forgetting/lesson-that-rests-on-it",
        "A lesson goes with what it rests on, and so does what hangs on the lesson.",
        "MEM-084",
        import_(exported(episode(FREE), episode(GONE), of, *hanging)),
        expecting(export(), has=[{"type": "lesson"}, {"type": "prediction"}, {"type": "alias"}]),
        forget(GONE),
        expecting(
            export(),
            lacks=[{"type": "lesson"}, {"type": "prediction"}, {"type": "alias"}],
            has=[{"type": "episode", "id": event_id(FREE)}],
            silent=NEVER,
        ),
    )


def _replaced() -> Cases:
    old = told("The heron gate opens at seven.")
    new = told("The heron gate opens at nine.", at=MARCH_6, supersedes=event_id(old))
    yield story(
        "forgetting/what-it-had-replaced",
        "What a forgotten note had replaced is valid again.",
        "MEM-086",
        append(old, new),
        expecting(recall("heron gate"), has=named(new), lacks=named(old)),
        forget(new),
        expecting(recall("heron gate"), has=named(old), lacks=named(new)),
    )
    until = told("The heron gate opens at six.", valid_until=NOW)
    newer = told("The heron gate opens at ten.", at=MARCH_6, supersedes=event_id(until))
    yield story(
        "forgetting/what-it-had-replaced-ends-as-it-would-have",
        "What is valid again is so only as long as it says itself.",
        "MEM-086",
        append(until, newer),
        forget(newer),
        expecting(recall("heron gate", at="2026-03-09T09:00:00.000000Z"), has=named(until)),
        expecting(recall("heron gate", now=LATER), lacks=named(until)),
    )


def _ledger() -> Cases:
    unsaid = event("correction", said="Not there.", cause="message", session="s-1")
    yield story(
        "forgetting/ledger-keeps-counting",
        "Forgetting appends to the ledger; no number is missing.",
        "MEM-052 MEM-085",
        append(GONE),
        append(unsaid),
        forget(GONE),
        append(FREE, now=LATER),
        expecting(export(LATER), has=[{"type": "ledger", "seq": n} for n in (1, 2)], silent=NEVER),
    )
