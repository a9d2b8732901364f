"""How a text is laid out: its line ends and its indentation, so that what we add looks at home."""

import re
from dataclasses import dataclass
from typing import Final

BOM: Final = "\ufeff"
_FIRST_INDENT: Final = re.compile(r"^([ \t]+)\S", re.MULTILINE)


@dataclass(frozen=True)
class Style:
    """A line end, and one step of indentation."""

    newline: str
    indent: str


def style_of(text: str) -> Style:
    """Read the style off a text; two spaces and \\n where it shows none."""
    at = text.find("\n")
    newline = "\r\n" if at > 0 and text[at - 1] == "\r" else "\n"
    found = _FIRST_INDENT.search(text)
    return Style(newline, found[1] if found else "  ")


def indent_at(text: str, at: int) -> str:
    """Return the whitespace that the line of a place begins with."""
    start = text.rfind("\n", 0, at) + 1
    end = start
    while end < at and text[end] in " \t":
        end += 1
    return text[start:end]
