"""What can go wrong with a memory on disk, beyond the protocol's own errors.

RememError
├── UnsupportedVersionError
│   └── NewerStoreError       unsupported-version  written by a newer remem
├── RefusedError
│   └── OutOfScopeError
│       └── ForeignHomeError  out-of-scope         the folder belongs to another program
└── InternalError
    └── StoreError            internal             the file could not be read or written
        └── BusyError         internal             others held the file for too long
"""

from remem_protocol import InternalError, OutOfScopeError, UnsupportedVersionError


class NewerStoreError(UnsupportedVersionError):
    """The store was written by a newer program, which alone knows how to keep it right."""


class ForeignHomeError(OutOfScopeError):
    """The folder holds something that is not remem's."""


class StoreError(InternalError):
    """The store could not be read or written; nothing that was stored is lost."""


class BusyError(StoreError):
    """Other programs held the store for longer than we wait. It is not damaged."""
