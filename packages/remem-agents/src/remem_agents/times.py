"""The times of rows: some have none, and some third parties write numbers."""

import datetime
from pathlib import Path

from remem_protocol import format_time, normalise_time

_MILLISECONDS_FROM = 100_000_000_000  # as seconds that is the year 5138


def wire_time(stamp: str | int | float | None) -> str | None:
    """Spell a row's timestamp as the protocol does; None when there is none to read."""
    try:
        if isinstance(stamp, str):
            return normalise_time(stamp)
        if stamp is None:
            return None
        seconds = stamp / 1000 if stamp >= _MILLISECONDS_FROM else stamp
        return format_time(datetime.datetime.fromtimestamp(seconds, datetime.UTC))
    except (ValueError, OverflowError, OSError):
        return None


def modified(path: Path) -> str:
    """When a file was last written: the time of what has none of its own."""
    return format_time(datetime.datetime.fromtimestamp(path.stat().st_mtime, datetime.UTC))


class Clock:
    """The time of the row being read: its own, else that of the row before it."""

    def __init__(self, started: str) -> None:
        self._now = started
        self._stamp: str | int | float | None = None

    def see(self, stamp: str | int | float | None) -> None:
        """Move on to a row's time, if it has one."""
        if stamp is not None:
            self._stamp = stamp

    @property
    def now(self) -> str:
        """The time, spelled out only when a turn needs it: most rows make none."""
        if self._stamp is not None:
            self._now, self._stamp = wire_time(self._stamp) or self._now, None
        return self._now
