"""Ed25519 keys: whose lesson it is. The only module that knows libsodium.

A memory has one signing key, and a recovery key whose private half is never stored: it is shown
once, to be written down, and can revoke and rotate when the signing key is lost or stolen.

libsodium's verification is the strict one that SHR-010 asks for: A and R canonical and not of
small order, S below the group's order, no cofactor. The tests hold it to that, because other
libraries accept signatures that it refuses, and two readers must not disagree.
"""

import base64
import binascii
import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from nacl.exceptions import CryptoError
from nacl.signing import SigningKey as NaclSigningKey
from nacl.signing import VerifyKey

from remem_protocol import BadSignatureError, MalformedError, content_id

# A source of secret bytes, given how many.
Random = Callable[[int], bytes]

KEY_BYTES = 32
SIGNATURE_BYTES = 64
ORIGIN_DOMAIN = "remem/1/origin"

_CHECK_DOMAIN = b"remem/1/recovery"
_CHECK_BYTES = 3  # with the seed 35 bytes, which are 56 letters of base32 without padding
_LETTERS = str.maketrans("018", "OIB", " -\t\r\n")


@dataclass(frozen=True)
class PublicKey:
    """A memory's public key, 32 bytes."""

    raw: bytes

    def __post_init__(self) -> None:
        if len(self.raw) != KEY_BYTES:
            raise MalformedError(f"a public key has {KEY_BYTES} bytes, not {len(self.raw)}")

    @property
    def origin(self) -> str:
        """The content id of the whole key, written in lower-case hex (SHR-011)."""
        return content_id(ORIGIN_DOMAIN, [self.raw.hex()])

    def verify(self, message: bytes, signature: bytes) -> None:
        """Raise BadSignatureError unless the holder of this key signed the message (SHR-010)."""
        # Lengths first: for those libsodium's binding raises other errors.
        if len(signature) != SIGNATURE_BYTES:
            raise BadSignatureError(f"a signature has {SIGNATURE_BYTES} bytes")
        try:
            VerifyKey(self.raw).verify(message, signature)
        except CryptoError:
            raise BadSignatureError("the bytes were not signed by that key") from None


@dataclass(frozen=True)
class PrivateKey:
    """The secret half: the 32 bytes that RFC 8032 calls the private key. Never shown by repr."""

    seed: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.seed) != KEY_BYTES:
            raise MalformedError(f"a private key has {KEY_BYTES} bytes, not {len(self.seed)}")

    @property
    def public(self) -> PublicKey:
        """The half that everyone may know."""
        return PublicKey(bytes(NaclSigningKey(self.seed).verify_key))

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message, 64 bytes, the same each time."""
        return NaclSigningKey(self.seed).sign(message).signature


def generate(random: Random = secrets.token_bytes) -> PrivateKey:
    """Return a new key."""
    return PrivateKey(random(KEY_BYTES))


def recovery_text(key: PrivateKey) -> str:
    """Return a key as 14 groups of 4 letters, to be written down by hand.

    Base32 of the seed and 3 bytes that tell a slip of the pen.
    """
    letters = base64.b32encode(key.seed + _check(key.seed)).decode("ascii")
    return " ".join(letters[at : at + 4] for at in range(0, len(letters), 4))


def from_recovery_text(text: str) -> PrivateKey:
    """Return the key that was written down, in any case and spacing; 0, 1 and 8 are O, I and B.

    Raises MalformedError when it is incomplete or miswritten.
    """
    try:
        data = base64.b32decode(text.upper().translate(_LETTERS))
    except (binascii.Error, ValueError):
        raise MalformedError("a recovery key is 56 letters A-Z and digits 2-7") from None
    seed, check = data[:KEY_BYTES], data[KEY_BYTES:]
    if len(seed) != KEY_BYTES or check != _check(seed):
        raise MalformedError("the recovery key is miswritten: its last letters don't fit the rest")
    return PrivateKey(seed)


def _check(seed: bytes) -> bytes:
    return hashlib.sha256(_CHECK_DOMAIN + seed).digest()[:_CHECK_BYTES]
