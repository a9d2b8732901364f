"""Strict decoding of one line and of streams (OVR-010 to OVR-019, OVR-050 to OVR-052)."""

import pytest

from remem_protocol import (
    MAX_DEPTH,
    MAX_EVENT_BYTES,
    MAX_INTEGER,
    MAX_RECORD_BYTES,
    MalformedError,
    Note,
    TooLargeError,
    UnknownEvent,
    UnknownRecord,
    decode_event,
    decode_events,
    decode_object,
    decode_record,
    decode_session,
    encode,
    encode_stream,
    split_lines,
)

NOTE = Note(at="2026-03-04T09:00:00.000000Z", source="owner", text="The port is 8417.")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"", "Expecting value"),
        (b" ", "Expecting value"),
        (b"[]", "not an object"),
        (b"null", "not an object"),
        (b"{} {}", "Extra data"),
        (b'{"a":1,}', ""),
        (b'{"a":1} // why', "Extra data"),
        (b'{"a":\n1}', "more than one line"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b'{"a":"\xff"}', "not UTF-8 at byte 6"),
        (b'{"a":"\xed\xa0\x80"}', "not UTF-8"),  # a surrogate in UTF-8's clothes
        (b'{"a":"\x00"}', "control character"),
        (b"\xc2\xa0{}", "Expecting value"),  # a no-break space is not JSON's white space
        (b'{"a":1,"a":1}', "duplicate key"),
        (b'{"a":1,"\\u0061":2}', "duplicate key"),
        (b'{"x":[{"a":1,"a":2}]}', "duplicate key"),
        (b'{"a":NaN}', "NaN"),
        (b'{"a":-Infinity}', "-Infinity"),
        (b'{"a":1e400}', "double"),
        (b'{"a":9007199254740992}', "integer"),
        (b'{"a":-9007199254740992}', "integer"),
        (b'{"a":' + b"9" * 5000 + b"}", "integer"),
        (b'{"a":01}', ""),
        (b'{"a":"\\ud83d"}', "surrogate"),
        (b'{"a":"\\ude00\\ud83d"}', "surrogate"),
        (b'{"\\ud83d":1}', "surrogate"),
    ],
)
def test_a_line_that_two_decoders_could_read_differently_is_malformed(line, why):
    with pytest.raises(MalformedError) as caught:
        decode_object(line)
    assert why in caught.value.message


def test_what_is_strange_and_allowed_is_read():
    line = b' \t{"a":"\\ud83d\\ude00","b":-9007199254740991,"c":1.5e3,"":null}\r '
    assert decode_object(line) == {"a": "😀", "b": -MAX_INTEGER, "c": 1500.0, "": None}


@pytest.mark.parametrize("shape", ['{"a":%s}', '{"a":[%s]}'])
def test_depth_counts_from_the_record_itself(shape):
    opening, closing = shape.split("%s")
    levels = opening.count("{") + opening.count("[")
    fits = opening * (MAX_DEPTH // levels) + "1" + closing * (MAX_DEPTH // levels)
    decode_object(fits.encode())
    with pytest.raises(MalformedError, match="deeper"):
        decode_object(('{"a":' + fits + "}").encode())


def test_brackets_in_a_text_are_no_depth():
    text = '[{\\"' * 100
    assert decode_object(f'{{"a":"{text}"}}'.encode()) == {"a": '[{"' * 100}


def test_brackets_side_by_side_are_no_depth():
    assert len(decode_object(b'{"a":[' + b"[]," * 99 + b"[]]}")["a"]) == 100


def test_an_event_may_be_exactly_as_long_as_the_limit():
    shell = encode(NOTE)
    room = MAX_EVENT_BYTES - len(shell)
    padded = shell[:-1] + b',"x":"' + b"x" * (room - 7) + b'"}'
    assert len(padded) == MAX_EVENT_BYTES
    assert decode_event(padded) == NOTE
    with pytest.raises(TooLargeError):
        decode_event(padded + b" ")


def test_a_record_may_be_longer_than_the_event_it_holds_as_text():
    shell = b'{"type":"alias","v":"1.0","old":"%b","new":"%b","at":"%b","x":"%%b"}' % (
        b"a" * 32,
        b"b" * 32,
        b"2026-03-04T09:00:00.000000Z",
    )
    room = MAX_RECORD_BYTES - len(shell % b"")
    decode_record(shell % (b"x" * room))
    with pytest.raises(TooLargeError):
        decode_record(shell % (b"x" * (room + 1)))


def test_size_is_judged_before_anything_else():
    with pytest.raises(TooLargeError):
        decode_event(b"\xff" * (MAX_EVENT_BYTES + 1))


def test_a_session_may_be_longer_than_an_event():
    moment = "2026-03-04T09:00:00.000000Z"
    line = (
        f'{{"type":"session","v":"1.0","id":"s","agent":"a","started":"{moment}",'
        f'"ended":"{moment}","turns":[{{"role":"person","at":"{moment}","text":"{"x" * 2**20}"}}]}}'
    )
    assert len(decode_session(line.encode()).turns[0].text) == 2**20


def test_only_the_newline_byte_ends_a_line():
    others = "\u2028\u2029\u0085\x0b\x0c\r"
    data = f"one{others}more\n\nthree\r\nfour".encode()
    assert list(split_lines(data)) == [
        (1, f"one{others}more".encode()),
        (3, b"three\r"),
        (4, b"four"),
    ]


def test_one_bad_line_does_not_stop_the_rest():
    unknown = b'{"v":"1.4", "kind":"dream",  "a":1}'
    lines = [encode(NOTE), b"{", b"", unknown, encode(NOTE)]
    out = dict(decode_events(b"\n".join(lines)))
    assert list(out) == [1, 2, 4, 5]
    assert out[1] == out[5] == NOTE
    assert isinstance(out[2], MalformedError)
    assert out[4] == UnknownEvent(kind="dream", raw=unknown)


def test_unknown_kinds_and_types_leave_as_the_bytes_they_came_in():
    line = b' {"v":"1.9","type":"dream","kind":"dream","at":4,"b":[1, 2]} '
    assert encode(decode_event(line)) == line
    record = decode_record(line)
    assert record == UnknownRecord(type="dream", raw=line)
    assert encode(record) == line


def test_unknown_does_not_mean_unchecked():
    with pytest.raises(MalformedError):
        decode_event(b'{"v":"1.0","kind":"dream","a":1,"a":2}')


def test_a_stream_ends_every_line_and_breaks_none():
    note = Note(at=NOTE.at, source="owner", text="one\ntwo\u2028three")
    (line,) = encode_stream([note])
    assert line.count(b"\n") == 1
    assert line.endswith(b"}\n")
    assert decode_event(line[:-1]) == note
