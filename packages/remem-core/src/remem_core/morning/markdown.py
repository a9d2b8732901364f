"""A morning as Markdown: text is escaped, so that it reads as it was said and does nothing."""

import re
from collections.abc import Iterator

from remem_core.morning.report import Morning
from remem_core.morning.sections import (
    VETO,
    Item,
    basis,
    over_time,
    sections,
    summary,
)
from remem_core.morning.words import day, one_line, weekday

_ACTIVE = (
    r"[`*<|~]"  # code, emphasis, tags, tables, deletions
    r"|(?<![^\W_])_|_(?![^\W_])"  # a single one inside of a word does nothing
    r"|\\(?=[!-/:-@\[-`{-~]|\Z)"  # a backslash that would escape, or break the line
    r"|&(?=#?\w+;)|(?<!/)/(?=/)|(?<=\bwww)\.|(?<=\w)@"  # entities; what is a link by itself
    r"|^[#>+=\[-]"  # what opens a block, or a box to tick
)
_PLAIN, _LINKED = re.compile(_ACTIVE), re.compile(rf"{_ACTIVE}|[\[\]]")
_LINKS = ("](", "][", "]:")
_NUMBERED = re.compile(r"^(\d+)([.)])")


def render(morning: Morning) -> str:
    """Return the report; it ends with a line break."""
    return "\n".join(_lines(morning)) + "\n"


def escape(text: str) -> str:
    """Return foreign text as one line that Markdown shows as it is."""
    line = one_line(text, len(text))
    active = _LINKED if any(link in line for link in _LINKS) else _PLAIN
    plain = active.sub(r"\\\g<0>", line)
    return _NUMBERED.sub(r"\1\\\2", plain)


def _lines(morning: Morning) -> Iterator[str]:
    yield f"# {weekday(morning.now)}, {day(morning.now)}"
    yield ""
    yield escape(summary(morning))
    for section in sections(morning):
        yield ""
        yield f"## {escape(section.title)}"
        yield ""
        for item in section.items:
            if section.table:
                yield f"- {escape(item.words)}: {escape(item.facts)}"
            else:
                yield from _item(item)
        if section.more:
            yield f"- {escape(section.more)}"
    yield ""
    yield "## What this rests on"
    yield ""
    yield escape(basis(morning))
    if not morning.is_quiet:
        yield escape(over_time(morning))
        yield ""
        yield escape(VETO)


def _item(item: Item) -> Iterator[str]:
    yield f"- {escape(item.words)}"
    facts = [part for part in (escape(item.facts), f"`{item.id}`" if item.id else "") if part]
    if facts:
        yield f"  {' · '.join(facts)}"
