"""What the owner never wants again: by its words, its sources, its meaning, until it is lifted."""

from conformance.generate.shapes import Cases, event_id
from conformance.generate.sleep.shapes import (
    MARCH_6,
    NEXT,
    NIGHT,
    OVER,
    PIP,
    SOON,
    UV,
    herons,
    just,
    ledger,
    lesson,
    lessons,
    like,
    night,
    prediction,
    predictions,
    refused,
    said,
    sleep,
    unveto,
    veto,
)
from conformance.generate.store.shapes import (
    HARBOUR,
    NOW,
    append,
    content_id,
    episode,
    expecting,
    export,
    exported,
    import_,
)

ONE, TWO = said(), said(at=MARCH_6, of="s-2")
RULE = lesson(ONE, TWO)
LEARNED = like(ONE, TWO)
MONTH = "2026-04-20T03:00:00.000000Z"
NOTHING = {"id": content_id("test", "nothing")}


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _vetoed()
    yield from _not_relearned()
    yield from _lifted()


def _vetoed() -> Cases:
    whole = [append(ONE, TWO), sleep(), veto(LEARNED)]
    told = {"lesson": LEARNED["id"], "kind": "correction", "at": NEXT, "lifted": None}
    yield night(
        "vetoes/lesson-goes",
        "A vetoed lesson is in no answer, nor what it predicted.",
        "MEM-053 MEM-055",
        *whole,
        just(lessons(NEXT, archived=True, closed=True)),
        just(predictions(NEXT)),
    )
    yield night(
        "vetoes/veto-in-an-export",
        "The veto keeps what it is known by; the lesson and its predictions are gone.",
        "MEM-055 MEM-072",
        *whole,
        expecting(
            export(NEXT),
            has=[{"type": "veto", **told}],
            lacks=[{"type": "lesson"}, {"type": "prediction"}],
        ),
    )
    yield from _named()


def _named() -> Cases:
    whole = [append(ONE, TWO), sleep(), veto(LEARNED)]
    told = {"lesson": LEARNED["id"], "kind": "correction", "at": NEXT, "lifted": None}
    yield night(
        "vetoes/in-the-ledger",
        "The entry tells what went and what came.",
        "MEM-056 MEM-058",
        *whole,
        expecting(
            ledger(NEXT),
            has=[{"verb": "VETO", "subject": LEARNED["id"], "after": [{"type": "veto", **told}],
                  "before": [{"type": "lesson", "id": LEARNED["id"]}, {"type": "prediction"}]}],
        ),
    )  # fmt: skip
    yield night(
        "vetoes/of-nothing",
        "What is not there can not be vetoed.",
        "MEM-053",
        append(ONE),
        refused(veto(NOTHING), "not-found"),
    )
    yield night(
        "vetoes/under-an-old-name",
        "A lesson is vetoed by any name of it.",
        "MEM-035 MEM-053",
        import_(exported(episode(ONE), episode(TWO), RULE,
                {"type": "alias", "v": "1.0", "old": NOTHING["id"], "new": RULE["id"], "at": NOW})),
        veto(NOTHING),
        just(lessons(NEXT)),
        expecting(export(NEXT), has=[{"type": "veto", "lesson": RULE["id"]}],
                  lacks=[{"type": "alias"}]),
    )  # fmt: skip


def _not_relearned() -> Cases:
    again = [said(at=SOON, of="s-7"), said(at="2026-03-14T15:00:00.000000Z", of="s-8")]
    birds = [herons(SOON, "s-7"), herons("2026-03-14T15:00:00.000000Z", "s-8")]
    for name, why, more in (
        ("next-night", "Sleep does not learn it again of the same episodes.", []),
        ("said-again", "Nor when it is said again, as often as it may be.", again),
        ("said-in-another-project", "Nor in another project.",
         [{**source, "project": HARBOUR} for source in again]),
        ("said-in-capitals", "Nor in another spelling.",
         [{**source, "said": UV.upper()} for source in again]),
    ):  # fmt: skip
        yield night(
            f"vetoes/not-relearned-{name}",
            why,
            "MEM-053 MEM-055",
            append(ONE, TWO),
            sleep(),
            veto(LEARNED),
            append(*more, now=OVER),
            sleep(OVER),
            just(lessons(OVER)),
        )
    yield night(
        "vetoes/other-wishes-are-learned",
        "A veto keeps out what it means and nothing else.",
        "MEM-053",
        append(ONE, TWO),
        sleep(),
        veto(LEARNED),
        append(*birds, now=OVER),
        sleep(OVER),
        just(lessons(OVER), like(*birds)),
    )
    yield night(
        "vetoes/not-imported",
        "It does not come back with a copy that was made before.",
        "MEM-053 MEM-075",
        append(ONE, TWO),
        sleep(),
        export(NIGHT),
        veto(LEARNED),
        import_(3, now=OVER),
        just(lessons(OVER)),
    )
    yield from _kept_out()


def _kept_out() -> Cases:
    yield night(
        "vetoes/holds-in-another-memory",
        "It goes with an export and holds where it is imported.",
        "MEM-053 MEM-055 MEM-072",
        append(ONE, TWO),
        sleep(),
        veto(LEARNED),
        export(NEXT),
        {"op": "reset", "input": {}},
        import_(4, now=NEXT),
        sleep(OVER),
        just(lessons(OVER)),
    )
    elsewhere = [source | {"project": HARBOUR} for source in (ONE, TWO)]
    twin = lesson(*elsewhere, id=like(*elsewhere, project=HARBOUR)["id"], project=HARBOUR)
    yield night(
        "vetoes/words-in-another-project",
        "Its words are vetoed wherever they stand.",
        "MEM-053 MEM-055",
        import_(exported(*map(episode, (ONE, TWO, *elsewhere)), RULE, twin)),
        veto(RULE),
        just(lessons(NEXT, archived=True, closed=True)),
    )
    yield night(
        "vetoes/after-its-source-was-forgotten",
        "What was forgotten is in no veto; it still holds.",
        "MEM-089",
        append(ONE, TWO),
        sleep(),
        veto(LEARNED),
        {"op": "forget", "input": {"now": NEXT, "id": event_id(ONE)}},
        {"op": "forget", "input": {"now": NEXT, "id": event_id(TWO)}},
        expecting(
            export(NEXT),
            has=[{"type": "veto", "lesson": LEARNED["id"], "text": "", "lifted": None}],
            silent=[UV, PIP],
        ),
    )


def _lifted() -> Cases:
    whole = [append(ONE, TWO), sleep(), veto(LEARNED), unveto(LEARNED)]
    yield night(
        "vetoes/lifted",
        "When it is lifted, the lesson is there again with all that went with it.",
        "MEM-054 MEM-059",
        *whole,
        just(lessons(OVER), {**LEARNED, "created": NIGHT}),
        just(predictions(OVER), {"id": prediction(LEARNED["id"])["id"]}),
        expecting(export(OVER), has=[{"type": "veto", "lifted": OVER}]),
        level="should",
    )
    yield night(
        "vetoes/lifted-and-learned-again",
        "What was lifted may be learned again.",
        "MEM-054",
        *whole,
        sleep(MONTH),
        expecting(lessons(MONTH), has=[{"id": LEARNED["id"], "kind": "correction"}]),
    )
    yield night(
        "vetoes/lifted-once",
        "What was lifted can not be lifted again.",
        "MEM-054",
        *whole,
        refused(unveto(LEARNED, MONTH), "not-found"),
    )
    yield night(
        "vetoes/set-again",
        "What was lifted can be vetoed again.",
        "MEM-053 MEM-054",
        *whole,
        veto(LEARNED, MONTH),
        just(lessons(MONTH)),
        expecting(export(MONTH), has=[{"type": "veto", "at": MONTH, "lifted": None}]),
    )
    yield night(
        "vetoes/lifted-without-a-source",
        "A lesson whose source was forgotten is not there again.",
        "MEM-059 MEM-084",
        append(ONE, TWO),
        sleep(),
        veto(LEARNED),
        {"op": "forget", "input": {"now": NEXT, "id": event_id(ONE)}},
        unveto(LEARNED),
        just(lessons(OVER)),
    )
