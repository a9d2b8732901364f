"""What hangs on lessons when a thing is forgotten, and how lessons travel in an export."""

from typing import Any

from conformance.generate.shapes import Cases
from conformance.generate.sleep.shapes import (
    HERONS,
    MARCH_5,
    MARCH_6,
    MARCH_7,
    NEXT,
    NIGHT,
    OVER,
    PIP,
    SOON,
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
    undo,
    worked,
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
    forget,
    import_,
    reset,
)

ONE, TWO, THREE = said(), said(at=MARCH_6, of="s-2"), said(at=MARCH_7, of="s-3")
BIRDS = (herons(MARCH_5, "s-4"), herons(MARCH_7, "s-5"))
SILENT = [UV, PIP]


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _forgotten()
    yield from _names()
    yield from _copies()


def _forgotten() -> Cases:
    yield night(
        "forgetting/lesson-goes",
        "A lesson goes with what it rests on, and with it what it predicted.",
        "MEM-084",
        append(ONE, TWO, *BIRDS),
        sleep(),
        forget(TWO),
        just(lessons(), like(*BIRDS)),
        expecting(predictions(), lacks=[{"lesson": like(ONE, TWO)["id"]}]),
    )
    yield night(
        "forgetting/no-word-in-a-ledger",
        "Entries that told of it are emptied, whatever they are about; the others are not.",
        "MEM-085 MEM-089",
        append(ONE, TWO, *BIRDS),
        sleep(),
        forget(ONE),
        forget(TWO),
        expecting(ledger(), silent=SILENT, says=[HERONS]),
        expecting(
            ledger(),
            has=[
                {"verb": "CREATE", "subject": like(ONE, TWO)["id"], "before": None, "after": None}
            ],
        ),
        expecting(export(NIGHT), silent=SILENT),
    )
    yield from _made_again()


def _made_again() -> Cases:
    for name, why, gone, left in (
        ("its-founder", "Sleep makes it again of what is left, under another id when its earliest "
         "source went.", ONE, (TWO, THREE)),
        ("another-source", "Under its old id when another one went.", THREE, (ONE, TWO)),
    ):  # fmt: skip
        yield night(
            f"forgetting/made-again-without-{name}",
            why,
            "MEM-037 MEM-084",
            append(ONE, TWO, THREE),
            sleep(),
            forget(gone),
            just(lessons()),
            sleep(NEXT),
            just(lessons(NEXT), like(*left)),
        )
    yield night(
        "forgetting/project",
        "A project goes with its lessons.",
        "MEM-080 MEM-084",
        append(ONE, TWO, *(source | {"project": HARBOUR} for source in BIRDS)),
        sleep(),
        forget(project=ONE["project"]),
        expecting(lessons(), has=[{"project": HARBOUR}], lacks=[{"project": ONE["project"]}]),
        expecting(export(NIGHT), silent=SILENT),
    )


def _names() -> Cases:
    rule, old = lesson(ONE, TWO), content_id("test", "older")
    made = prediction(old, made=NOW, due=OVER, text=f"The person says again: {UV}")
    yield night(
        "forgetting/prediction-under-an-old-name",
        "What a lesson predicted under an old name goes with it too.",
        "MEM-080 MEM-084",
        import_(exported(episode(ONE), episode(TWO), rule, made, alias(old, rule))),
        just(predictions(lesson=rule["id"]), {"id": made["id"]}),
        forget(ONE),
        forget(TWO),
        expecting(export(NIGHT), lacks=[{"type": "prediction"}, {"type": "alias"}], silent=SILENT),
    )
    yield night(
        "forgetting/prediction-of-a-lesson-taken-back",
        "Nothing of it is left of a lesson that was taken back before.",
        "MEM-057 MEM-080",
        append(ONE, TWO),
        sleep(),
        ledger(),
        undo(3, "CREATE"),
        forget(ONE),
        forget(TWO),
        expecting(export(NEXT), silent=SILENT),
    )
    yield night(
        "forgetting/what-it-had-superseded",
        "What it had closed is not superseded by what is gone.",
        "MEM-084",
        import_(exported(
            *map(episode, (ONE, TWO, *BIRDS)), rule,
            lesson(*BIRDS, text="The person said: “Herons.”", valid_until=SOON,
                   superseded_by=rule["id"]))),
        forget(ONE),
        expecting(lessons(closed=True), has=[{"id": like(*BIRDS)["id"], "superseded_by": None}]),
    )  # fmt: skip


def _copies() -> Cases:
    grown: list[Any] = [
        append(ONE, TWO, *BIRDS, *(said(at=at, of=of, project=HARBOUR)
                                   for at, of in ((MARCH_5, "s-6"), (MARCH_7, "s-7")))),
        sleep(),
        append(said(at=SOON, of="s-8"), now=NEXT, sessions=[worked(SOON)]),
        sleep(NEXT),
        sleep(OVER),
    ]  # fmt: skip
    kinds = ("lesson", "prediction", "alias", "ledger")
    yield night(
        "copies/round-trip",
        "An export of lessons, predictions, names and their ledger comes back as the same bytes.",
        "MEM-060 MEM-070 MEM-071 MEM-072",
        *grown,
        expecting(export(OVER), has=[{"type": kind} for kind in kinds]),
        reset(),
        import_(6, now=OVER),
        expecting(export(OVER), raw_of=6),
    )
    yield from _tellings()


def _tellings() -> Cases:
    grown: list[Any] = [
        append(ONE, TWO, *BIRDS, *(said(at=at, of=of, project=HARBOUR)
                                   for at, of in ((MARCH_5, "s-6"), (MARCH_7, "s-7")))),
        sleep(),
        append(said(at=SOON, of="s-8"), now=NEXT, sessions=[worked(SOON)]),
        sleep(NEXT),
        sleep(OVER),
    ]  # fmt: skip
    yield night(
        "copies/sleep-in-a-copy",
        "The next night is the same in a copy.",
        "MEM-060 MEM-091",
        *grown[:4],
        export(NEXT),
        sleep(OVER),
        lessons(OVER),
        reset(),
        import_(5, now=NEXT),
        sleep(OVER),
        expecting(lessons(OVER), raw_of=7),
    )
    rule = lesson(ONE, TWO)
    for name, here, there in (("newer", NOW, NIGHT), ("older", NIGHT, NOW)):
        mine = {**rule, "updated": here}
        other = lesson(TWO, THREE, id=rule["id"], strength=2.5, updated=there)
        yield night(
            f"copies/{name}-telling-of-a-lesson",
            "Of two tellings the one that was changed later holds, on the sources of both.",
            "MEM-076 MEM-087",
            import_(exported(episode(ONE), episode(TWO), mine)),
            import_(exported(episode(TWO), episode(THREE), other)),
            just(
                lessons(),
                {
                    **like(ONE, TWO, THREE, strength=2.5 if there == NIGHT else 1.5),
                    "updated": NIGHT,
                },
            ),
        )
