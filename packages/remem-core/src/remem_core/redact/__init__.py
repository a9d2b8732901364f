"""Redaction: a secret that was said, typed or printed must never reach the disk.

Runs on every field of an event before the first durable write. Each secret becomes
`[redacted:<kind>]`, so that a reader sees what stood there. Why these are our own rules and not
a detector's: spec/decisions/0010-redaction.md.
"""

from typing import Any

from remem_core.redact.assignments import redact_assignments
from remem_core.redact.keys import redact_private_keys
from remem_core.redact.tokens import redact_tokens
from remem_protocol import Event, replace_event

__all__ = ["redact", "redact_event"]

# Closed vocabularies, times and ids: no room for a secret.
_FIXED = frozenset({
    "v", "id", "at", "source", "cause", "ended", "act", "answer", "layer", "said_by",
    "valid_from", "valid_until", "supersedes", "started",
})  # fmt: skip
# A placeholder may be longer than what it replaces; these fields have a limit (EVT).
_LIMITS = {"ref": 200, "session": 1024, "agent": 1024, "project": 1024, "tool": 1024}


def redact(text: str) -> str:
    """Return the text with each secret replaced by `[redacted:<kind>]`.

    Applied until nothing changes, so redacting twice is redacting once. Each round that changes
    something leaves fewer characters outside placeholders, so it ends; it is nearly always one.
    """
    while (clean := _redact_once(text)) != text:
        text = clean
    return text


def redact_event(event: Event) -> Event:
    """Return the event with every free text redacted, and its id computed anew (EVT-010)."""
    changes: dict[str, Any] = {}
    for name in event.__struct_fields__:
        value = getattr(event, name)
        if isinstance(value, str) and value and name not in _FIXED:
            clean = redact(value)
            if clean != value:
                changes[name] = clean[: _LIMITS.get(name)]
    return replace_event(event, **changes) if changes else event


def _redact_once(text: str) -> str:
    return redact_assignments(redact_tokens(redact_private_keys(text)))
