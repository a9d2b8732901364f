"""The report's two files in the memory's home, and which night they tell of."""

import os
import re
import tempfile
from pathlib import Path

from remem_core.morning import markdown, page
from remem_core.morning.report import Morning
from remem_core.paths import Locations
from remem_protocol import parse_time

_STAMP = re.compile(r"<!-- remem: night of (\S+), after row (\d{1,15}) -->\n")


def page_path(places: Locations) -> Path:
    """Return where the page is: beside the report, whatever that is called."""
    return places.morning.with_suffix(".html")


def write(places: Locations, morning: Morning) -> None:
    """Write both files, readable by their owner alone, each whole or not at all. Raises OSError."""
    stamp = f"<!-- remem: night of {morning.now}, after row {morning.since} -->\n"
    _put(places.morning, stamp + markdown.render(morning))
    _put(page_path(places), page.render(morning))


def last_night(places: Locations) -> tuple[str, int] | None:
    """Return (now, since_seq) of the night that the report tells of; None before the first."""
    try:
        with places.morning.open(encoding="utf-8", errors="replace") as file:
            stamp = _STAMP.match(file.readline(200))
        if stamp is None:
            return None
        parse_time(stamp[1])
    except (OSError, ValueError):
        return None
    return stamp[1], int(stamp[2])


def clear(places: Locations) -> None:
    """Delete both files: what they quote was forgotten."""
    for path in (places.morning, page_path(places)):
        path.unlink(missing_ok=True)


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)  # 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
