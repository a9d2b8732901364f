"""Agents' files: a section and lessons' files, written, left alone, and taken out again."""

from conformance.generate.files import lessons, limits, owner, section, words
from conformance.generate.shapes import Cases


def cases() -> Cases:
    """Yield the family's cases."""
    for family in (section, lessons, owner, limits, words):
        yield from family.cases()
