"""Predictions: made at night, once at a time, borne out or not by what happened in between."""

from conformance.generate.shapes import Cases, Value
from conformance.generate.sleep.shapes import (
    DUE,
    MARCH_6,
    MARCH_7,
    NEXT,
    NIGHT,
    OVER,
    SOON,
    UV,
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
    worked,
)
from conformance.generate.store.shapes import (
    HARBOUR,
    NOW,
    append,
    episode,
    expecting,
    exported,
    import_,
)

ONE, TWO = said(), said(at=MARCH_6, of="s-2")
LATE = "2026-04-20T09:00:00.000000Z"
ID = like(ONE, TWO)["id"]
MADE: Value = {"id": prediction(ID)["id"], "lesson": ID, "made": NIGHT, "due": DUE}
OPEN = MADE | {"resolved": None, "outcome": None}


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _made()
    yield from _confirmed()
    yield from _failed()


def _made() -> Cases:
    yield night(
        "predictions/made",
        "A lesson says that it will be said again, within 14 days.",
        "MEM-042 MEM-097",
        append(ONE, TWO),
        sleep(),
        just(predictions(), OPEN, says=[UV]),
        just(predictions(lesson=ID), OPEN),
    )
    yield night(
        "predictions/one-at-a-time",
        "The next night makes no second while one is open.",
        "MEM-043",
        append(ONE, TWO),
        sleep(),
        sleep(NEXT),
        just(predictions(NEXT), OPEN),
    )
    for name, why, fields, made in (
        ("weak", "A lesson below 1 predicts nothing.", {"strength": 0.96875}, False),
        ("just-strong-enough", "A lesson of 1 does.", {"strength": 1.0}, True),
        ("weak-candidate", "A candidate predicts whatever its strength.",
         {"strength": 0.5, "trust": "candidate", "origin": "k7f3"}, True),
        ("put-aside", "A lesson that was put aside predicts nothing.", {"archived": NOW}, False),
    ):  # fmt: skip
        kept = lesson(ONE, TWO, **fields)
        yield night(
            f"predictions/of-a-lesson-{name}",
            why,
            "MEM-097",
            import_(exported(episode(ONE), episode(TWO), kept)),
            sleep(),
            just(predictions(), *([OPEN] if made else [])),
        )
    far = lesson(ONE, TWO, strength=0.5, trust="candidate", origin="k7f3")
    yield night(
        "predictions/of-a-candidate-without-its-sources",
        "What it rests on may be elsewhere.",
        "MEM-097",
        import_(exported(far)),
        append(said("Herons are counted in May.", MARCH_7, "s-3", agent_did="I count in June.")),
        sleep(),
        just(predictions(lesson=ID), OPEN),
    )


def _later(at: str, now: str, *more: Value, of: str = "s-7") -> list[Value]:
    """Return steps of a first night, of the same said at a time, and of a night after it."""
    return [
        append(ONE, TWO),
        sleep(),
        append(said(at=at, of=of), *more, now=now),
        sleep(now),
    ]


def _confirmed() -> Cases:
    resolved = MADE | {"resolved": NEXT, "outcome": "confirmed"}
    again = prediction(ID, made=NEXT, due="2026-03-29T03:00:00.000000Z")
    yield night(
        "predictions/confirmed",
        "It was said again: 0.5 for the source, 0.25 for the prediction.",
        "MEM-040 MEM-041 MEM-095 MEM-098",
        *_later(SOON, NEXT),
        just(predictions(NEXT), resolved, {"id": again["id"], "outcome": None}),
        just(lessons(NEXT), {"id": ID, "seen": 3, "strength": 2.25}),
    )
    yield night(
        "predictions/resolved-in-the-ledger",
        "The entry tells the prediction and its lesson as they were and became.",
        "MEM-050 MEM-056",
        *_later(SOON, NEXT),
        expecting(
            ledger(NEXT),
            has=[
                {
                    "verb": "RESOLVE",
                    "subject": MADE["id"],
                    "before": [{"id": ID, "strength": 2.0}, OPEN],
                    "after": [{"id": ID, "strength": 2.25}, resolved],
                }
            ],
        ),
    )
    yield from _confirmed_or_not()


def _confirmed_or_not() -> Cases:
    strong = lesson(ONE, TWO, strength=2.9375, updated=NOW)
    yield night(
        "predictions/confirmed-beyond-3",
        "No lesson grows beyond 3.",
        "MEM-098",
        import_(exported(episode(ONE), episode(TWO), strong)),
        sleep(),
        append(said(at=SOON, of="s-7"), now=NEXT),
        sleep(NEXT),
        just(lessons(NEXT), {"id": ID, "seen": 3, "strength": 3.0}),
    )
    last = "2026-03-25T02:59:59.999999Z"
    for name, why, at in (
        ("at-the-last-moment", "The moment when it is due counts.", DUE),
        ("just-before-the-last-moment", "So does the one before.", last),
    ):
        yield night(
            f"predictions/confirmed-{name}",
            why,
            "MEM-098",
            *_later(at, OVER),
            expecting(predictions(OVER), has=[MADE | {"resolved": OVER, "outcome": "confirmed"}]),
        )
    for name, why, at in (
        ("what-was-read-later", "What happened before bears out nothing, whenever it is read.",
         MARCH_7),
        ("the-moment-itself", "Nor what happened at the moment when it was made.", NIGHT),
    ):  # fmt: skip
        yield night(
            f"predictions/not-confirmed-by-{name}",
            why,
            "MEM-040 MEM-098",
            *_later(at, NEXT),
            just(predictions(NEXT), OPEN),
            just(lessons(NEXT), {"id": ID, "seen": 3, "strength": 2.0}),
        )


def _over(now: str, *between: Value) -> list[Value]:
    """Return steps of a first night, of sessions after it, and of a night at `now`."""
    seen = [append(now=now, sessions=list(between))] if between else []
    return [append(ONE, TWO), sleep(), *seen, sleep(now)]


def _failed() -> Cases:
    failed = MADE | {"resolved": OVER, "outcome": "failed"}
    for name, why, between, strength in (
        ("failed", "Nothing of it came: 0.8 of the strength is left.", [worked(SOON)], 1.2),
        ("failed-while-nobody-worked", "Nobody worked: it has failed, and the lesson is as strong.",
         [], 1.5),
        ("failed-while-others-worked", "Work in another project says nothing of this one.",
         [worked(SOON, HARBOUR)], 1.5),
        ("failed-after-work-before", "Nor does work before it was made.", [worked(MARCH_7)], 1.5),
    ):  # fmt: skip
        yield night(
            f"predictions/{name}",
            why,
            "MEM-041 MEM-098",
            *_over(OVER, *between),
            expecting(predictions(OVER), has=[failed]),
            just(lessons(OVER), {"id": ID, "strength": strength}),
        )
    common = lesson(ONE, TWO, id=like(ONE, TWO, project=None)["id"], project=None)
    yield night(
        "predictions/failed-of-no-project",
        "What holds everywhere is put to the test wherever somebody works.",
        "MEM-098",
        import_(exported(episode(ONE), episode(TWO), common)),
        sleep(),
        append(now=OVER, sessions=[worked(SOON, HARBOUR)]),
        sleep(OVER),
        just(lessons(OVER), {"id": common["id"], "strength": 1.2}),
    )
    yield from _outlasted()


def _outlasted() -> Cases:
    failed = MADE | {"resolved": OVER, "outcome": "failed"}
    yield night(
        "predictions/open-while-due",
        "As long as it is not past due, it is open.",
        "MEM-098",
        *_over(DUE, worked(SOON)),
        just(predictions(DUE), OPEN),
        just(lessons(DUE), {"id": ID, "strength": 1.5}),
    )
    yield night(
        "predictions/said-after-it-was-due",
        "What comes too late bears out nothing.",
        "MEM-040 MEM-098",
        *_later("2026-04-18T09:00:00.000000Z", LATE),
        expecting(predictions(LATE), has=[MADE | {"resolved": LATE, "outcome": "failed"}]),
        just(lessons(LATE), {"id": ID, "seen": 3, "strength": 2.0}),
    )
    yield night(
        "predictions/resolved-once",
        "What is resolved stays as it is.",
        "MEM-041 MEM-091",
        *_over(OVER, worked(SOON)),
        sleep(LATE),
        expecting(predictions(LATE), has=[failed]),
    )
