"""Codec: versions, what nobody knows, the order of errors, encoding."""

from conformance.generate.shapes import (
    AT,
    Case,
    Cases,
    Value,
    accept,
    agent,
    call,
    case,
    encoded,
    event,
    line,
    note,
    open_line,
    person,
    refuse,
    session,
    with_id,
    without,
)

NOTE = note()
OK = with_id(NOTE)


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _versions()
    yield from _version_spelling()
    yield from _unknown()
    yield from _order()
    yield from _encode()
    yield from _negotiate()


def _valid(name: str, why: str, req: str, raw: bytes, ok: Value = OK) -> Case:
    return accept(f"codec/valid/{name}", why, req, raw, ok)


def _versions() -> Cases:
    newer = note(v="1.7")
    yield _valid(
        "newer-minor",
        "A newer minor version only adds.",
        "OVR-002 OVR-004",
        open_line(newer, '"mood":"added in 1.7"'),
        with_id(newer),
    )
    largest = note(v="1.9999")
    yield _valid(
        "largest-minor",
        "A minor of four digits.",
        "OVR-001 OVR-002",
        line(largest),
        with_id(largest),
    )
    for name, text in {
        "newer-major": "2.0",
        "older-major": "0.9",
        "major-of-two-digits": "10.0",
    }.items():
        yield refuse(
            f"codec/invalid/{name}",
            f"Nobody here speaks version {text}.",
            "OVR-005",
            line(note(v=text)),
            "unsupported-version",
            "/v",
        )
    yield refuse(
        "codec/invalid/newer-major-of-session",
        "Also for a session.",
        "OVR-005",
        line(session(v="2.0")),
        "unsupported-version",
        "/v",
        "session",
    )


def _version_spelling() -> Cases:
    for name, text in {
        "version-without-minor": "1",
        "version-of-three-numbers": "1.0.0",
        "version-with-leading-zero": "01.0",
        "version-with-zeros-after": "1.00",
        "version-of-five-digits": "1.10000",
        "version-with-space": "1.0 ",
        "version-with-line-end": "1.0\n",
        "version-with-other-digits": "1.\u0660",
        "version-empty": "",
        "version-of-letters": "one",
    }.items():
        yield refuse(
            f"codec/invalid/{name}",
            f"Not of the form MAJOR.MINOR: {text!r}.",
            "OVR-001",
            line(note(v=text)),
            "malformed",
            "/v",
        )
    for name, value in {
        "version-number": 1.0,
        "version-null": None,
        "version-list": ["1.0"],
    }.items():
        yield refuse(
            f"codec/invalid/{name}",
            "A version is a string.",
            "OVR-001",
            line(note(v=value)),
            "invalid-event",
            "/v",
        )
    yield refuse(
        "codec/invalid/version-missing",
        "A record carries its version.",
        "OVR-001",
        line(without(NOTE, "v")),
        "invalid-event",
        "/v",
    )
    yield refuse(
        "codec/invalid/version-missing-in-session",
        "Also a session.",
        "OVR-001",
        line(without(session(), "v")),
        "invalid-session",
        "/v",
        "session",
    )


def _unknown() -> Cases:
    yield _valid(
        "unknown-fields",
        "Fields that nobody knows are ignored, whatever they hold.",
        "OVR-004 ADP-021",
        open_line(NOTE, '"mood":"calm","x":[null,{"y":1.5}],"":0,"ключ":1'),
    )
    strange = b' {"v":"1.0",  "kind":"dream", "at":"yesterday","n":1.50,"t":"\\u00e9"}\t'
    yield _valid(
        "unknown-kind",
        "Passed through byte for byte, spaces and spelling included.",
        "OVR-003 EVT-072",
        strange,
        {"unknown": "dream", "raw": encoded(strange)},
    )
    newer = b'{"kind":"dream","v":"1.4","source":7}'
    yield _valid(
        "unknown-kind-of-newer-minor",
        "A newer minor may add kinds.",
        "OVR-002 OVR-003",
        newer,
        {"unknown": "dream", "raw": encoded(newer)},
    )
    record = b'{"type":"dream","v":"1.0", "id":5}'
    yield accept(
        "codec/valid/unknown-record-type",
        "Also a type of record.",
        "OVR-003",
        record,
        {"unknown": "dream", "raw": encoded(record)},
        "record",
    )
    yield case(
        "codec/valid/encode-unknown-kind",
        "What was passed through is given out as it came.",
        "OVR-003 ADP-022",
        "encode",
        {"type": "event", "value": {"unknown": "dream", "raw": encoded(strange)}},
        {"raw": encoded(strange)},
    )


def _order() -> Cases:
    yield refuse(
        "codec/invalid/malformed-before-version",
        "The JSON is looked at before the version.",
        "OVR-043",
        open_line(note(v="2.0"), '"x":NaN'),
        "malformed",
    )
    yield refuse(
        "codec/invalid/version-before-kind",
        "The version is looked at before the kind.",
        "OVR-005 OVR-043",
        b'{"kind":"dream","v":"2.0"}',
        "unsupported-version",
        "/v",
    )
    yield refuse(
        "codec/invalid/version-before-fields",
        "The version is looked at before the fields.",
        "OVR-005 OVR-043",
        line({"kind": "note", "v": "3.1", "at": 5}),
        "unsupported-version",
        "/v",
    )


def _encode() -> Cases:
    def encode(name: str, why: str, req: str, value: Value, kind: str = "event") -> Case:
        ok = with_id(value) if kind == "event" else value
        return case(
            f"codec/valid/encode-{name}",
            why,
            req,
            "encode",
            {"type": kind, "value": value},
            {"ok": ok},
        )

    yield encode(
        "note", "What is encoded decodes to what it was, its id computed.", "OVR-050 OVR-052", NOTE
    )
    awkward = note(text='"\\\n\r\t\0\x0b\x1f\x7f\x85\u2028\u2029\ufeff\U0001f600\U0010ffff')
    yield encode(
        "awkward-characters",
        "Quotes, controls, line ends of other worlds, and characters beyond the first plane.",
        "OVR-050 OVR-051 OVR-052",
        awkward,
    )
    yield encode(
        "empty-and-absent",
        "An empty text is not an absent one.",
        "OVR-052",
        event("handback", act="offer", answer="other", action="", said=""),
    )
    summary = event("session", gist="", turns=9007199254740991, started=AT, ended=AT)
    yield encode("largest-integer", "The largest integer, exactly.", "OVR-015 OVR-052", summary)
    whole = session(person(), agent(call("failed", input="make")), project="p", parent="s-0")
    yield encode("session", "A session with turns and calls.", "OVR-050 OVR-052", whole, "session")


def _negotiate() -> Cases:
    def agree(name: str, why: str, offered: list[str], version: str) -> Case:
        return case(
            f"codec/valid/negotiate-{name}",
            why,
            "OVR-006",
            "negotiate",
            {"offered": offered},
            {"ok": {"version": version}},
        )

    yield agree("same", "Both know the same.", ["1.0"], "1.0")
    yield agree("newer-minor", "The other knows more: what both know is spoken.", ["1.3"], "1.0")
    yield agree("newer-major-too", "The order of an offer means nothing.", ["1.0", "2.1"], "1.0")
    yield agree(
        "newer-major-first",
        "A major that one side does not know is left aside.",
        ["2.1", "1.2", "0.4"],
        "1.0",
    )
    for name, offered in {"nothing": [], "no-common-major": ["2.0", "0.9"]}.items():
        yield case(
            f"codec/invalid/negotiate-{name}",
            "Without a common major there is no answer.",
            "OVR-006",
            "negotiate",
            {"offered": offered},
            {"error": {"code": "unsupported-version"}},
        )
