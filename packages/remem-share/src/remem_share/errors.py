"""What can go wrong with the owner's own keys, beyond the protocol's errors.

RememError (remem_protocol)
└── InternalError
    └── KeyFileError    internal   a key's file may not be used as it is, or not be written
"""

from remem_protocol import InternalError


class KeyFileError(InternalError):
    """A key's file is open to others, is no plain file, or would replace another key."""
