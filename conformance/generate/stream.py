"""Streams: where a line ends, and that one bad line leaves the others alone."""

from conformance.generate.shapes import (
    Case,
    Cases,
    Value,
    case,
    encoded,
    line,
    note,
    parts,
    with_id,
    without,
)

FIRST, SECOND = note(text="First."), note(text="Second.")
ONE, TWO = with_id(FIRST), with_id(SECOND)
A, B = line(FIRST), line(SECOND)


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _ends()
    yield from _bad_lines()


def _stream(name: str, why: str, req: str, raw: bytes, *entries: Value) -> Case:
    folder = "invalid" if any("error" in entry for entry in entries) else "valid"
    given = {"type": "event", "raw": encoded(raw)}
    return case(f"codec/{folder}/stream-{name}", why, req, "stream", given, {"ok": list(entries)})


def _ok(number: int, value: Value) -> Value:
    return {"line": number, "ok": value}


def _error(number: int, code: str, at: str | None = None) -> Value:
    return {"line": number, "error": {"code": code} if at is None else {"code": code, "at": at}}


def _ends() -> Cases:
    both = _ok(1, ONE), _ok(2, TWO)
    yield _stream(
        "of-two", "Two lines, each with its end.", "OVR-011", A + b"\n" + B + b"\n", *both
    )
    yield _stream(
        "without-last-end", "The last line needs no end.", "OVR-011", A + b"\n" + B, *both
    )
    yield _stream("empty", "No bytes are no lines.", "OVR-011", b"")
    yield _stream("of-line-ends", "Lines of no bytes are skipped.", "OVR-011", b"\n\n\n")
    yield _stream(
        "with-empty-lines",
        "Lines of no bytes are skipped, and count in the numbers.",
        "OVR-011 ADP-024",
        b"\n" + A + b"\n\n\n" + B + b"\n\n",
        _ok(2, ONE),
        _ok(5, TWO),
    )
    yield _stream(
        "carriage-return-before-end",
        "A carriage return before the end is white space after the object.",
        "OVR-010 OVR-011",
        A + b"\r\n" + B + b"\r\n",
        *both,
    )
    for name, mark in {
        "line-separator": "\u2028",
        "paragraph-separator": "\u2029",
        "next-line": "\x85",
    }.items():
        split = note(text=f"one{mark}line")
        why = f"U+{ord(mark):04X} in a string ends no line."
        raw = line(split) + b"\n" + B
        yield _stream(f"{name}-in-string", why, "OVR-011", raw, _ok(1, with_id(split)), _ok(2, TWO))
    for name, end in {
        "vertical-tab": b"\x0b",
        "form-feed": b"\x0c",
        "line-separator": "\u2028".encode(),
        "next-line": "\x85".encode(),
        "lone-carriage-return": b"\r",
    }.items():
        why = f"{end!r} between two objects ends no line: it is one malformed line."
        yield _stream(f"{name}-between", why, "OVR-011", A + end + B, _error(1, "malformed"))


def _bad_lines() -> Cases:
    bad = {
        "malformed": (b"{", _error(2, "malformed")),
        "not-utf-8": (b'{"\xff":1}', _error(2, "malformed")),
        "byte-order-mark": (b"\xef\xbb\xbf" + A, _error(2, "malformed")),
        "white-space": (b"  \r", _error(2, "malformed")),
        "unsupported-version": (line(note(v="2.0")), _error(2, "unsupported-version", "/v")),
        "invalid-field": (line(note(source="me")), _error(2, "invalid-event", "/source")),
        "missing-field": (line(without(FIRST, "text")), _error(2, "invalid-event")),
    }
    for name, (raw, error) in bad.items():
        yield _stream(
            f"{name}-between",
            "A line that is refused is reported, and the lines around it are read.",
            "OVR-019 OVR-040 EVT-071" + (" OVR-012" if name == "byte-order-mark" else ""),
            A + b"\n" + raw + b"\n" + B + b"\n",
            _ok(1, ONE),
            error,
            _ok(3, TWO),
        )
    yield case(
        "codec/invalid/stream-oversize-between",
        "A line over the limit is reported, and the lines around it are read.",
        "OVR-018 OVR-019",
        "stream",
        {
            "type": "event",
            "raw_parts": parts((A + b"\n", 1), (b"a", 1_048_577), (b"\n" + B, 1)),
        },
        {"ok": [_ok(1, ONE), _error(2, "too-large"), _ok(3, TWO)]},
    )
    unknown = b'{"kind":"dream","v":"1.0"}'
    yield _stream(
        "unknown-kind-between",
        "A kind that nobody knows is passed through, and the lines around it are read.",
        "OVR-003 EVT-072",
        A + b"\n" + unknown + b"\n" + B,
        _ok(1, ONE),
        _ok(2, {"unknown": "dream", "raw": encoded(unknown)}),
        _ok(3, TWO),
    )
    twice = A + b"\n" + A + b"\n"
    yield _stream(
        "same-event-twice",
        "The same event twice is two lines with one id.",
        "EVT-010",
        twice,
        _ok(1, ONE),
        _ok(2, ONE),
    )
