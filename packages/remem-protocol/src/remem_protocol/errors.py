"""The closed list of things that can go wrong, named after the layer that failed.

RememError
├── MalformedError            malformed            not one strict JSON object (OVR-010)
├── UnsupportedVersionError   unsupported-version  a major version this program does not speak
├── TooLargeError             too-large            over a stated size
├── InvalidError              (never raised itself)
│   ├── InvalidSessionError   invalid-session      well-formed, but not a Session
│   ├── InvalidEventError     invalid-event        well-formed, but not an Event
│   └── InvalidRecordError    invalid-record       well-formed, but not a memory record
├── SignatureError            (never raised itself)
│   ├── BadSignatureError     bad-signature        the bytes were not signed by that key
│   └── UnknownKeyError       unknown-key          nobody here knows the key
├── TrustError                (never raised itself)
│   ├── UntrustedOriginError  untrusted-origin     the owner has not chosen to trust it
│   ├── RevokedError          revoked              its author took it back
│   ├── RollbackError         rollback             older than what was already seen
│   ├── ForkError             fork                 two different records at one place of a chain
│   └── ExpiredError          expired              past its signed date
├── RefusedError              (never raised itself)
│   ├── UnsafeTextError       unsafe-text          text that would act on its reader
│   ├── SecretError           secret               holds a secret that would leave the machine
│   ├── VetoedError           vetoed               the owner said never
│   └── OutOfScopeError       out-of-scope         belongs to another project
├── NotFoundError             not-found            no such thing here
└── InternalError             internal             a fault of the program, not of its input
"""

from typing import ClassVar, Literal, get_args

ErrorCode = Literal[
    "malformed",
    "unsupported-version",
    "invalid-session",
    "invalid-event",
    "invalid-record",
    "bad-signature",
    "unknown-key",
    "untrusted-origin",
    "revoked",
    "rollback",
    "fork",
    "expired",
    "unsafe-text",
    "secret",
    "vetoed",
    "out-of-scope",
    "not-found",
    "too-large",
    "internal",
]
ERROR_CODES: tuple[str, ...] = get_args(ErrorCode)


class RememError(Exception):
    """Any error of the protocol: a closed `code`, a message for people, and where it stands.

    `at` is a JSON pointer into the record ("/turns/3/at"), or None where no place applies.
    """

    code: ClassVar[ErrorCode] = "internal"

    def __init__(self, message: str, *, at: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.at = at

    def __str__(self) -> str:
        return f"{self.code}: {self.message}" + (f" (at {self.at})" if self.at else "")


class MalformedError(RememError):
    """The bytes are not one JSON object of the strict kind."""

    code = "malformed"


class UnsupportedVersionError(RememError):
    """The record's major version is not one that this program speaks."""

    code = "unsupported-version"


class TooLargeError(RememError):
    """The record is over a stated size."""

    code = "too-large"


class InvalidError(RememError):
    """Well-formed JSON that is not the record it claims to be."""


class InvalidSessionError(InvalidError):
    """Not a Session."""

    code = "invalid-session"


class InvalidEventError(InvalidError):
    """Not an Event."""

    code = "invalid-event"


class InvalidRecordError(InvalidError):
    """Not a memory record."""

    code = "invalid-record"


class SignatureError(RememError):
    """A signature could not be relied on."""


class BadSignatureError(SignatureError):
    """The bytes were not signed by that key."""

    code = "bad-signature"


class UnknownKeyError(SignatureError):
    """Nobody here knows the key."""

    code = "unknown-key"


class TrustError(RememError):
    """A signature holds, and still the record may not be taken."""


class UntrustedOriginError(TrustError):
    """The owner has not chosen to trust this origin."""

    code = "untrusted-origin"


class RevokedError(TrustError):
    """Its author took it back."""

    code = "revoked"


class RollbackError(TrustError):
    """Older than what was already seen from this origin."""

    code = "rollback"


class ForkError(TrustError):
    """Two different records claim one place of a chain."""

    code = "fork"


class ExpiredError(TrustError):
    """Past its signed date."""

    code = "expired"


class RefusedError(RememError):
    """Valid and genuine, and still not to be taken in or given out."""


class UnsafeTextError(RefusedError):
    """Text that would act on its reader."""

    code = "unsafe-text"


class SecretError(RefusedError):
    """Holds a secret that would leave the machine."""

    code = "secret"


class VetoedError(RefusedError):
    """The owner said never."""

    code = "vetoed"


class OutOfScopeError(RefusedError):
    """Belongs to another project."""

    code = "out-of-scope"


class NotFoundError(RememError):
    """No such thing here."""

    code = "not-found"


class InternalError(RememError):
    """A fault of the program, not of its input."""

    code = "internal"
