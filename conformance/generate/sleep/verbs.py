"""The write path: what each verb may do to a memory with lessons, and what vetoes forbid it."""

from typing import Any

from conformance.generate.shapes import Cases, Value, event_id
from conformance.generate.sleep.shapes import (
    DUE,
    MARCH_5,
    MARCH_6,
    MARCH_7,
    NEXT,
    NIGHT,
    alias,
    change,
    failed,
    grown,
    herons,
    just,
    ledger,
    lesson,
    lessons,
    night,
    prediction,
    predictions,
    refused,
    said,
    words_hash,
)
from conformance.generate.store.shapes import (
    HARBOUR,
    NOW,
    content_id,
    episode,
    expecting,
    exported,
    import_,
    show,
)

ONE, TWO, THREE = said(), said(at=MARCH_6, of="s-2"), said(at=MARCH_7, of="s-3")
BIRD, BIRDS, FLOCK = herons(), herons(MARCH_6, "s-2"), herons(MARCH_7, "s-3")
AWAY = said(at=MARCH_5, of="s-4", project=HARBOUR)
WRONG, AGAIN = failed(), failed(at=MARCH_6, of="s-2")
ONCE = failed("2026-03-03T09:00:00.000000Z", "s-0")
DOUBT = {**said("Use uv here too.", MARCH_5, "s-5"), "candidate": True}
RULE = lesson(ONE, TWO)
OWNERS = lesson(BIRD, BIRDS, text="Birds are counted in spring.", wording="owner", strength=2.0)
FAILURE = lesson(WRONG, AGAIN, text="Bash failed: No rule to make target 'harvest'.")
OPEN = prediction(RULE)
EVENTS = (ONE, TWO, THREE, BIRD, BIRDS, FLOCK, AWAY, WRONG, AGAIN, ONCE, DOUBT)
STORED = import_(exported(*map(episode, EVENTS), RULE, OWNERS, FAILURE, OPEN), now=NIGHT)
MORE = {"updated": NEXT, "strength": 2.0}
GONE = content_id("test", "nothing")


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _done()
    yield from _vetoed()


def _done() -> Cases:
    both = {*RULE["sources"], *OWNERS["sources"]}
    merged = {**OWNERS, "sources": sorted(both), "seen": 4, "updated": NEXT}
    told = "The target was not there when the harvest was made."
    closed = {**RULE, "valid_until": NEXT, "superseded_by": OWNERS["id"], "updated": NEXT}
    resolved = {**OPEN, "resolved": NEXT, "outcome": "confirmed"}
    for name, why, offered, changed in (
        ("corroborate", "A lesson gains a source.",
         change("CORROBORATE", RULE, [RULE], [grown(RULE, THREE, **MORE)]),
         [grown(RULE, THREE, **MORE)]),
        ("merge", "Two lessons become one of them.",
         change("MERGE", OWNERS, [RULE, OWNERS], [merged, alias(RULE, OWNERS)]), [merged]),
        ("archive", "A lesson is put aside.",
         change("ARCHIVE", RULE, [RULE], [{**RULE, "archived": NEXT}]),
         [{**RULE, "archived": NEXT}]),
        ("correct", "A lesson is closed by another.",
         change("CORRECT", RULE, [RULE], [closed]), [closed]),
        ("reword", "An error is told by a model.",
         change("REWORD", FAILURE, [FAILURE], [reworded(FAILURE, told, wording="model")]),
         [reworded(FAILURE, told, wording="model")]),
        ("resolve", "A prediction came true, and its lesson is stronger for it.",
         change("RESOLVE", OPEN, [OPEN, RULE], [resolved, {**RULE, "strength": 1.75}]),
         [{**RULE, "strength": 1.75}]),
    ):  # fmt: skip
        verb = name.upper()
        yield night(
            f"verbs/{name}",
            f"{why} So {verb} may, and the ledger tells it.",
            "MEM-050 MEM-051 MEM-058",
            STORED,
            offered,
            expecting(ledger(NEXT), has=[{"verb": verb, "at": NEXT}]),
            expecting(
                lessons(NEXT, archived=True, closed=True),
                has=[{**record, "sources": sorted(record["sources"])} for record in changed],
            ),
        )
    yield from _done_otherwise()


def _done_otherwise() -> Cases:
    made = prediction(OWNERS, made=NEXT, due=DUE)
    yield night(
        "verbs/predict",
        "One open prediction comes. So PREDICT may.",
        "MEM-051 MEM-058",
        STORED,
        change("PREDICT", made, [], [made]),
        just(predictions(NEXT, lesson=OWNERS["id"]), made),
    )
    yield night(
        "verbs/archive-episodes",
        "Episodes are put aside. So ARCHIVE may.",
        "MEM-051 MEM-056 MEM-058",
        STORED,
        change("ARCHIVE", "", faded=[event_id(FLOCK)]),
        expecting(show(FLOCK), match={"archived": NEXT}),
        expecting(
            ledger(NEXT),
            has=[{"verb": "ARCHIVE", "before": None, "after": {"faded": [event_id(FLOCK)]}}],
        ),
    )


def reworded(of: Value, text: str, **fields: Any) -> Value:
    """Return a lesson in other words, its hash right."""
    return {**of, "text": text, "hash": words_hash(of["kind"], text), "updated": NEXT, **fields}


def _vetoed() -> Cases:
    told = "The target was not there."
    after = reworded(FAILURE, told, wording="model")
    head = {"type": "veto", "v": "1.0", "text": "", "at": NOW}
    for name, why, kept, offered in (
        ("by-hash", "Its words would be vetoed ones.", {**head, "hash": after["hash"]},
         change("REWORD", FAILURE, [FAILURE], [after])),
        ("by-a-source", "It would rest on what a vetoed lesson rested on.",
         {**head, "hash": GONE, "sources": [event_id(FLOCK)]},
         change("CORROBORATE", RULE, [RULE], [grown(RULE, FLOCK, **MORE)])),
    ):  # fmt: skip
        records = [*map(episode, EVENTS), RULE, FAILURE]
        for state, expected in (("", refused(offered, "vetoed")), ("-that-was-lifted", offered)):
            veto = {**kept, "lifted": NIGHT} if state else kept
            yield night(
                f"verbs/path-vetoed-{name}{state}",
                f"{why} It is refused while the veto holds.",
                "MEM-053 MEM-055 MEM-058" + (" MEM-054" if state else ""),
                import_(exported(veto, *records), now=NIGHT),
                expected,
                expecting(ledger(NEXT), **{("has" if state else "lacks"): [{"at": NEXT}]}),
            )
