"""What sharing needs from the rest of the program, as structural types."""

from typing import Protocol

from remem_share.keys import PublicKey


class KnownKeys(Protocol):
    """The public keys that a memory knows, by origin; a dict of them fits."""

    def get(self, origin: str, /) -> PublicKey | None: ...
