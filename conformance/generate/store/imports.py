"""Imports: merged without loss, refused whole when damaged, kept out where the owner said so."""

from typing import Any

from conformance.generate.shapes import AT, Cases, Value, event_id, line
from conformance.generate.store.forgetting import lesson
from conformance.generate.store.shapes import (
    LATER,
    NOW,
    append,
    content_id,
    episode,
    expecting,
    export,
    exported,
    import_,
    named,
    recall,
    show,
    status,
    story,
    told,
)

ONE = told("The orchard service listens on port 8417.")
TWO = told("The harbour service listens on port 9230.")
THREE = told("The lighthouse service listens on port 7001.")
EARLY = "2026-03-05T09:00:00.000000Z"
SOUND = episode(ONE)


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _merged()
    yield from _two_tellings()
    yield from _damaged()
    yield from _no_export()
    yield from _newer()
    yield from _kept_out()


def _merged() -> Cases:
    copy = exported(episode(ONE), episode(TWO))
    yield story(
        "imports/into-a-full-memory",
        "What is there already is merged, the rest is added, and nothing goes.",
        "MEM-076",
        append(TWO, THREE),
        expecting(import_(copy), match={"new": {"episode": 1}, "known": 1}),
        expecting(status(), match={"episodes": 3}),
        expecting(recall("service port"), has=named(ONE, TWO, THREE)),
    )
    yield story(
        "imports/twice",
        "Importing again changes nothing.",
        "MEM-076 MEM-078",
        append(THREE),
        import_(copy),
        export(),
        expecting(import_(copy, now=LATER), match={"new": None, "changed": 0}),
        expecting(export(LATER), raw_of=3),
    )
    entry = {"type": "ledger", "v": "1.0", "seq": 1, "at": EARLY, "verb": "CREATE", "subject": "",
             "why": "grew elsewhere"}  # fmt: skip
    yield story(
        "imports/ledger-of-another-memory",
        "Its entries are appended to one's own, once, with one of what was imported.",
        "MEM-078 MEM-052",
        append(THREE),
        import_(exported(SOUND, entry)),
        import_(exported(SOUND, entry), now=LATER),
        expecting(
            export(LATER),
            has=[
                {"type": "ledger", "seq": 1, "at": NOW},
                {"type": "ledger", "seq": 2, "why": "grew elsewhere", "at": EARLY},
                {"type": "ledger", "seq": 3, "at": NOW},
            ],
            lacks=[{"type": "ledger", "seq": 4}],
        ),
    )


def _two_tellings() -> Cases:
    more = episode(ONE, created=EARLY, strength=1.6, recalls=6, touched=EARLY)
    less = episode(ONE, created=LATER, strength=0.5, recalls=0)
    for name, why, told_there, strength, match in (
        ("stronger", "The higher strength and count and the earlier time hold.", more, 1.6,
         {"recalls": 6, "created": EARLY}),
        ("weaker", "What is weaker or later takes nothing away.", less, 1.0,
         {"recalls": 0, "created": NOW}),
    ):  # fmt: skip
        yield story(
            f"imports/{name}-telling",
            why,
            "MEM-076",
            append(ONE),
            import_(exported(told_there), now=LATER),
            expecting(show(ONE), near={"strength": strength}, match=match),
        )
    for name, here, there, archived in (
        ("both", LATER, EARLY, EARLY),
        ("only-there", None, EARLY, None),
        ("only-here", EARLY, None, None),
    ):
        first, second = ({"archived": at} if at else {} for at in (here, there))
        yield story(
            f"imports/archived-in-{name}",
            "It is archived only if it is in both.",
            "MEM-076",
            import_(exported(episode(ONE, **first))),
            import_(exported(episode(ONE, **second)), now=LATER),
            expecting(show(ONE), match={"archived": archived}),
        )


def _refused(step: Value, code: str, *lines: tuple[int, str]) -> Value:
    error: dict[str, Any] = {"code": code}
    return expecting(step, error={**error, "lines": list(lines)} if lines else error)


def _damaged() -> Cases:
    wrong_id = {**episode(TWO), "id": event_id(THREE)}
    wrong_kind = {**episode(TWO), "kind": "error"}
    no_event = {**episode(TWO), "event": "{}"}
    for name, why, damaged, code in (
        ("cut-line", "Half a record.", line(episode(TWO))[:-20], "malformed"),
        ("no-json", "No JSON.", b"\x00\x00\x00", "malformed"),
        ("id-of-another-event", "An id that is not its event's.", line(wrong_id), "invalid-record"),
        ("kind-of-another-event", "A kind that is not its event's.", line(wrong_kind),
         "invalid-record"),
        ("event-that-is-none", "An event that is none.", line(no_event), "invalid-record"),
        ("newer-major-of-a-record", "A record of a version that nobody here speaks.",
         line({**episode(TWO), "v": "2.0"}), "unsupported-version"),
    ):  # fmt: skip
        stream = exported(SOUND, damaged, episode(THREE), promised={"episode": 3})
        yield story(
            f"imports/{name}",
            f"{why} The line is named, and nothing at all is stored.",
            "MEM-074",
            _refused(import_(stream), "malformed", (3, code)),
            expecting(status(), match={"episodes": 0}),
        )
    two = exported(b"{", SOUND, b"[]", promised={"episode": 3})
    yield story(
        "imports/two-damaged-lines",
        "Each damaged line is named.",
        "MEM-074",
        append(THREE),
        _refused(import_(two), "malformed", (2, "malformed"), (4, "malformed")),
        expecting(status(), match={"episodes": 1}),
    )
    yield story(
        "imports/sound-lines-on-demand",
        "The owner may take the lines that are sound; the others are named all the same.",
        "MEM-074",
        expecting(
            import_(two, sound_only=True),
            match={
                "new": {"episode": 1},
                "damaged": [{"line": 2, "code": "malformed"}, {"line": 4, "code": "malformed"}],
            },
        ),
        expecting(status(), match={"episodes": 1}),
    )


def _no_export() -> Cases:
    for name, why, stream in (
        ("empty", "Nothing.", b""),
        ("without-its-head", "A stream that begins with an episode.", line(SOUND) + b"\n"),
        ("events", "A stream of events.", line(ONE) + b"\n"),
        ("ends-early", "A stream that ends before what its head promises.",
         exported(SOUND, promised={"episode": 2})),
        ("head-alone", "A head that promises what never comes.", exported(promised={"lesson": 1})),
    ):  # fmt: skip
        yield story(
            f"imports/{name}",
            f"{why} It is no exported memory.",
            "MEM-073",
            append(THREE),
            _refused(import_(stream), "malformed"),
            expecting(status(), match={"episodes": 1}),
        )


def _newer() -> Cases:
    head = {"type": "export", "v": "2.0", "records": {"episode": 1}}
    yield story(
        "imports/newer-major",
        "An export of a version that nobody here speaks is refused as that.",
        "MEM-073 OVR-005",
        _refused(import_(line(head) + b"\n" + line(SOUND) + b"\n"), "unsupported-version"),
        expecting(status(), match={"episodes": 0}),
    )
    newer = {"type": "export", "v": "1.7", "records": {"episode": 1}, "mood": "calm"}
    yield story(
        "imports/newer-minor",
        "A newer minor version only adds: fields that nobody knows are left out.",
        "OVR-002 OVR-004 MEM-079",
        expecting(
            import_(line(newer) + b"\n" + line({**SOUND, "v": "1.7", "mood": "calm"}) + b"\n"),
            match={"new": {"episode": 1}},
        ),
        expecting(show(ONE), match={"id": event_id(ONE)}),
    )
    mood = {"type": "mood", "v": "1.7", "mood": "calm"}
    yield story(
        "imports/unknown-type",
        "A record of a type of a later version is counted and keeps nothing from coming in.",
        "MEM-079",
        expecting(
            import_(exported(SOUND, mood, episode(TWO))),
            match={"new": {"episode": 2}, "unknown": 1},
        ),
        expecting(status(), match={"episodes": 2}),
    )


def _kept_out() -> Cases:
    stone = {"type": "tombstone", "v": "1.0", "scope": "episode", "at": AT}
    yield story(
        "imports/tombstone-of-what-is-held",
        "Only the owner of a memory forgets what is in it.",
        "MEM-077",
        append(ONE, TWO),
        import_(exported({**stone, "key": event_id(ONE)})),
        expecting(recall("service port"), has=named(ONE, TWO)),
        expecting(export(), lacks=[{"type": "tombstone"}]),
    )
    yield story(
        "imports/tombstone-of-what-is-not-held",
        "What was forgotten elsewhere, and is not here, stays out.",
        "MEM-076 MEM-083",
        append(TWO),
        import_(exported({**stone, "key": event_id(ONE)})),
        expecting(append(ONE), match={"new": 0, "forgotten": 1}),
    )
    learned = lesson(ONE)
    veto = {"type": "veto", "v": "1.0", "hash": learned["hash"], "text": "Never.", "at": AT}
    for name, why, steps in (
        ("before", "A lesson that was vetoed before.", [exported(veto), exported(SOUND, learned)]),
        ("beside", "A lesson that comes with its own veto.", [exported(veto, SOUND, learned)]),
    ):
        yield story(
            f"imports/vetoed-{name}",
            f"{why} It does not come back.",
            "MEM-053 MEM-075",
            *map(import_, steps),
            expecting(
                export(), has=[{"type": "veto"}, {"type": "episode"}], lacks=[{"type": "lesson"}]
            ),
        )
    other = lesson(ONE, id=content_id("test", "2"), text="The owner was asked about the vault.")
    yield from _lessons(learned, veto)
    yield story(
        "imports/lesson",
        "A lesson that nobody vetoed comes in as it is.",
        "MEM-053 MEM-076",
        import_(exported(veto, SOUND, other)),
        expecting(export(), has=[other]),
    )


def _lessons(learned: Value, veto: Value) -> Cases:
    lifted = {**veto, "lifted": LATER}
    of_source = {**veto, "hash": content_id("test", "other words"), "sources": [event_id(ONE)]}
    lacks: Any = [{"type": "lesson"}]
    for name, why, req, stream, expected in (
        ("veto-that-was-lifted", "A veto that was lifted keeps nothing out.",
         "MEM-053 MEM-054", exported(lifted, SOUND, learned), {"has": [learned]}),
        ("vetoed-by-a-source", "A lesson on what a vetoed one rested on, in other words.",
         "MEM-055", exported(of_source, SOUND, learned), {"lacks": lacks}),
        ("lesson-on-nothing", "A lesson whose source is not there, and one whose is.",
         "MEM-087", exported(SOUND, learned, lesson(TWO, id=content_id("test", "2"))),
         {"has": [learned], "lacks": [{"type": "lesson", "id": content_id("test", "2")}]}),
        ("lesson-of-another-memory", "It rests on what is there.",
         "MEM-087", exported(lesson(TWO, origin="k7f3")), {"has": [lesson(TWO, origin="k7f3")]}),
    ):  # fmt: skip
        yield story(f"imports/{name}", why, req, import_(stream), expecting(export(), **expected))
    yield story(
        "imports/veto-lifted-here",
        "What its owner lifted is not set again by an import.",
        "MEM-054",
        import_(exported(lifted)),
        import_(exported(veto, SOUND, learned)),
        expecting(export(), has=[lifted, learned]),
    )
    for name, wrong in (
        ("hash-of-another-text", {"hash": content_id("test", "another text")}),
        ("number-of-other-sources", {"seen": 7}),
    ):
        yield story(
            f"imports/lesson-with-{name}",
            "A lesson that contradicts itself is a damaged line.",
            "MEM-038 MEM-087" if "hash" in wrong else "MEM-030 MEM-087",
            _refused(
                import_(exported(SOUND, {**learned, **wrong})), "malformed", (3, "invalid-record")
            ),
            expecting(status(), match={"episodes": 0}),
        )
