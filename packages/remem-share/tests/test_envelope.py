"""DSSE envelopes: what is signed, what is refused, and in which order."""

import base64
import json
import random as seeded
from typing import Any, get_args

import pytest

from remem_protocol import (
    BadSignatureError,
    MalformedError,
    RememError,
    TooLargeError,
    UnknownKeyError,
    UnsupportedVersionError,
)
from remem_share.envelope import (
    Kind,
    payload_type,
    pre_authentication_encoding,
    sign,
    verify,
)
from remem_share.keys import PrivateKey, PublicKey, generate

LESSON = '{"type":"lesson","v":"1.0","text":"Übe erst, dann schreib."}'.encode()


def key(seed: int = 1) -> PrivateKey:
    return generate(seeded.Random(seed).randbytes)


def known(*keys: PrivateKey) -> dict[str, PublicKey]:
    return {k.public.origin: k.public for k in keys}


def changed(line: bytes, **fields: object) -> bytes:
    return json.dumps({**json.loads(line), **fields}).encode()


def enveloped(payload: bytes, kind: Kind = "lesson", by: PrivateKey | None = None) -> bytes:
    """An envelope whose signature holds, whatever its payload says."""
    signer = by or key()
    signature = signer.sign(pre_authentication_encoding(payload_type(kind), payload))
    envelope = {
        "payload": base64.b64encode(payload).decode(),
        "payloadType": payload_type(kind),
        "signatures": [
            {"keyid": signer.public.origin, "sig": base64.b64encode(signature).decode()}
        ],
    }
    return json.dumps(envelope).encode()


def test_encoding_is_that_of_the_specification() -> None:
    got = pre_authentication_encoding("http://example.com/HelloWorld", b"hello world")
    assert got == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"


def test_encoding_counts_bytes_not_characters() -> None:
    assert pre_authentication_encoding("é", "ü\n".encode()) == b"DSSEv1 2 \xc3\xa9 3 \xc3\xbc\n"
    assert pre_authentication_encoding("", b"") == b"DSSEv1 0  0 "


def test_signed_record_is_read_back_as_the_same_bytes() -> None:
    line = sign("lesson", LESSON, [key()])
    got = verify("lesson", line, known(key()))
    assert (got.payload, got.kind, got.origins) == (LESSON, "lesson", {key().public.origin})
    assert got.record == json.loads(LESSON)
    assert b"\n" not in line


def test_envelope_is_the_same_each_time() -> None:
    assert sign("lesson", LESSON, [key()]) == sign("lesson", LESSON, [key()])
    assert json.loads(sign("lesson", LESSON, [key()])) == {
        "payload": base64.b64encode(LESSON).decode(),
        "payloadType": "application/vnd.remem.lesson+json; v=1",
        "signatures": [
            {
                "keyid": key().public.origin,
                "sig": base64.b64encode(
                    key().sign(b"DSSEv1 38 application/vnd.remem.lesson+json; v=1 61 " + LESSON)
                ).decode(),
            }
        ],
    }


@pytest.mark.parametrize("kind", get_args(Kind))
def test_every_kind_is_signed_as_itself(kind: Kind) -> None:
    payload = json.dumps({"type": kind, "v": "1.0"}).encode()
    line = sign(kind, payload, [key()])
    assert verify(kind, line, known(key())).kind == kind
    for other in set(get_args(Kind)) - {kind}:
        with pytest.raises(MalformedError):
            verify(other, line, known(key()))


def test_confirm_is_not_replayed_as_a_lesson() -> None:
    confirm = sign("confirm", b'{"type":"confirm","v":"1.0"}', [key()])
    with pytest.raises(MalformedError, match="not a lesson"):
        verify("lesson", confirm, known(key()))
    relabelled = changed(confirm, payloadType=payload_type("lesson"))
    with pytest.raises(BadSignatureError):
        verify("lesson", relabelled, known(key()))


def test_payload_that_says_another_kind_than_its_type_is_refused() -> None:
    with pytest.raises(MalformedError, match="no lesson"):
        verify("lesson", enveloped(b'{"type":"confirm","v":"1.0"}'), known(key()))


def test_changed_payload_is_refused() -> None:
    line = sign("lesson", LESSON, [key()])
    other = base64.b64encode(LESSON.replace(b"erst", b"nie ")).decode()
    with pytest.raises(BadSignatureError):
        verify("lesson", changed(line, payload=other), known(key()))


def test_same_record_written_differently_is_refused() -> None:
    line = sign("lesson", LESSON, [key()])
    spaced = base64.b64encode(json.dumps(json.loads(LESSON)).encode()).decode()
    with pytest.raises(BadSignatureError):
        verify("lesson", changed(line, payload=spaced), known(key()))


def test_signature_is_checked_before_the_payload_is_parsed() -> None:
    """A stranger's bytes never reach the parser: the signature's error is the one that is told."""
    line = changed(sign("lesson", LESSON, [key()]), payload=base64.b64encode(b"{{{").decode())
    with pytest.raises(BadSignatureError):
        verify("lesson", line, known(key()))
    with pytest.raises(UnknownKeyError):
        verify("lesson", enveloped(b"{{{", by=key(2)), known(key()))


def test_unknown_key_is_told_apart_from_a_bad_signature() -> None:
    line = sign("lesson", LESSON, [key(2)])
    with pytest.raises(UnknownKeyError):
        verify("lesson", line, known(key()))


def test_key_filed_under_another_origin_counts_for_nothing() -> None:
    line = json.loads(sign("lesson", LESSON, [key(2)]))
    line["signatures"][0]["keyid"] = key(1).public.origin
    with pytest.raises(UnknownKeyError):
        verify("lesson", json.dumps(line).encode(), {key(1).public.origin: key(2).public})


def test_signature_by_a_stranger_beside_a_known_one_is_ignored() -> None:
    line = sign("rotate", b'{"type":"rotate","v":"1.0"}', [key(1), key(2)])
    got = verify("rotate", line, known(key(1)))
    assert got.origins == {key(1).public.origin}
    assert verify("rotate", line, known(key(1), key(2))).origins == set(known(key(1), key(2)))


def test_one_bad_signature_of_a_known_key_refuses_the_envelope() -> None:
    line = json.loads(sign("rotate", b'{"type":"rotate","v":"1.0"}', [key(1), key(2)]))
    line["signatures"][1]["sig"] = line["signatures"][0]["sig"]
    with pytest.raises(BadSignatureError):
        verify("rotate", json.dumps(line).encode(), known(key(1), key(2)))


def test_unknown_fields_of_the_envelope_are_ignored() -> None:
    line = changed(sign("lesson", LESSON, [key()]), later={"a": 1})
    assert verify("lesson", line, known(key())).payload == LESSON


def test_payload_may_be_in_either_alphabet_but_one_spelling() -> None:
    payload = '{"type":"lesson","v":"1.0","text":"???>>>ÿÿÿ"}'.encode()
    standard = base64.b64encode(payload).decode()
    url_safe = base64.urlsafe_b64encode(payload).decode()
    assert standard != url_safe
    line = sign("lesson", payload, [key()])
    assert verify("lesson", changed(line, payload=url_safe), known(key())).payload == payload
    for loose in (standard + "\n", standard.rstrip("="), standard.replace("/", "_", 1), " "):
        with pytest.raises(MalformedError, match="base64"):
            verify("lesson", changed(line, payload=loose), known(key()))


def test_loose_bits_at_the_end_are_refused() -> None:
    line = json.loads(sign("lesson", LESSON, [key()]))
    sig = line["signatures"][0]["sig"]
    assert sig[-3] in "AQgw"  # 64 bytes leave four bits of the last letter unused
    line["signatures"][0]["sig"] = sig[:-3] + chr(ord(sig[-3]) + 1) + "=="
    with pytest.raises(MalformedError, match="canonical"):
        verify("lesson", json.dumps(line).encode(), known(key()))


@pytest.mark.parametrize(
    "fields",
    [
        {"payload": None},
        {"payload": 7},
        {"payloadType": None},
        {"payloadType": "application/vnd.remem.lesson+json;v=1"},
        {"payloadType": "application/vnd.remem.lesson+json; v=2"},
        {"signatures": None},
        {"signatures": []},
        {"signatures": {}},
        {"signatures": ["x"]},
        {"signatures": [{"sig": "AAAA"}]},
        {"signatures": [{"keyid": "a"}]},
        {"signatures": [{"keyid": "a", "sig": ""}] * 2},
        {"signatures": [{"keyid": str(n), "sig": ""} for n in range(9)]},
    ],
)
def test_incomplete_envelope_is_malformed(fields: dict[str, Any]) -> None:
    line = changed(sign("lesson", LESSON, [key()]), **fields)
    with pytest.raises(MalformedError):
        verify("lesson", line, known(key()))


def test_doubled_field_of_the_envelope_is_malformed() -> None:
    line = sign("lesson", LESSON, [key()])
    with pytest.raises(MalformedError):
        verify("lesson", line.replace(b"{", b'{"payload":"AAAA",', 1), known(key()))


@pytest.mark.parametrize(
    ("payload", "error"),
    [
        (b"", MalformedError),
        (b"[]", MalformedError),
        (b'{"type":"lesson","type":"lesson","v":"1.0"}', MalformedError),
        (b'\xef\xbb\xbf{"type":"lesson","v":"1.0"}', MalformedError),
        (b'{"type":"lesson","v":"1.0","n":1.0}', MalformedError),
        (b'{"type":"lesson","v":"1.0","n":[{"m":1e2}]}', MalformedError),
        (b'{"type":"lesson","v":"1.0","n":9007199254740992}', MalformedError),
        (b'{"type":"lesson","v":"1.0","text":"\\ud800"}', MalformedError),
        (b'{"type":"lesson"}', MalformedError),
        (b'{"type":"lesson","v":1}', MalformedError),
        (b'{"type":"lesson","v":"2.0"}', UnsupportedVersionError),
    ],
)
def test_payload_is_read_strictly_and_such_are_never_signed(
    payload: bytes, error: type[RememError]
) -> None:
    with pytest.raises(error):
        verify("lesson", enveloped(payload), known(key()))
    with pytest.raises(error):
        sign("lesson", payload, [key()])


def test_nothing_is_signed_without_a_key_or_with_too_many() -> None:
    for keys in ([], [key(n) for n in range(9)]):
        with pytest.raises(MalformedError):
            sign("lesson", LESSON, keys)


def test_envelope_over_the_limit_is_not_made() -> None:
    payload = b'{"type":"lesson","v":"1.0","text":"%b"}' % (b"x" * 800_000)
    with pytest.raises(TooLargeError):
        sign("lesson", payload, [key()])
