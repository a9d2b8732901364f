"""Codec: what every line is – UTF-8, strict JSON, so deep and so long at most."""

from conformance.generate.shapes import (
    Case,
    Cases,
    Value,
    accept,
    case,
    line,
    note,
    open_line,
    parts,
    person,
    refuse,
    session,
    with_id,
    without,
)

NOTE = note()
OK = with_id(NOTE)
LIMIT = 1_048_576


def cases() -> Cases:
    """Yield the family's cases."""
    yield from _json()
    yield from _spelling()
    yield from _utf8()
    yield from _names()
    yield from _numbers()
    yield from _surrogates()
    yield from _depth()
    yield from _sizes()


def _valid(name: str, why: str, req: str, raw: bytes, ok: Value = OK) -> Case:
    return accept(f"codec/valid/{name}", why, req, raw, ok)


def _malformed(name: str, why: str, req: str, raw: bytes) -> Case:
    return refuse(f"codec/invalid/{name}", why, req, raw, "malformed")


def _json() -> Cases:
    body = line(NOTE)
    faults = {
        "array-top-level": (b"[" + body + b"]", "A record is an object, not a list of one."),
        "string-top-level": (b'"note"', "A record is an object, not a string."),
        "null-top-level": (b"null", "A record is an object, not null."),
        "empty": (b"", "No bytes are no object."),
        "white-space-only": (b" \t ", "White space alone is no object."),
        "two-objects-on-a-line": (body + body, "One line holds one object."),
        "trailing-garbage": (body + b"x", "Nothing follows the object."),
        "truncated": (body[:-1], "The object is not closed."),
        "trailing-comma": (body[:-1] + b",}", "A comma after the last member."),
        "comment": (body + b"/* a note */", "JSON has no comments."),
        "single-quotes": (body.replace(b'"', b"'"), "Strings stand in double quotes."),
        "no-break-space-around": (b"\xc2\xa0" + body, "U+00A0 is not JSON's white space."),
        "vertical-tab-around": (body + b"\x0b", "0x0B is not JSON's white space."),
        "leading-zero": (open_line(NOTE, '"x":007'), "A number has no leading zeros."),
        "plus-sign": (open_line(NOTE, '"x":+1'), "A number has no plus sign."),
        "bare-fraction": (open_line(NOTE, '"x":.5'), "A fraction has a digit before its point."),
        "unknown-escape": (open_line(NOTE, r'"x":"\x41"'), "JSON has no escape x."),
        "short-unicode-escape": (open_line(NOTE, r'"x":"\u41"'), "An escape u has four digits."),
        "raw-tab-in-string": (open_line(NOTE, '"x":"a\tb"'), "0x09 in a string is escaped."),
        "raw-nul-in-string": (open_line(NOTE, '"x":"a\0b"'), "0x00 in a string is escaped."),
        "raw-unit-separator-in-string": (
            open_line(NOTE, '"x":"a\x1fb"'),
            "0x1F, the last control character of ASCII's first block, is escaped.",
        ),
    }
    for name, (raw, why) in faults.items():
        yield _malformed(name, why, "OVR-010", raw)


def _spelling() -> Cases:
    body = line(NOTE)
    yield _valid(
        "white-space-around-and-within",
        "JSON's own white space may stand around the object and between its parts.",
        "OVR-010",
        b" \t\r" + body.replace(b'":', b'" :\t').replace(b',"', b' ,\r"') + b"\t \r",
    )
    yield _valid(
        "delete-in-string",
        "0x7F may stand in a string as it is.",
        "OVR-010",
        line(note(text="a\x7fb")),
        with_id(note(text="a\x7fb")),
    )
    yield _valid(
        "escapes-resolved",
        "All of JSON's escapes, in a name too, mean the characters they stand for.",
        "OVR-010",
        line(without(NOTE, "text"))[:-1] + rb',"te\u0078t":"\"\\\/\b\f\n\r\t\u00e9\u0000"}',
        with_id(note(text='"\\/\b\f\n\r\t\xe9\0')),
    )
    yield _valid(
        "members-in-any-order",
        "The order of members means nothing.",
        "OVR-010",
        line(dict(reversed(NOTE.items()))),
    )


def _utf8() -> Cases:
    body = line(NOTE)
    faults = {
        "byte-ff": (b"\xff", "0xFF never occurs in UTF-8."),
        "overlong": (b"\xc0\xaf", "An overlong form is not UTF-8."),
        "cut-sequence": (b"\xe2\x82", "A cut sequence is not UTF-8."),
        "encoded-surrogate": (b"\xed\xa0\xbd", "A surrogate's bytes are not UTF-8."),
        "beyond-unicode": (b"\xf4\x90\x80\x80", "Nothing lies beyond U+10FFFF."),
    }
    for name, (data, why) in faults.items():
        raw = body.replace(b"8417", data)
        yield _malformed(f"not-utf-8-{name}", why, "OVR-010", raw)
    text = body.decode("ascii")
    yield _malformed(
        "utf-16", "UTF-8 alone, no other encoding.", "OVR-010", text.encode("utf-16-le")
    )
    yield _malformed(
        "byte-order-mark",
        "No byte order mark before the object.",
        "OVR-012",
        b"\xef\xbb\xbf" + body,
    )
    inside = note(text="zero\ufeffwidth")
    yield _valid(
        "byte-order-mark-inside-string",
        "Within a string U+FEFF is a character.",
        "OVR-012",
        line(inside),
        with_id(inside),
    )


def _names() -> Cases:
    yield _malformed(
        "duplicate-name",
        "The same name twice, with other values.",
        "OVR-013",
        open_line(NOTE, '"text":"The last one wins."'),
    )
    yield _malformed(
        "duplicate-name-same-value",
        "The same name twice, the value equal.",
        "OVR-013",
        open_line(NOTE, '"v":"1.0"'),
    )
    yield _malformed(
        "duplicate-name-escaped",
        "Names are equal once escapes are resolved.",
        "OVR-013",
        open_line(NOTE, r'"te\u0078t":"Another."'),
    )
    yield _malformed(
        "duplicate-name-in-unknown-field",
        "Also within a field nobody knows.",
        "OVR-013",
        open_line(NOTE, '"x":[{"a":1,"b":2,"a":1}]'),
    )
    yield _malformed(
        "duplicate-unknown-name",
        "Also a name that nobody knows.",
        "OVR-013",
        open_line(NOTE, '"x":1,"x":1'),
    )
    yield _malformed(
        "duplicate-name-in-unknown-kind",
        "Also where the record is passed through.",
        "OVR-013 OVR-043",
        b'{"kind":"dream","v":"1.0","x":1,"x":2}',
    )
    yield _valid(
        "same-name-in-two-objects",
        "A name may occur again in another object.",
        "OVR-013",
        open_line(NOTE, '"x":{"text":"a","x":{"text":"b"}}'),
    )
    yield _valid(
        "names-that-differ-in-case",
        "Names that differ in case are different.",
        "OVR-013",
        open_line(NOTE, '"Text":"not the text"'),
    )


def _numbers() -> Cases:
    for name, text in {
        "nan": "NaN",
        "infinity": "Infinity",
        "minus-infinity": "-Infinity",
        "exponent-beyond-double": "1e999",
        "minus-exponent-beyond-double": "-1e999",
        "fraction-beyond-double": "1" + "0" * 400 + ".5",
    }.items():
        yield _malformed(
            name, f"Not a finite double: {text[:12]}.", "OVR-014", open_line(NOTE, f'"x":{text}')
        )
    for name, text in {
        "integer-2-to-53": "9007199254740992",
        "integer-minus-2-to-53": "-9007199254740992",
        "integer-of-400-digits": "9" * 400,
    }.items():
        yield _malformed(
            name,
            "An integer that a double may not hold exactly.",
            "OVR-015",
            open_line(NOTE, f'"x":{text}'),
        )
    yield _valid(
        "largest-integers",
        "Both ends of the range of exact integers.",
        "OVR-015",
        open_line(NOTE, '"x":[9007199254740991,-9007199254740991]'),
    )
    yield _valid(
        "large-number-with-exponent",
        "With an exponent only a double's range counts.",
        "OVR-014 OVR-015",
        open_line(NOTE, '"x":[1e300,-2.5E+20,9007199254740993.0]'),
    )


def _surrogates() -> Cases:
    for name, text in {
        "lone-high-surrogate": r"\ud83d",
        "lone-low-surrogate": r"\ude00",
        "reversed-surrogates": r"\ude00\ud83d",
        "two-high-surrogates": r"\ud83d\ud83d",
        "high-surrogate-before-letter": r"\ud83d\u0041",
        "halves-apart": r"\ud83d \ude00",
    }.items():
        raw = line(note(text="PLACE")).replace(b"PLACE", text.encode("ascii"))
        yield _malformed(name, f"Half a pair: {text}.", "OVR-016", raw)
    yield _malformed(
        "lone-surrogate-in-unknown-field",
        "Also in a field nobody knows.",
        "OVR-016",
        open_line(NOTE, r'"x":{"y":["\uD800"]}'),
    )
    yield _malformed(
        "lone-surrogate-in-name", "Also in a name.", "OVR-016", open_line(NOTE, r'"\udfff":1')
    )
    pair = note(text="\U0001f600")
    yield _valid(
        "surrogate-pair",
        "Two halves in the right order are one character.",
        "OVR-016",
        line(note(text="PLACE")).replace(b"PLACE", rb"\ud83d\uDE00"),
        with_id(pair),
    )
    backslash = note(text=r"\ud800")
    yield _valid(
        "escaped-backslash-before-u",
        "An escaped backslash starts no other escape.",
        "OVR-016",
        line(backslash),
        with_id(backslash),
    )


def _depth() -> Cases:
    yield _valid(
        "depth-64-lists",
        "63 lists within the record.",
        "OVR-017",
        open_line(NOTE, '"x":' + "[" * 63 + "]" * 63),
    )
    yield _valid(
        "depth-64-objects",
        "63 objects within the record.",
        "OVR-017",
        open_line(NOTE, '"x":' + '{"x":' * 62 + "{}" + "}" * 62),
    )
    yield _malformed(
        "depth-65-lists",
        "64 lists within the record.",
        "OVR-017",
        open_line(NOTE, '"x":' + "[" * 64 + "]" * 64),
    )
    yield _malformed(
        "depth-65-objects",
        "64 objects within the record.",
        "OVR-017",
        open_line(NOTE, '"x":' + '{"x":' * 63 + "{}" + "}" * 63),
    )
    opening = open_line(NOTE, '"x":').removesuffix(b"}")
    deep = parts((opening, 1), (b"[", 100_000), (b"]", 100_000), (b"}", 1))
    yield case(
        "codec/invalid/depth-100000",
        "So deep that a recursive parser falls over.",
        "OVR-017",
        "decode",
        {"type": "event", "raw_parts": deep},
        {"error": {"code": "malformed"}},
    )
    quoted = note(text="[" * 80 + '"' + "{" * 80 + "\\" + "[" * 80)
    yield _valid(
        "brackets-inside-string",
        "Brackets in a string are no levels, nor do escaped quotes end it.",
        "OVR-017",
        line(quoted),
        with_id(quoted),
    )
    yield _valid(
        "many-siblings",
        "200 lists beside one another are two levels.",
        "OVR-017",
        open_line(NOTE, '"x":[' + ",".join(["[]"] * 200) + "]"),
    )


def _sizes() -> Cases:
    head, tail = open_line(NOTE, '"x":"').removesuffix(b"}"), b'"}'
    room = LIMIT - len(head) - len(tail)

    def sized(*middle: tuple[bytes, int]) -> Value:
        return {"type": "event", "raw_parts": parts((head, 1), *middle, (tail, 1))}

    over: Value = {"error": {"code": "too-large"}}
    yield case(
        "codec/valid/event-of-1-mib",
        "A line of exactly 1,048,576 bytes.",
        "OVR-018",
        "decode",
        sized((b"a", room)),
        {"ok": OK},
    )
    yield case(
        "codec/invalid/event-over-1-mib",
        "One byte more than 1,048,576.",
        "OVR-018",
        "decode",
        sized((b"a", room + 1)),
        over,
    )
    yield case(
        "codec/invalid/event-over-1-mib-in-bytes",
        "The limit is in bytes: fewer characters, but more bytes.",
        "OVR-018",
        "decode",
        sized((b"\xc3\xa9", room // 2), (b"a", 2)),
        over,
    )
    yield case(
        "codec/invalid/oversize-before-malformed",
        "A line over the limit is too large, whatever it holds.",
        "OVR-018 OVR-043",
        "decode",
        {"type": "event", "raw_parts": parts((b"[", LIMIT + 1))},
        over,
    )
    opening = open_line(session(person()), '"x":"').removesuffix(b"}")
    long = {"type": "session", "raw_parts": parts((opening, 1), (b"a", LIMIT), (tail, 1))}
    yield case(
        "codec/valid/session-over-1-mib",
        "A session may be longer than an event.",
        "OVR-018",
        "decode",
        long,
        {"ok": session(person())},
    )
