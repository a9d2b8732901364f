"""Lessons that mean the same become one: whose id stays, whose names, what it rests on."""

from typing import Any

from conformance.generate.shapes import Cases
from conformance.generate.sleep.shapes import (
    MARCH_5,
    MARCH_6,
    MARCH_7,
    NIGHT,
    PIP,
    UV,
    alias,
    herons,
    just,
    ledger,
    lesson,
    lessons,
    like,
    night,
    prediction,
    predictions,
    said,
    sleep,
)
from conformance.generate.store.shapes import (
    NOW,
    content_id,
    episode,
    expecting,
    export,
    exported,
    import_,
)

FIRST = (said(), said(at=MARCH_6, of="s-2"))
SECOND = (said(at=MARCH_5, of="s-3"), said(at=MARCH_7, of="s-4"))
EARLIER = "2026-03-09T09:00:00.000000Z"
ALL = (*FIRST, *SECOND)


def two(
    first: dict[str, Any] | None = None, second: dict[str, Any] | None = None, *more: Any
) -> Any:
    """Return a step that brings two lessons which mean the same."""
    kept = lesson(*FIRST, **(first or {})), lesson(*SECOND, **(second or {}))
    return import_(exported(*map(episode, sorted(ALL, key=lambda s: s["at"])), *kept, *more))


def cases() -> Cases:
    """Yield the family's cases."""
    ids = [lesson(*sources)["id"] for sources in (FIRST, SECOND)]
    least = min(ids)
    for name, why, first, second, stays in (
        ("strongest", "The strongest keeps its id.", {}, {"strength": 2.0}, ids[1]),
        ("strongest-turned", "Wherever it stands.", {"strength": 2.0}, {}, ids[0]),
        ("strongest-before-oldest", "However old the other is.", {"created": EARLIER},
         {"strength": 1.75}, ids[1]),
        ("oldest", "Of equally strong ones the one that was made first.", {},
         {"created": EARLIER}, ids[1]),
        ("oldest-turned", "Wherever it stands.", {"created": EARLIER}, {}, ids[0]),
        ("least-id", "Of those made at one time the one with the least id.", {}, {}, least),
    ):  # fmt: skip
        gone = next(id_ for id_ in ids if id_ != stays)
        yield night(
            f"merging/{name}",
            why,
            "MEM-035 MEM-096",
            two(first, second),
            expecting(sleep(), match={"changes": {"MERGE": 1}}),
            just(lessons(), like(*ALL, id=stays, strength=2.5), says=[UV, PIP]),
            expecting(export(NIGHT), has=[{"type": "alias", "old": gone, "new": stays}]),
        )
    yield from _hanging(ids)
    birds = (herons(), herons(MARCH_7, "s-4"))
    yield night(
        "merging/unlike-lessons-stay-two",
        "What shares nothing is not merged.",
        "MEM-094",
        import_(
            exported(
                *map(episode, (*FIRST, *birds)),
                lesson(*FIRST),
                lesson(*birds, text="The person said: “Herons.”"),
            )
        ),
        sleep(),
        just(lessons(), like(*FIRST), like(*birds)),
    )
    aside = {"archived": NOW}
    yield night(
        "merging/not-with-what-is-put-aside",
        "A lesson that was put aside is not merged with what holds.",
        "MEM-012 MEM-096",
        two({}, aside),
        expecting(sleep(), match={"changes": {"MERGE": None}}),
        just(lessons(), like(*FIRST)),
        level="should",
    )


def _hanging(ids: list[str]) -> Cases:
    older = content_id("test", "older")
    yield night(
        "merging/old-names-of-both",
        "Old names of what is merged stay names of what comes of it.",
        "MEM-035",
        two({"strength": 2.0}, {}, alias(older, ids[1])),
        sleep(),
        expecting(
            export(NIGHT),
            has=[{"type": "alias", "old": old, "new": ids[0]} for old in (ids[1], older)],
        ),
    )
    made = prediction(ids[1], made=NOW, due="2026-03-24T09:00:00.000000Z")
    yield night(
        "merging/open-prediction-under-an-old-name",
        "What a merged lesson had predicted is the new one's, which makes no second.",
        "MEM-035 MEM-043",
        two({"strength": 2.0}, {}, made),
        sleep(),
        just(predictions(lesson=ids[0], unresolved=True), {"id": made["id"], "lesson": ids[1]}),
        just(predictions(unresolved=True), {"id": made["id"]}),
    )
    yield from _told(ids)


def _told(ids: list[str]) -> Cases:
    yield night(
        "merging/in-the-ledger",
        "The entry tells both as they were, and what became of them.",
        "MEM-056",
        two({"strength": 2.0}),
        sleep(),
        expecting(
            ledger(id=ids[1]),
            has=[
                {
                    "verb": "MERGE",
                    "before": [{"type": "lesson", "id": id_, "seen": 2} for id_ in sorted(ids)],
                    "after": [
                        {"type": "alias", "old": ids[1], "new": ids[0]},
                        {"type": "lesson", "id": ids[0], "seen": 4},
                    ],
                }
            ],
        ),
    )
    yield night(
        "merging/owner-words-stay",
        "What the owner worded keeps its words.",
        "MEM-032 MEM-058",
        two({"strength": 2.0, "wording": "owner", "text": "We are a uv house."}),
        sleep(),
        just(lessons(), like(*ALL, id=ids[0], wording="owner", text="We are a uv house.")),
    )
