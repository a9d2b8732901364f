"""Sleeping: one night at a time, within its budget, on the store or, for a dry run, on a copy."""

import contextlib
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import filelock

from remem_core.errors import BusyError
from remem_core.meanings import Meanings
from remem_core.paths import Locations
from remem_core.sleep.deciding import Judges
from remem_core.sleep.likeness import KeptLikeness, standing_wish
from remem_core.sleep.night import Night, Progress
from remem_core.sleep.reading import View
from remem_core.sleep.report import SleepReport
from remem_core.sleep.unwanted import Unwanted
from remem_core.store.connection import Connection, connect
from remem_core.store.copying import copy_to

LOCK = "sleep.lock"


def sleep(
    places: Locations,
    db: Connection,
    meanings: Meanings,
    *,
    now: str,
    dry_run: bool,
    minutes: float,
    progress: Progress,
) -> SleepReport:
    """Sleep as of `now`; stop after `minutes` and go on there the next time.

    Raises BusyError while another program sleeps on the same memory.
    """
    if dry_run:
        with _copied(places, db) as (copy, home):
            asleep = Meanings(copy, home, meanings.embedder)
            report = _sleep(copy, asleep, now=now, minutes=minutes, progress=progress)
            report.dry_run = True
            return report
    try:
        with filelock.FileLock(places.home / LOCK, timeout=0, mode=0o600):
            return _sleep(db, meanings, now=now, minutes=minutes, progress=progress)
    except filelock.Timeout:
        raise BusyError(
            f"{places.home}: another sleep is at work; it keeps what it does, so wait for it"
        ) from None


def _sleep(
    db: Connection, meanings: Meanings, *, now: str, minutes: float, progress: Progress
) -> SleepReport:
    report, end = SleepReport(now=now), time.monotonic() + 60 * minutes

    def time_up() -> bool:
        return time.monotonic() > end

    report.embedded = meanings.embed_pending(lambda d, t: progress("embed", d, t), time_up)
    alike = KeptLikeness(db, meanings.embedder)
    report.embedded += alike.keep_pending(lambda d, t: progress("link", d, t), time_up)

    def judging(view: View) -> Judges:
        return Judges(alike, standing_wish(db, meanings.embedder), Unwanted(view.vetoed(), alike))

    night = Night(db, judging, time_up, progress, report)
    report.finished = night.run(now)
    return report


@contextlib.contextmanager
def _copied(places: Locations, db: Connection) -> Iterator[tuple[Connection, Path]]:
    """Give a copy of the store in a folder of its own, which goes afterwards."""
    with tempfile.TemporaryDirectory(prefix="dry-run-", dir=places.home) as folder:
        path = Path(folder) / "memory.db"
        copy_to(db, path)
        with contextlib.closing(connect(path)) as copy:
            yield copy, Path(folder)
