"""Decay in a memory: what fades, what does not, and from when on its days are counted."""

from conformance.generate.shapes import Cases, Value, event_id
from conformance.generate.sleep.shapes import (
    MARCH_4,
    MARCH_6,
    NIGHT,
    UV,
    failed,
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
    append,
    episode,
    expecting,
    export,
    exported,
    import_,
    named,
    recall,
    show,
    told,
)

LONG_AGO, AUTUMN, WINTER = (
    f"{day}T09:00:00.000000Z" for day in ("2025-06-01", "2025-10-01", "2026-02-01")
)
OLD = failed(LONG_AGO)


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _episodes()
    yield from _spared()
    yield from _lessons()


def _shown(archived: str | None, event: Value = OLD) -> Value:
    return expecting(show(event, now=NIGHT), match={"archived": archived})


def _episodes() -> Cases:
    yield night(
        "decay/of-an-episode",
        "What nobody came back to for long is put aside, not deleted, and the ledger says so.",
        "MEM-012 MEM-056 MEM-092",
        append(OLD, now=AUTUMN),
        expecting(sleep(), match={"changes": {"ARCHIVE": 1}}),
        _shown(NIGHT),
        expecting(ledger(), has=[{"verb": "ARCHIVE", "after": {"faded": [event_id(OLD)]}}]),
        expecting(recall("harvest rule", now=NIGHT), lacks=named(OLD)),
        expecting(recall("harvest rule", now=NIGHT, archived=True), has=named(OLD)),
    )
    yield night(
        "decay/counted-from-storing",
        "What happened long ago and was stored lately has not faded.",
        "MEM-092",
        append(OLD),
        sleep(),
        _shown(None),
    )
    yield night(
        "decay/counted-from-recall",
        "What was recalled lately has not faded.",
        "MEM-011 MEM-092",
        append(OLD, now=AUTUMN),
        expecting(recall("harvest rule", now=WINTER), has=named(OLD)),
        sleep(),
        _shown(None),
    )
    yield night(
        "decay/recalled-after-the-night",
        "A touch that is yet to come does not count.",
        "MEM-092",
        append(OLD, now=AUTUMN),
        expecting(recall("harvest rule", now="2026-06-01T09:00:00.000000Z"), has=named(OLD)),
        sleep(),
        _shown(NIGHT),
    )
    yield night(
        "decay/again-changes-nothing",
        "What was put aside is not put aside again.",
        "MEM-091 MEM-092",
        append(OLD, now=AUTUMN),
        sleep(),
        export(NIGHT),
        expecting(sleep(), match={"changes": None}),
        expecting(export(NIGHT), raw_of=3),
    )


def _spared() -> Cases:
    note = told("The heron vault is at Alderbrook.", at=LONG_AGO)
    yield night(
        "decay/never-of-a-note",
        "A note was told on purpose and has a validity of its own.",
        "MEM-092",
        append(note, now=LONG_AGO),
        sleep(),
        _shown(None, note),
    )
    resting = [said(at=LONG_AGO), said(at=AUTUMN, of="s-2")]
    stored = [episode(source, created=AUTUMN) for source in resting]
    yield night(
        "decay/never-of-what-a-lesson-rests-on",
        "What a lesson that holds rests on does not fade.",
        "MEM-092",
        import_(exported(*stored, lesson(*resting)), now=AUTUMN),
        sleep(),
        _shown(None, resting[0]),
        _shown(None, resting[1]),
    )
    yield night(
        "decay/of-what-an-archived-lesson-rests-on",
        "What rests under a lesson that was put aside fades like everything else.",
        "MEM-092",
        import_(exported(*stored, lesson(*resting, archived=AUTUMN)), now=AUTUMN),
        sleep(),
        _shown(NIGHT, resting[0]),
        _shown(NIGHT, resting[1]),
    )


def _lessons() -> Cases:
    old, newer = said(at=LONG_AGO), said(at=AUTUMN, of="s-2")
    stale: Value = {"strength": 1.5, "created": AUTUMN, "updated": AUTUMN}
    for name, why, sources, fields, archived in (
        ("of-a-lesson", "A lesson fades from when it was changed.", [old, newer],
         {**stale, "strength": 1.0}, NIGHT),
        ("of-a-strong-lesson", "A strong one fades later.", [old, newer],
         {**stale, "strength": 3.0}, None),
        ("of-a-lesson-changed-lately", "What was changed lately has not faded.", [old, newer],
         {**stale, "updated": WINTER}, None),
        ("of-a-lesson-seen-lately", "What was seen lately has not faded.",
         [old, said(at=MARCH_4, of="s-2")], stale, None),
    ):  # fmt: skip
        kept = lesson(*sources, **fields)
        yield night(
            f"decay/{name}",
            why,
            "MEM-092",
            import_(exported(*map(episode, sources), kept)),
            sleep(),
            just(lessons(archived=True), {"id": kept["id"], "archived": archived}),
        )
    kept = lesson(old, newer, **{**stale, "strength": 1.0})
    again = said(UV, MARCH_6, "s-3")
    yield night(
        "decay/then-said-again",
        "What faded in a night is in mind again in the same night when it was said again.",
        "MEM-090 MEM-093",
        import_(exported(episode(old), episode(newer), kept)),
        append(again),
        expecting(sleep(), match={"changes": {"ARCHIVE": 1, "CORROBORATE": 1}}),
        just(lessons(), like(old, newer, again, strength=1.5)),
    )
