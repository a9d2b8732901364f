"""The protocol's version on the wire: `MAJOR.MINOR`, where a minor only adds (OVR-001)."""

import re

from remem_protocol.errors import MalformedError, UnsupportedVersionError

PROTOCOL = "1.0"
_VERSION = re.compile(r"(0|[1-9][0-9]{0,3})\.(0|[1-9][0-9]{0,3})")


def parse_version(text: str) -> tuple[int, int]:
    """Return (major, minor) of `MAJOR.MINOR`; raise MalformedError for anything else."""
    match = _VERSION.fullmatch(text)
    if match is None:
        raise MalformedError(f"not a version: {text[:40]!r}", at="/v")
    return int(match[1]), int(match[2])


def check_version(text: str) -> None:
    """Raise UnsupportedVersionError unless this program speaks the record's major version.

    A newer minor is accepted: it only adds fields and types, and those are ignored or passed
    through (OVR-002).
    """
    major, _ = parse_version(text)
    if major != parse_version(PROTOCOL)[0]:
        raise UnsupportedVersionError(f"version {text}, this program speaks {PROTOCOL}", at="/v")


def negotiate(offered: list[str]) -> str:
    """Return the highest offered version whose major this program speaks.

    When the offer's minor is higher than ours, ours is the one to speak: it is a subset.
    """
    ours = parse_version(PROTOCOL)
    shared = [v for v in map(parse_version, offered) if v[0] == ours[0]]
    if not shared:
        raise UnsupportedVersionError(f"no common version: {offered} against {PROTOCOL}")
    major, minor = min(max(shared), ours)
    return f"{major}.{minor}"
