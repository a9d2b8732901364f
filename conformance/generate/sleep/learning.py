"""What becomes a lesson, what joins one, what does not: of one kind, in one project or several."""

from conformance.generate.shapes import Cases, Value, event
from conformance.generate.sleep.shapes import (
    MARCH_4,
    MARCH_5,
    MARCH_6,
    MARCH_7,
    NEXT,
    NIGHT,
    PIP,
    SOON,
    UV,
    failed,
    herons,
    just,
    ledger,
    lesson,
    lessons,
    like,
    night,
    said,
    sleep,
)
from conformance.generate.store.shapes import (
    HARBOUR,
    NOW,
    SHOULD,
    append,
    episode,
    expecting,
    export,
    exported,
    import_,
    reset,
    told,
)

ONE, TWO, THREE = said(), said(at=MARCH_6, of="s-2"), said(at=MARCH_7, of="s-3")
FAILED, AGAIN = failed(), failed(at=MARCH_6, of="s-2")
APRIL = "2026-04-02T09:00:00.000000Z"


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _learned()
    yield from _not_learned()
    yield from _joined()
    yield from _same_or_not()
    yield from _order()


def _learned() -> Cases:
    yield night(
        "lessons/said-twice",
        "A wish that was said in two sessions is a lesson that rests on both.",
        "MEM-030 MEM-033 MEM-037 MEM-093 MEM-095",
        append(ONE, TWO),
        expecting(sleep(), match={"changes": {"CREATE": 1}}),
        just(lessons(), like(ONE, TWO, created=NIGHT, updated=NIGHT, wording="quoted")),
    )
    yield night(
        "lessons/quotes-both",
        "A correction's lesson quotes the person and what the agent had said.",
        "MEM-031 MEM-032",
        append(ONE, TWO),
        sleep(),
        expecting(lessons(), says=[UV, PIP], lacks=[{"text": UV}]),
    )
    for name, why, events in (
        ("failed-twice", "What failed in two sessions is a lesson.", (FAILED, AGAIN)),
        ("surprised-twice", "What surprised in two sessions is a lesson.", tuple(
            event("surprise", statement="The port is 8417, not 8080.", at=at, session=of,
                  source="agent") for at, of in ((MARCH_4, "s-1"), (MARCH_6, "s-2")))),
    ):  # fmt: skip
        yield night(
            f"lessons/{name}",
            why,
            "MEM-033 MEM-093",
            append(*events),
            sleep(),
            just(lessons(), like(*events, project=events[0].get("project"))),
        )
    six = [said(at=f"2026-03-0{n}T09:00:00.000000Z", of=f"s-{n}") for n in range(1, 8)]
    for number, strength in ((3, 2.0), (5, 3.0), (7, 3.0)):
        yield night(
            f"lessons/strength-of-{number}",
            "1, and 0.5 for each source beyond the first, not beyond 3.",
            "MEM-095",
            append(*six[:number]),
            sleep(),
            just(lessons(), like(*six[:number], strength=strength)),
        )
    at_once = [ONE, said(UV.lower(), of="s-2")]
    yield night(
        "lessons/sources-at-one-time",
        "Of sources of one time the one with the least id is the earliest.",
        "MEM-037",
        append(*at_once),
        sleep(),
        just(lessons(), like(*at_once)),
    )


def _not_learned() -> Cases:
    nothing: Value = {"changes": None}
    doubtful = [source | {"candidate": True} for source in (ONE, TWO)]
    outside = [source | {"source": "external"} for source in (FAILED, AGAIN)]
    times = ((MARCH_4, "s-1"), (MARCH_6, "s-2"))
    state = [failed(at=at, of=of, kind="environment") for at, of in times]
    admitted = event(
        "surprise", source="agent", statement="I was wrong about the port.", session="s-1"
    )
    for name, why, req, events in (
        ("one-error", "One error is not enough.", "MEM-033", [FAILED]),
        ("environment", "The machine's state is never a lesson, however often.", "MEM-033", state),
        ("external", "What only an outsider states is never one.", "MEM-034 EVT-021", outside),
        ("candidates", "What is too unsure is not learned from.", "EVT-045", doubtful),
        ("agent-once", "What an agent states once is none.", "MEM-034 EVT-021", [admitted]),
        ("notes", "A note is kept as it is and needs no lesson.", "MEM-093",
         [told("Herons are counted in May.", at=at) for at in (MARCH_4, MARCH_6)]),
        ("nothing", "An empty memory has nothing to sleep over.", "MEM-091", []),
    ):  # fmt: skip
        yield night(
            f"lessons/none-of-{name}",
            why,
            req,
            append(*events),
            expecting(sleep(), match=nothing),
            just(lessons()),
        )
    yield from _not_enough()


def _not_enough() -> Cases:
    yield night(
        "lessons/none-of-one-session",
        "What failed twice in one session failed on one occasion.",
        "MEM-093",
        append(FAILED, failed(at=MARCH_6)),
        sleep(),
        just(lessons()),
    )
    yield night(
        "lessons/none-of-two-alone",
        "Two errors that have nothing in common are twice one error.",
        "MEM-033 MEM-094",
        append(FAILED, failed(at=MARCH_6, of="s-2", tool="Fetch", call="https://example.org/tides",
                              failure="Connection reset by peer.")),
        sleep(),
        just(lessons()),
    )  # fmt: skip
    yield night(
        "lessons/none-of-what-is-to-come",
        "A past night sees nothing of what happened after it; a later one does.",
        "MEM-091 MEM-093",
        append(FAILED, failed(at="2026-03-20T09:00:00.000000Z", of="s-2"), now=APRIL),
        sleep(),
        just(lessons(APRIL)),
        sleep(APRIL),
        expecting(lessons(APRIL), has=[{"kind": "error", "seen": 2, "created": APRIL}]),
    )


def _joined() -> Cases:
    old = lesson(ONE, TWO)
    stored = import_(exported(episode(ONE), episode(TWO), old))
    yield night(
        "lessons/said-again",
        "What is said again joins: a source more, stronger, and not a word otherwise.",
        "MEM-051 MEM-093 MEM-095",
        stored,
        append(THREE),
        expecting(sleep(), match={"changes": {"CORROBORATE": 1, "CREATE": None}}),
        just(lessons(), like(ONE, TWO, THREE, text=old["text"], hash=old["hash"], created=NOW,
                             updated=NIGHT, strength=2.0)),
    )  # fmt: skip
    yield night(
        "lessons/said-again-beyond-3",
        "No lesson grows beyond 3.",
        "MEM-095",
        import_(exported(episode(ONE), episode(TWO), {**old, "strength": 2.75})),
        append(THREE),
        sleep(),
        just(lessons(), {"id": old["id"], "strength": 3.0, "seen": 3}),
    )
    faded = {**old, "archived": NOW}
    yield night(
        "lessons/said-again-after-it-faded",
        "What was put aside is in mind again when it is said again.",
        "MEM-058 MEM-093",
        import_(exported(episode(ONE), episode(TWO), faded)),
        append(THREE),
        just(lessons()),
        just(lessons(archived=True), {"id": old["id"], "archived": NOW}),
        sleep(),
        just(lessons(), {"id": old["id"], "archived": None, "seen": 3}),
    )
    yield from _found_again()


def _found_again() -> Cases:
    earlier = said(at="2026-03-01T09:00:00.000000Z", of="s-0")
    yield night(
        "lessons/said-before-and-read-later",
        "A source that is older than all others changes no id.",
        "MEM-037",
        append(ONE, TWO),
        sleep(),
        append(earlier, now=SOON),
        sleep(NEXT),
        just(lessons(NEXT), {"id": like(ONE, TWO)["id"], "seen": 3}),
    )
    common = lesson(ONE, TWO, id=like(ONE, TWO, project=None)["id"], project=None)
    yield night(
        "lessons/said-again-somewhere-else",
        "What holds everywhere is joined by what is said in any project.",
        "MEM-039 MEM-093",
        import_(exported(episode(ONE), episode(TWO), common)),
        append(said(at=MARCH_7, of="s-3", project=HARBOUR)),
        sleep(),
        just(lessons(), {"id": common["id"], "seen": 3, "project": None}),
    )
    yield night(
        "lessons/two-at-once",
        "Two wishes in the same sessions are two lessons.",
        "MEM-093 MEM-094",
        append(ONE, TWO, herons(), herons(MARCH_6, "s-2")),
        sleep(),
        just(lessons(), like(ONE, TWO), like(herons(), herons(MARCH_6, "s-2"))),
    )


def _same_or_not() -> Cases:
    for name, words in (
        ("case", UV.upper()),
        ("spaces", "  Use  uv,\nnot pip. "),
        ("marks", "Use uv, not pip"),
        ("exclamation", "use uv, not pip!"),
    ):
        other = said(words, MARCH_6, "s-2")
        yield night(
            f"lessons/same-but-for-{name}",
            "Words that differ in case, spaces and the marks at their ends mean the same.",
            "MEM-094",
            append(ONE, other),
            sleep(),
            just(lessons(), like(ONE, other)),
        )
        yield night(
            f"lessons/joins-but-for-{name}",
            "They mean the same also where there is a lesson already.",
            "MEM-093 MEM-094",
            import_(exported(episode(ONE), episode(THREE), lesson(ONE, THREE))),
            append(other),
            sleep(),
            just(lessons(), like(ONE, THREE, other, strength=2.0)),
        )
    yield night(
        "lessons/joins-nothing-unlike-it",
        "Words that share nothing, about things that share nothing, do not join.",
        "MEM-094",
        import_(exported(episode(ONE), episode(TWO), lesson(ONE, TWO))),
        append(herons(MARCH_7, "s-3")),
        sleep(),
        expecting(lessons(), has=[like(ONE, TWO)]),
    )
    yield from _opposed()


def _opposed() -> Cases:
    wished, took_back = "Commit after each step.", "Don't commit after each step any more."
    before = [said(wished, at, of, agent_did="I go on to the next step.")
              for at, of in ((MARCH_4, "s-1"), (MARCH_6, "s-2"))]  # fmt: skip
    later = [said(took_back, at, of, agent_did="I commit and go on to the next step.")
             for at, of in ((SOON, "s-4"), ("2026-03-14T15:00:00.000000Z", "s-5"))]  # fmt: skip
    old, new = like(*before)["id"], like(*later)["id"]
    yield night(
        "lessons/opposite-said-later",
        "A lesson whose opposite was said later is closed, and stays readable.",
        "MEM-013 MEM-014",
        append(*before),
        sleep(),
        append(*later, now=NEXT),
        sleep(NEXT),
        expecting(lessons(NEXT), has=[{"id": new}], lacks=[{"id": old}]),
        expecting(lessons(NEXT, closed=True), has=[{"id": old, "seen": 2, "superseded_by": new}]),
        level=SHOULD,
    )


def _order() -> Cases:
    many = [ONE, TWO, THREE, FAILED, AGAIN, herons(MARCH_5, "s-4"), herons(MARCH_7, "s-5")]
    turned = [many[n] for n in (4, 1, 6, 2, 5, 0, 3)]
    yield night(
        "nights/order-of-input",
        "What is learned does not depend on the order in which it came in.",
        "MEM-036",
        append(*many),
        sleep(),
        lessons(),
        reset(),
        append(*turned),
        sleep(),
        expecting(lessons(), raw_of=3),
    )
    yield night(
        "nights/order-of-files",
        "Nor on how it was parted.",
        "MEM-036",
        append(*many),
        sleep(),
        lessons(),
        reset(),
        *(append(each) for each in turned),
        sleep(),
        expecting(lessons(), raw_of=3),
    )
    yield night(
        "nights/same-again",
        "The same night again changes nothing.",
        "MEM-091",
        append(*many),
        sleep(),
        export(NIGHT),
        expecting(sleep(), match={"changes": None}),
        expecting(export(NIGHT), raw_of=3),
    )
    yield night(
        "nights/passes-in-order",
        "What is learned in a night predicts in that night; the ledger has them in this order.",
        "MEM-090 MEM-050 MEM-052",
        append(ONE, TWO),
        sleep(),
        expecting(ledger(id=like(ONE, TWO)["id"]), match=[{"verb": "CREATE"}, {"verb": "PREDICT"}]),
    )
