"""The generators of transcripts as agents write them, with the sessions that are in them.

What a reader has to find is reasoned from `spec/v1/session.md` and `readers.md`.
"""

from conformance.generate.readers import (
    claude_calls,
    claude_files,
    claude_people,
    codex,
    codex_files,
    copilot,
    exports,
    gemini,
    lists,
)
from conformance.generate.shapes import Cases

FAMILIES = (
    claude_people,
    claude_calls,
    claude_files,
    codex,
    codex_files,
    gemini,
    copilot,
    exports,
    lists,
)


def cases() -> Cases:
    """Yield the cases of all agents."""
    for family in FAMILIES:
        yield from family.cases()
