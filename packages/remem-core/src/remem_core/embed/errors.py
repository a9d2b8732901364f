"""What can go wrong with embedders.

RememError (remem_protocol)
├── EmbedderError          internal   an embedder cannot be loaded, or stopped answering
└── EmbedderSettingError   not-found  REMEM_EMBED names no embedder; also a ValueError
EmbedderWarning            a weaker embedder is used than the one that was asked for
"""

from remem_protocol import InternalError, NotFoundError


class EmbedderError(InternalError):
    """An embedder cannot be loaded, or stopped answering. `remedy` says what the owner can do."""

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.remedy = remedy


class EmbedderSettingError(NotFoundError, ValueError):
    """`REMEM_EMBED` has a value of no known form."""


class EmbedderWarning(UserWarning):
    """A weaker embedder is used than the one that was asked for."""
