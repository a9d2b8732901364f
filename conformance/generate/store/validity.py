"""Strength and time: what holds now or held then, what replaced what, what recall does to it."""

from conformance.generate.shapes import AT, Cases, event_id
from conformance.generate.store.shapes import (
    HARBOUR,
    LATER,
    NOW,
    ORCHARD,
    append,
    episode,
    expecting,
    exported,
    history,
    import_,
    named,
    not_found,
    recall,
    show,
    story,
    told,
)

MARCH_5, MARCH_6 = "2026-03-05T09:00:00.000000Z", "2026-03-06T09:00:00.000000Z"
MARCH_7 = "2026-03-07T09:00:00.000000Z"
CONTROL = told("The heron gate has a warden.")
OLD = told("The heron gate opens at seven.")
NEW = told("The heron gate opens at nine.", at=MARCH_6, supersedes=event_id(OLD))
NEWEST = told("The heron gate opens at noon.", at=MARCH_7, supersedes=event_id(NEW))


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _spans()
    yield from _replaced()
    yield from _histories()
    yield from _archive()
    yield from _touch()


def _spans() -> Cases:
    within = told("The heron gate is closed.", valid_from=MARCH_5, valid_until=MARCH_6)
    for name, why, at, valid in (
        ("expired", "What has expired is not returned.", NOW, False),
        ("not-yet", "What will hold is not returned yet.", AT, False),
        ("first-moment", "It holds from its first moment on.", MARCH_5, True),
        ("last-moment", "It holds no longer at the moment at which it ends.", MARCH_6, False),
        ("between", "Between the two it holds.", "2026-03-05T18:00:00.000000Z", True),
    ):
        found = {"has": named(within, CONTROL)} if valid else {
            "has": named(CONTROL), "lacks": named(within)}  # fmt: skip
        yield story(
            f"validity/{name}",
            why,
            "MEM-013 MEM-017",
            append(within, CONTROL),
            expecting(recall("heron gate", at=at), **found),
        )
    yield story(
        "validity/expired-stays-readable",
        "What is no longer valid can be looked up.",
        "MEM-013",
        append(within, CONTROL),
        expecting(recall("heron gate closed"), has=named(CONTROL), lacks=named(within)),
        expecting(show(within), match={"event": {"text": "The heron gate is closed."}}),
    )
    later = told("The heron gate was painted.", at=MARCH_6)
    yield story(
        "validity/asked-for-before-it-happened",
        "What had not happened yet is not returned.",
        "MEM-017",
        append(later, CONTROL),
        expecting(recall("heron gate", at=MARCH_5), has=named(CONTROL), lacks=named(later)),
        expecting(recall("heron gate"), has=named(CONTROL, later)),
    )
    yield story(
        "validity/the-present-counts",
        "Without a time the present counts.",
        "MEM-013",
        append(told("The heron gate is open.", valid_from=MARCH_7), CONTROL),
        expecting(
            recall("heron gate open", now=MARCH_6), lacks=[{"text": "The heron gate is open."}]
        ),
        expecting(recall("heron gate open", now=NOW), has=[{"text": "The heron gate is open."}]),
    )


def _replaced() -> Cases:
    for name, order in (("in-order", (OLD, NEW)), ("in-reverse", (NEW, OLD))):
        yield story(
            f"validity/replaced-{name}",
            "A note that replaces another closes it, whichever came in first.",
            "MEM-013 MEM-018",
            *(append(event) for event in order),
            expecting(recall("heron gate opens"), has=named(NEW), lacks=named(OLD)),
            expecting(recall("heron gate opens", at=MARCH_5), has=named(OLD), lacks=named(NEW)),
        )
    planned = told(
        "The heron gate opens at ten.", at=MARCH_5, valid_from=MARCH_7, supersedes=event_id(OLD)
    )
    yield story(
        "validity/replaced-from-a-later-day",
        "A replacement that holds from a later day on closes the old one then.",
        "MEM-018",
        append(OLD, planned),
        expecting(recall("heron gate opens", at=MARCH_6), has=named(OLD), lacks=named(planned)),
        expecting(recall("heron gate opens", at=NOW), has=named(planned), lacks=named(OLD)),
    )
    ours = told("The heron gate opens at seven.", project=ORCHARD)
    yield story(
        "validity/replaced-from-another-project",
        "A note closes nothing of another project.",
        "MEM-018 MEM-022",
        append(ours, told("It opens at nine.", project=HARBOUR, at=MARCH_6,
                          supersedes=event_id(ours))),
        expecting(recall("heron gate opens", project=ORCHARD), has=named(ours)),
    )  # fmt: skip
    yield story(
        "validity/chain",
        "Of three of which each replaces the one before, the last holds.",
        "MEM-018",
        append(NEWEST, OLD, NEW),
        expecting(recall("heron gate opens"), has=named(NEWEST), lacks=named(OLD, NEW)),
        expecting(recall("heron gate opens", at=MARCH_6), has=named(NEW), lacks=named(OLD, NEWEST)),
    )


def _histories() -> Cases:
    for name, asked in (("first", OLD), ("middle", NEW), ("last", NEWEST)):
        yield story(
            f"validity/history-of-the-{name}",
            "What replaced what can be read from each of them, the oldest first.",
            "MEM-013",
            append(NEWEST, CONTROL, NEW, OLD),
            expecting(history(asked), match=named(OLD, NEW, NEWEST)),
        )
    yield story(
        "validity/history-of-one",
        "What replaced nothing has only itself.",
        "MEM-013",
        append(OLD, NEW, CONTROL),
        expecting(history(CONTROL), match=named(CONTROL)),
    )
    yield story(
        "validity/history-of-nothing",
        "An id that the memory does not have is not found.",
        "MEM-013",
        append(OLD),
        not_found(history(NEW)),
    )


def _archive() -> Cases:
    faded = exported(episode(OLD, archived=MARCH_7), episode(CONTROL))
    yield story(
        "validity/archived",
        "What was archived is there, and returned only to who asks for it.",
        "MEM-012",
        import_(faded),
        expecting(recall("heron gate"), has=named(CONTROL), lacks=named(OLD)),
        expecting(recall("heron gate", archived=True), has=named(OLD, CONTROL)),
        expecting(show(OLD), match={"archived": MARCH_7}),
    )


def _touch() -> Cases:
    eleven = told("Gate 11 of the harbour opens at dawn.")
    twelve = told("Gate 12 of the harbour opens at dawn.", at="2026-03-09T09:00:00.000000Z")
    yield story(
        "validity/recall-strengthens",
        "What was returned gains 0.1, and nothing else does.",
        "MEM-010 MEM-011",
        append(eleven, twelve),
        expecting(recall("gate 11", limit=1), match=named(eleven)),
        expecting(show(eleven), near={"strength": 1.1}, match={"recalls": 1, "touched": NOW}),
        expecting(show(twelve), near={"strength": 1.0}, match={"recalls": 0, "touched": None}),
    )
    often = [recall("gate 11", now=LATER, limit=1)] * 14
    yield story(
        "validity/recall-strengthens-to-a-limit",
        "However often it is recalled, its strength does not pass 2.",
        "MEM-011",
        append(eleven, twelve),
        *often,
        expecting(show(eleven), near={"strength": 2.0}, match={"recalls": 14}),
    )
    yield story(
        "validity/recall-changes-no-order",
        "What was recalled often comes no earlier for it.",
        "MEM-011",
        append(eleven, twelve),
        expecting(recall("harbour dawn"), first={"id": event_id(twelve)}),
        *[recall("gate 11", limit=1)] * 12,
        expecting(recall("harbour dawn"), first={"id": event_id(twelve)}),
    )
    strong = exported(episode(eleven, strength=2.75), episode(twelve))
    yield story(
        "validity/recall-weakens-nothing",
        "What is stronger than the limit stays as strong as it is.",
        "MEM-011",
        import_(strong),
        recall("gate 11", limit=1),
        expecting(show(eleven), near={"strength": 2.75}, match={"recalls": 1}),
    )
