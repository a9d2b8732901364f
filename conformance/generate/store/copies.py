"""Copies: an export is the whole memory, and comes back byte for byte."""

from conformance.generate.shapes import Cases, event, session
from conformance.generate.store.folding import TURNS, correction, summary
from conformance.generate.store.forgetting import GONE, lesson
from conformance.generate.store.shapes import (
    LATER,
    ORCHARD,
    append,
    episode,
    expecting,
    export,
    exported,
    forget,
    import_,
    named,
    recall,
    reset,
    status,
    story,
    told,
)

ONE = told("The orchard service listens on port 8417.", ref="one", project=ORCHARD)
TWO = told('Пароль меняют в мае – 密码, \u2028 "quoted" \\ and\nmore.', layer="identity")
FAILED = event(
    "error", source="tool", tool="Bash", call="make x", failure="No rule.", agent="codex"
)
ALL = (ONE, TWO, FAILED, correction(session="s-1"), summary(), {**ONE, "at": LATER})


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _round_trips()
    yield from _exports()


def _round_trips() -> Cases:
    whole = [append(*ALL, now=LATER)]
    strengthened = [*whole, recall("orchard port", now=LATER), recall("make", now=LATER)]
    old = told("The heron gate opens at seven.")
    replaced = append(old, told("It opens at nine.", at=LATER, supersedes=ONE_ID), now=LATER)
    for name, why, steps in (
        ("events", "Events of several kinds and scripts.", whole),
        ("nothing", "A memory with nothing in it.", []),
        ("strengthened", "What recall did to it.", strengthened),
        ("sessions", "Sessions that were read.", [append(sessions=[session(*TURNS)], now=LATER)]),
        ("forgotten", "What was forgotten.", [*whole, append(GONE), forget(GONE, now=LATER)]),
        ("replaced", "What replaced what.", [*whole, replaced]),
        ("lessons", "Lessons, with all that came with them.",
         [import_(exported(episode(GONE), lesson(GONE)), now=LATER)]),
    ):  # fmt: skip
        yield story(
            f"copies/round-trip-of-{name}",
            f"{why} Exported, imported into an empty memory and exported again, it is the same.",
            "MEM-060 MEM-072",
            *steps,
            export(LATER),
            reset(),
            import_(len(steps) + 1, now=LATER),
            expecting(export(LATER), raw_of=len(steps) + 1),
        )
    yield story(
        "copies/another-home-answers-alike",
        "What was imported is recalled as it was where it grew.",
        "MEM-060 MEM-062",
        *whole,
        export(LATER),
        reset(),
        import_(2, now=LATER),
        expecting(recall("orchard port 8417", now=LATER), has=[{"ref": "one", "project": ORCHARD}]),
        expecting(recall("пароль", now=LATER), first=named(TWO)[0]),
        expecting(status(LATER), match={"episodes": 6}),
    )


def _exports() -> Cases:
    yield story(
        "copies/export-twice",
        "The same memory gives the same bytes, at any time.",
        "MEM-070 MEM-071",
        append(*ALL, now=LATER),
        export(LATER),
        expecting(export("2026-04-01T09:00:00.000000Z"), raw_of=2),
    )
    yield story(
        "copies/export-has-everything",
        "Everything that was folded is in an export, with the ledger of it.",
        "MEM-050 MEM-070 MEM-071 MEM-072",
        append(*ALL, now=LATER),
        expecting(
            export(LATER),
            has=[*named(*ALL), {"type": "ledger", "seq": 1, "verb": "CREATE", "at": LATER}],
        ),
    )
    yield story(
        "copies/export-in-order",
        "The order of an export is that of time, not that of coming in.",
        "MEM-071",
        append(*reversed(ALL), now=LATER),
        append(GONE),
        forget(GONE),
        expecting(export(LATER), has=named(*ALL)),
    )


ONE_ID = named(ONE)[0]["id"]
