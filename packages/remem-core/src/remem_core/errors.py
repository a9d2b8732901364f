"""What can go wrong with a memory on disk, beyond the protocol's own errors.

RememError
├── MalformedError
│   ├── DamagedImportError    malformed            lines of an export can not be read
│   └── DamagedSnapshotError  malformed            not the bytes that were kept
├── UnsupportedVersionError
│   └── NewerStoreError       unsupported-version  written by a newer remem
├── RefusedError
│   └── OutOfScopeError
│       └── ForeignHomeError  out-of-scope         the folder belongs to another program
├── NotFoundError
│   ├── StaleChangeError      not-found            what a change would change is not as it was
│   └── ModelSettingError     not-found            REMEM_LLM names no model; also a ValueError
└── InternalError
    ├── ModelError            internal             a language model gave no usable answer
    └── StoreError            internal             the file could not be read or written
        └── BusyError         internal             others held the file for too long
ModelWarning                  a language model was asked for and is left out
"""

from remem_protocol import (
    InternalError,
    MalformedError,
    NotFoundError,
    OutOfScopeError,
    UnsupportedVersionError,
)


class DamagedImportError(MalformedError):
    """Lines of an export can not be read; nothing of it was stored.

    `lines` has (line number, what is wrong) of each.
    """

    def __init__(self, message: str, lines: list[tuple[int, str]]) -> None:
        super().__init__(message)
        self.lines = lines


class DamagedSnapshotError(MalformedError):
    """A snapshot is not the bytes that were kept, or no memory of ours; nothing was changed."""


class NewerStoreError(UnsupportedVersionError):
    """The store was written by a newer program, which alone knows how to keep it right."""


class ForeignHomeError(OutOfScopeError):
    """The folder holds something that is not remem's."""


class StoreError(InternalError):
    """The store could not be read or written; nothing that was stored is lost."""


class BusyError(StoreError):
    """Other programs held the store for longer than we wait. It is not damaged."""


class ModelError(InternalError):
    """A language model gave no usable answer; whoever asked goes on without."""


class StaleChangeError(NotFoundError):
    """What a change would change is not as it was when the change was decided; nothing is done.

    `later` is the number of the change that has to be taken back first, where there is one.
    """

    def __init__(self, message: str, later: int | None = None) -> None:
        super().__init__(message)
        self.later = later


class ModelSettingError(NotFoundError, ValueError):
    """`REMEM_LLM` has a value of no known form."""


class ModelWarning(UserWarning):
    """A language model that the owner named is left out from here on."""
