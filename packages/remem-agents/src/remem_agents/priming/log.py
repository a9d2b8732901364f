"""The log of hooks, read again: one line a call, a file a month, what is damaged left out."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def read_log(primed: Path, *, since: str = "") -> Iterator[dict[str, Any]]:
    """Yield the calls of hooks from a time on, by file and in the order they were logged."""
    for path in sorted(primed.glob("log-*.jsonl")):
        if path.stem.removeprefix("log-") < since[:7]:
            continue
        with path.open("rb") as lines:
            for line in lines:
                entry = _entry(line)
                if entry is not None and entry["at"] >= since:
                    yield entry


def _entry(line: bytes) -> dict[str, Any] | None:
    try:
        entry = json.loads(line)
    except ValueError:  # a disk that filled up in the middle of a line
        return None
    return entry if isinstance(entry, dict) and isinstance(entry.get("at"), str) else None
