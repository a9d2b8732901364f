"""A change taken back by the owner: exactly, when nothing later is in its way, and for good."""

from conformance.generate.shapes import Cases, event_id
from conformance.generate.sleep.shapes import (
    MARCH_5,
    MARCH_6,
    MARCH_7,
    NEXT,
    OVER,
    SOON,
    change,
    entry,
    grown,
    just,
    ledger,
    lesson,
    lessons,
    like,
    night,
    predictions,
    refused,
    said,
    sleep,
    undo,
)
from conformance.generate.store.shapes import (
    HARBOUR,
    append,
    content_id,
    episode,
    expecting,
    export,
    exported,
    import_,
    show,
)

ONE, TWO, THREE = said(), said(at=MARCH_6, of="s-2"), said(at=MARCH_7, of="s-3")
RULE = lesson(ONE, TWO)
MORE = grown(RULE, THREE, strength=2.0, updated=SOON)
STORED = import_(exported(*map(episode, (ONE, TWO, THREE)), RULE))
JOINED = change("CORROBORATE", RULE, [RULE], [MORE], now=SOON)
LEARNED = like(ONE, TWO)
MONTH = "2026-04-20T03:00:00.000000Z"
NOTHING = {"id": content_id("test", "nothing")}


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _taken_back()
    yield from _refused()
    yield from _not_again()


def _taken_back() -> Cases:
    yield night(
        "undo/corroborate",
        "The lesson is as it was, exactly, and the ledger has one entry more.",
        "MEM-057",
        STORED,
        JOINED,
        ledger(),
        undo(3, "CORROBORATE"),
        just(lessons(NEXT), {**RULE, "sources": sorted(RULE["sources"])}),
        expecting(
            ledger(NEXT),
            has=[
                {
                    "verb": "RESTORE",
                    "subject": RULE["id"],
                    "at": NEXT,
                    "before": [{"id": RULE["id"], "seen": 3}],
                    "after": [{"id": RULE["id"], "seen": 2}],
                }
            ],
        ),
    )
    yield night(
        "undo/undo",
        "Taking that back makes the change again.",
        "MEM-057",
        STORED,
        JOINED,
        ledger(),
        undo(3, "CORROBORATE"),
        ledger(),
        undo(5, "RESTORE", now=OVER),
        just(lessons(OVER), {**MORE, "sources": sorted(MORE["sources"])}),
    )
    yield from _gone_again()


def _gone_again() -> Cases:
    yield night(
        "undo/archive-of-episodes",
        "What was put aside is awake again, and counts as touched.",
        "MEM-056 MEM-057",
        append(THREE),
        change("ARCHIVE", "", faded=[event_id(THREE)], now=SOON),
        ledger(),
        undo(3, "ARCHIVE"),
        expecting(show(THREE), match={"archived": None, "touched": NEXT}),
        expecting(
            ledger(NEXT),
            has=[{"verb": "RESTORE", "before": {"faded": [event_id(THREE)]}, "after": None}],
        ),
    )
    yield night(
        "undo/create",
        "A lesson goes with what it predicted.",
        "MEM-057",
        append(ONE, TWO),
        sleep(),
        ledger(),
        undo(3, "CREATE"),
        just(lessons(NEXT)),
        just(predictions(NEXT)),
        expecting(export(NEXT), lacks=[{"type": "lesson"}, {"type": "prediction"}]),
    )
    yield night(
        "undo/merge",
        "Two lessons are there again, under their own names.",
        "MEM-057",
        append(ONE, TWO, *(said(at=at, of=of, project=HARBOUR)
                           for at, of in ((MARCH_5, "s-4"), (MARCH_7, "s-5")))),
        sleep(),
        ledger(),
        undo(3, "MERGE"),
        just(lessons(NEXT), LEARNED, like(said(at=MARCH_5, of="s-4", project=HARBOUR),
                                          said(at=MARCH_7, of="s-5", project=HARBOUR),
                                          project=HARBOUR)),
        expecting(export(NEXT), lacks=[{"type": "alias"}]),
    )  # fmt: skip


def _refused() -> Cases:
    aside = change("ARCHIVE", RULE, [MORE], [{**MORE, "archived": NEXT}])
    yield night(
        "undo/not-before-a-later-change",
        "A later change of the same lesson is in the way, and is named.",
        "MEM-057",
        STORED,
        JOINED,
        aside,
        ledger(),
        refused(undo(4, "CORROBORATE"), "not-found", later=entry(4, "ARCHIVE")),
        just(lessons(NEXT, archived=True), {"id": RULE["id"], "archived": NEXT, "seen": 3}),
    )
    yield night(
        "undo/after-the-later-change",
        "When that is taken back first, it goes.",
        "MEM-057",
        STORED,
        JOINED,
        aside,
        ledger(),
        undo(4, "ARCHIVE"),
        undo(4, "CORROBORATE", now=OVER),
        just(lessons(OVER), {**RULE, "sources": sorted(RULE["sources"])}),
    )
    yield night(
        "undo/not-twice",
        "What was taken back is not there to take back.",
        "MEM-057",
        STORED,
        JOINED,
        ledger(),
        undo(3, "CORROBORATE"),
        refused(undo(3, "CORROBORATE"), "not-found"),
    )
    yield night(
        "undo/no-such-entry",
        "There is no entry of that number.",
        "MEM-057",
        append(ONE),
        refused({"op": "undo", "input": {"now": NEXT, "seq": 999}}, "not-found"),
    )


def _not_again() -> Cases:
    yield night(
        "undo/create-is-not-made-again",
        "Sleep does not make again what the owner took back.",
        "MEM-059",
        append(ONE, TWO),
        sleep(),
        ledger(),
        undo(3, "CREATE"),
        sleep(OVER),
        just(lessons(OVER)),
    )
    yield night(
        "undo/corroborate-is-not-made-again",
        "Nor that a source joins.",
        "MEM-059",
        import_(exported(episode(ONE), episode(TWO), RULE)),
        append(THREE),
        sleep(),
        ledger(),
        undo(4, "CORROBORATE"),
        sleep(OVER),
        just(lessons(OVER), {"id": RULE["id"], "seen": 2}),
    )
    yield night(
        "undo/made-with-other-sources",
        "Said once more it is another change, and is made.",
        "MEM-059",
        append(ONE, TWO),
        sleep(),
        ledger(),
        undo(3, "CREATE"),
        append(said(at=SOON, of="s-7"), now=NEXT),
        sleep(OVER),
        just(lessons(OVER), like(ONE, TWO, said(at=SOON, of="s-7"))),
    )
    yield night(
        "undo/wanted-after-all",
        "Taken back and wanted again, it is there, and stays.",
        "MEM-057 MEM-059",
        append(ONE, TWO),
        sleep(),
        ledger(),
        undo(3, "CREATE"),
        ledger(),
        undo(5, "RESTORE", now=SOON),
        sleep(NEXT),
        just(lessons(NEXT), LEARNED),
    )
