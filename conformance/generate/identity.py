"""Event: its times, and the id computed from its content."""

from conformance.generate.event import COMMON, of, valid, wrong
from conformance.generate.shapes import (
    Cases,
    Value,
    accept,
    case,
    encoded,
    event_id,
    line,
    note,
    with_id,
)


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _times()
    yield from _identity()
    yield from _wrong_ids()


def _times() -> Cases:
    spelling = {
        "without-zone": "2026-03-04T09:00:00.000000",
        "with-offset": "2026-03-04T10:00:00.000000+01:00",
        "with-zero-offset": "2026-03-04T09:00:00.000000+00:00",
        "of-3-digits": "2026-03-04T09:00:00.000Z",
        "of-9-digits": "2026-03-04T09:00:00.000000000Z",
        "without-fraction": "2026-03-04T09:00:00Z",
        "with-comma": "2026-03-04T09:00:00,000000Z",
        "with-lower-case-z": "2026-03-04T09:00:00.000000z",
        "with-lower-case-t": "2026-03-04t09:00:00.000000Z",
        "with-space": "2026-03-04 09:00:00.000000Z",
        "with-line-end": "2026-03-04T09:00:00.000000Z\n",
        "in-other-digits": "٢٠٢٦-03-04T09:00:00.000000Z",
        "as-date": "2026-03-04",
        "of-basic-form": "20260304T090000.000000Z",
        "empty": "",
    }
    calendar = {
        "in-month-13": "2026-13-04T09:00:00.000000Z",
        "in-month-0": "2026-00-04T09:00:00.000000Z",
        "on-30-february": "2026-02-30T09:00:00.000000Z",
        "on-29-february-1900": "1900-02-29T09:00:00.000000Z",
        "at-hour-24": "2026-03-04T24:00:00.000000Z",
        "at-minute-60": "2026-03-04T09:60:00.000000Z",
        "leap-second": "2026-06-30T23:59:60.000000Z",
        "in-year-0": "0000-03-04T09:00:00.000000Z",
    }
    for req, times in {"OVR-020": spelling, "OVR-021": calendar}.items():
        for name, at in times.items():
            yield wrong(f"at-{name}", f"Not a time: {at!r}.", req, note(at=at), "/at")
    yield wrong("at-number", "Not a time: a number.", "OVR-020 OVR-025", note(at=1772614800), "/at")
    for kind, name in (
        ("note", "valid_from"),
        ("note", "valid_until"),
        ("session", "started"),
        ("session", "ended"),
    ):
        yield wrong(
            f"{kind}-{name.replace('_', '-')}-in-month-13",
            "Every time must exist.",
            "OVR-021",
            of(kind, **{name: calendar["in-month-13"]}),
            f"/{name}",
        )
    for name, at in {
        "first": "0001-01-01T00:00:00.000000Z",
        "last": "9999-12-31T23:59:59.999999Z",
        "on-29-february-2000": "2000-02-29T12:00:00.000001Z",
    }.items():
        yield valid(f"at-{name}", "A time that exists.", "OVR-020 OVR-021", note(at=at))


def _identity() -> Cases:
    given = with_id(of("correction", **COMMON))
    yield valid("id-given-right", "An id that is that of the content.", "EVT-011", given)
    spelled = line(note(id=""))
    yield valid("id-empty", "An empty id counts as absent.", "EVT-001 EVT-011", note(), spelled)
    answered = of("handback", action="Shall I?", said="No.", answer="declined")
    did = of("correction", agent_did="pip install", ended="offer")
    judged = of("correction", evidence="cue", confidence=91, candidate=True)
    yield from _identified(
        "OVR-030 OVR-031 EVT-010",
        ("of-a-note", "The least: neither project nor session.", note()),
        ("of-project-here", "The same words in two projects are two events.", note(project="here")),
        ("of-project-there", "The other of the two projects.", note(project="there")),
        ("of-project-empty", "An empty project is not an absent one.", note(project="")),
        ("of-session-not-project", "The same text in another field.", note(session="here")),
        ("of-description-empty", "Empty, not absent.", of("error", description="")),
        ("of-description-not-call", "A word in the next field.", of("error", call="make")),
        ("of-environment", "The kind is hashed too.", of("environment")),
        ("of-nul", "A NUL is a character like others.", note(text="a\0b")),
        ("of-handback", "What was answered is not hashed.", answered),
        ("of-session", "Neither gist nor length is hashed.", of("session", session="s-1")),
        ("of-correction", "What the agent did is not hashed.", did),
        ("of-correction-judged", "How a message was judged is not hashed.", judged),
        ("of-newer-minor", "The version is not hashed.", note(v="1.3")),
    )
    scripts = note(text="ポート 8417 🍏", project="git:пример/сад")
    yield from _identified(
        "OVR-031 OVR-032 EVT-010",
        ("of-composed", "Not normalised: é as one character.", note(text="caf\u00e9")),
        ("of-decomposed", "Not normalised: e and an accent.", note(text="cafe\u0301")),
        ("of-untrimmed", "Not trimmed, not folded.", note(text="  The Port \n")),
        ("of-many-scripts", "Lengths are those of the UTF-8.", scripts),
    )


def _identified(req: str, *rows: tuple[str, str, Value]) -> Cases:
    for name, why, value in rows:
        ok = {"ok": {"id": event_id(value)}}
        yield case(f"event/valid/id-{name}", why, req, "id", {"value": value}, ok)


def _wrong_ids() -> Cases:
    other = event_id(note(project="there"))
    for name, value in {
        "of-other-content": other,
        "in-capitals": event_id(note()).upper(),
        "too-short": event_id(note())[:-1],
        "with-line-end": event_id(note()) + "\n",
        "random": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "in-hexadecimal": "5210e7b10c031b73e6468429a0f3c1d2",
    }.items():
        yield wrong(f"id-{name}", "Not the id of the content.", "EVT-011", note(id=value), "/id")
    yield wrong("id-number", "An id is a text.", "EVT-011 OVR-025", note(id=5), "/id")
    yield case(
        "event/invalid/id-op-of-wrong-id",
        "Asked for the id of an event that carries a wrong one.",
        "EVT-011 ADP-023",
        "id",
        {"value": note(id=other)},
        {"error": {"code": "invalid-event", "at": "/id"}},
    )
    passed = b'{"kind":"dream","v":"1.0","id":"not an id"}'
    yield accept(
        "event/valid/id-of-unknown-kind",
        "Nobody checks the id of a kind that nobody knows.",
        "OVR-003",
        passed,
        {"unknown": "dream", "raw": encoded(passed)},
    )
