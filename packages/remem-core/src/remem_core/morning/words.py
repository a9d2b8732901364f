"""Small words: dates, counts, and foreign text made into one harmless line."""

import unicodedata
from collections.abc import Sequence

from remem_protocol import parse_time

_MONTHS = (
    "January February March April May June July August September October November December"
).split()  # not the C library's: they follow the owner's locale
_JOINERS = "\u200c\u200d"  # which scripts and emoji need


def one_line(text: str, limit: int) -> str:
    """Return foreign text on one line, cut at a word, without what drives a terminal or a page.

    Controls, bidi controls and what no font has are left out.
    """
    kept = (c if unicodedata.category(c)[0] != "C" or c in _JOINERS else " " for c in text)
    line = " ".join("".join(kept).split())
    if len(line) <= limit:
        return line
    head = line[:limit].rsplit(" ", 1)[0] if " " in line[:limit] else line[:limit]
    return f"{head.rstrip('.,;: ')} …"


def day(time: str) -> str:
    """Return a time or a day as `4 March 2026`."""
    return f"{int(time[8:10])} {_MONTHS[int(time[5:7]) - 1]} {time[:4]}"


def days(first: str, last: str) -> str:
    """Return two times as `4 March 2026`, `4–28 March 2026` or `4 March – 2 April 2026`."""
    if first[:10] == last[:10]:
        return day(first)
    if first[:7] == last[:7]:
        return f"{int(first[8:10])}–{day(last)}"
    start = day(first)[: -len(" 2026")] if first[:4] == last[:4] else day(first)
    return f"{start} – {day(last)}"


def weekday(time: str) -> str:
    """Return the English name of a time's day."""
    return "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()[
        parse_time(time).weekday()
    ]


def plural(count: int, noun: str) -> str:
    """Return `1 lesson`, `2 lessons`, `1,000 lessons`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def times(count: int) -> str:
    """Return `once`, `twice`, `3 times`."""
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def listed(parts: Sequence[str]) -> str:
    """Return `a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(parts[:-1]), parts[-1]) if part)


def project_name(project: str) -> str:
    """Return the last part of a project's identity."""
    return one_line(project.rstrip("/").rsplit("/", 1)[-1], 40) or project
