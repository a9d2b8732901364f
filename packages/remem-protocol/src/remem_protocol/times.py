"""Points in time as the wire has them: ISO 8601, UTC, six digits, `Z` (OVR-020).

One spelling for each instant, so that comparing texts compares times and a time can be hashed.
"""

import datetime
import re
from typing import Annotated

import msgspec

TIME_PATTERN = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z$"
Time = Annotated[
    str,
    msgspec.Meta(pattern=TIME_PATTERN, description="ISO 8601, UTC, microseconds, Z", max_length=27),
]
# Newer Pythons read 24:00 as the next day's 00:00, which has a spelling of its own.
_EXACT = re.compile(TIME_PATTERN.replace("$", r"\Z").replace("T", "T(?!24)"))
_SHORT = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,6}))?Z")


def format_time(moment: datetime.datetime) -> str:
    """Spell an aware datetime as the wire does; raise ValueError for a naive one."""
    if moment.tzinfo is None:
        raise ValueError("a time without a zone is not a point in time")
    return moment.astimezone(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")


def parse_time(text: str) -> datetime.datetime:
    """Read the wire's spelling, and no other, as an aware datetime; raise ValueError."""
    if _EXACT.match(text) is None:
        raise ValueError(f"not a time of the protocol: {text[:40]!r}")
    return datetime.datetime.fromisoformat(text)


def normalise_time(text: str) -> str:
    """Respell any ISO 8601 time that names its zone; raise ValueError for others.

    For readers of foreign files: `2026-03-04T05:06:07Z`, `…07.123Z`, `…07+02:00`.
    """
    if (match := _SHORT.fullmatch(text)) is not None:  # what nearly every agent writes
        exact = f"{match[1]}.{(match[2] or '').ljust(6, '0')}Z"
        parse_time(exact)
        return exact
    return format_time(datetime.datetime.fromisoformat(text))
