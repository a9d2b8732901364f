"""Why a file of an agent is left as it is.

RememError
└── RefusedError
    └── SetupError  (its `reason` is one of a closed list)
"""

from typing import Literal

from remem_protocol import OutOfScopeError

Reason = Literal[
    "unreadable",  # not what its agent could read either
    "ambiguous",  # a key stands there twice, so nobody knows which one counts
    "shape",  # something else stands where our entry would go
    "taken",  # another program's entry has our name
    "read-only",  # its owner, or a tool that keeps it, does not want it written
    "unreachable",  # a link that leads nowhere, a folder in its place
    "changed",  # written by somebody else between the look and the change
    "failed",  # an agent's own command did not do it
]


class SetupError(OutOfScopeError):
    """A file of an agent that we may not or can not change; it stays as it was."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason: Reason = reason
