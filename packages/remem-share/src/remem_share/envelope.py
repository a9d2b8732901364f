"""Signed records: DSSE envelopes, one a line (SHR-001 … SHR-004).

What is signed is the payload's type and its exact bytes, so a confirmation can't be shown as a
lesson, and nothing depends on how JSON is written. A reader checks the signatures over the bytes
that arrived and then parses those bytes, once; the envelope is not looked at again.
"""

import base64
import binascii
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

from remem_protocol import (
    MAX_EVENT_BYTES,
    MalformedError,
    TooLargeError,
    UnknownKeyError,
    check_version,
    decode_object,
)
from remem_share.keys import PrivateKey
from remem_share.ports import KnownKeys

Kind = Literal["lesson", "confirm", "revoke", "rotate", "head"]
KINDS: tuple[str, ...] = get_args(Kind)
MAX_SIGNATURES = 8  # a rotation has two


@dataclass(frozen=True)
class Verified:
    """A payload whose signatures hold: its bytes, what they say, and the origins that signed."""

    kind: Kind
    payload: bytes
    record: dict[str, Any]
    origins: frozenset[str]


def payload_type(kind: Kind) -> str:
    """Return the media type that is signed with a record of a kind (SHR-002)."""
    return f"application/vnd.remem.{kind}+json; v=1"


def pre_authentication_encoding(stated_type: str, payload: bytes) -> bytes:
    """Return the bytes that are signed: DSSE's PAE of a payload type and a payload.

    `DSSEv1`, then each with its length in bytes, in decimal, all separated by a space
    (https://github.com/secure-systems-lab/dsse/blob/v1.0.0/protocol.md).
    """
    name = stated_type.encode("utf-8")
    return b"DSSEv1 %d %b %d %b" % (len(name), name, len(payload), payload)


def sign(kind: Kind, payload: bytes, keys: Iterable[PrivateKey]) -> bytes:
    """Return the envelope of a payload, one line without its end, signed by each key.

    Raises MalformedError or TooLargeError rather than sign what a reader would refuse.
    """
    _parse(kind, payload)
    message = pre_authentication_encoding(payload_type(kind), payload)
    signatures = [{"keyid": k.public.origin, "sig": _base64(k.sign(message))} for k in keys]
    if not 1 <= len(signatures) <= MAX_SIGNATURES:
        raise MalformedError(f"an envelope has 1 to {MAX_SIGNATURES} signatures")
    envelope = {
        "payload": _base64(payload),
        "payloadType": payload_type(kind),
        "signatures": signatures,
    }
    line = json.dumps(envelope, separators=(",", ":")).encode("ascii")
    if len(line) > MAX_EVENT_BYTES:
        raise TooLargeError(f"an envelope of {len(line)} bytes, the limit is {MAX_EVENT_BYTES}")
    return line


def verify(kind: Kind, line: bytes, known: KnownKeys) -> Verified:
    """Return the record in an envelope of this kind, after its signatures were checked.

    Signatures by unknown keys count for nothing; one by a known key that doesn't hold refuses the
    whole envelope. Raises MalformedError, TooLargeError, UnknownKeyError when no known key signed,
    BadSignatureError, or UnsupportedVersionError.
    """
    envelope = decode_object(line)
    stated = envelope.get("payloadType")
    if stated != payload_type(kind):
        raise MalformedError(f"not a {kind}: {stated!r:.80}", at="/payloadType")
    payload = _bytes(envelope.get("payload"), "/payload")
    message = pre_authentication_encoding(payload_type(kind), payload)
    origins = set()
    for origin, signature in _signatures(envelope.get("signatures")):
        key = known.get(origin)
        # The name is only how a key is found; what counts is that the key has this name.
        if key is not None and key.origin == origin:
            key.verify(message, signature)
            origins.add(origin)
    if not origins:
        raise UnknownKeyError("signed by no known key", at="/signatures")
    return Verified(kind, payload, _parse(kind, payload), frozenset(origins))


def _signatures(value: object) -> Iterator[tuple[str, bytes]]:
    """Yield the origin and the bytes of each signature; none of them twice."""
    if not isinstance(value, list) or not 1 <= len(value) <= MAX_SIGNATURES:
        raise MalformedError(f"expected 1 to {MAX_SIGNATURES} signatures", at="/signatures")
    seen = set()
    for at, entry in enumerate(value):
        origin = entry.get("keyid") if isinstance(entry, dict) else None
        if not isinstance(origin, str) or origin in seen:
            raise MalformedError("a signature names its key, each once", at=f"/signatures/{at}")
        seen.add(origin)
        yield origin, _bytes(entry.get("sig"), f"/signatures/{at}/sig")


def _parse(kind: Kind, payload: bytes) -> dict[str, Any]:
    """Read a payload's bytes strictly: the kind that its type says, a version, no fractions."""
    record = decode_object(payload)
    if record.get("type") != kind:
        raise MalformedError(f"the payload is no {kind}", at="/type")
    version = record.get("v")
    if not isinstance(version, str):
        raise MalformedError("a version is missing", at="/v")
    check_version(version)
    if _has_fraction(record):
        raise MalformedError("a signed record has no fractions and no exponents")  # SHR-004
    return record


def _has_fraction(value: object) -> bool:
    if isinstance(value, dict):
        return any(map(_has_fraction, value.values()))
    if isinstance(value, list):
        return any(map(_has_fraction, value))
    return isinstance(value, float)


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _bytes(value: object, at: str) -> bytes:
    """Decode base64 of either alphabet, as DSSE has it, in its one canonical spelling."""
    if not isinstance(value, str):
        raise MalformedError("expected base64", at=at)
    standard = value.replace("-", "+").replace("_", "/")
    try:
        data = base64.b64decode(standard, validate=True)
    except (binascii.Error, ValueError):
        data = b""
    # Encoded again, because loose bits at the end would spell one payload in several ways.
    if value not in (_base64(data), base64.urlsafe_b64encode(data).decode("ascii")):
        raise MalformedError("not canonical base64", at=at)
    return data
