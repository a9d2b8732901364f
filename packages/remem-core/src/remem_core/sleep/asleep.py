"""Sleeping: one night at a time, within its budget, on the store or, for a dry run, on a copy."""

import contextlib
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from remem_core import morning
from remem_core.lessons import observed
from remem_core.llm import open_worder
from remem_core.locking import alone
from remem_core.meanings import Meanings
from remem_core.paths import Locations
from remem_core.sleep.deciding import Judges
from remem_core.sleep.likeness import KeptLikeness, standing_wish
from remem_core.sleep.night import Night, Progress
from remem_core.sleep.reading import View
from remem_core.sleep.report import SleepReport
from remem_core.sleep.reword import Word
from remem_core.sleep.unwanted import Unwanted
from remem_core.store import ledger
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
    retell: bool,
    minutes: float,
    progress: Progress,
) -> SleepReport:
    """Sleep as of `now`; stop after `minutes` and go on there the next time.

    `retell` words every lesson anew. When the night is over, the report of the morning is written.
    Raises BusyError while another program sleeps on the same memory.
    """
    if dry_run:
        with _copied(places, db) as (copy, home):
            asleep = Meanings(copy, home, meanings.embedder)
            report = _sleep(
                copy, asleep, now=now, retell=retell, minutes=minutes, progress=progress
            )
            report.dry_run = True
            return report
    busy = f"{places.home}: another sleep is at work; it keeps what it does, so wait for it"
    with alone(places.home / LOCK, busy):
        report = _sleep(db, meanings, now=now, retell=retell, minutes=minutes, progress=progress)
        if report.finished:
            _tell(places, db, report)
        return report


def _sleep(
    db: Connection,
    meanings: Meanings,
    *,
    now: str,
    retell: bool,
    minutes: float,
    progress: Progress,
) -> SleepReport:
    report, end = SleepReport(now=now), time.monotonic() + 60 * minutes

    def time_up() -> bool:
        return time.monotonic() > end

    report.embedded = meanings.embed_pending(lambda d, t: progress("embed", d, t), time_up)
    alike = KeptLikeness(db, meanings.embedder)
    report.embedded += alike.keep_pending(lambda d, t: progress("link", d, t), time_up)

    standing, word = standing_wish(db, meanings.embedder), _wording()

    def judging(view: View) -> Judges:
        return Judges(alike, standing, Unwanted(view.vetoed(), alike), word, retell)

    night = Night(db, judging, time_up, progress, report)
    report.finished = night.run(now)
    return report


def _wording() -> Word | None:
    """Return how the model that the owner named words a lesson, checked; None without one."""
    worder = open_worder()
    return None if worder is None else lambda lesson, on: observed.reword(lesson, on, worder)


def _tell(places: Locations, db: Connection, report: SleepReport) -> None:
    """Write the report of the morning, on all that this sleep did."""
    since = ledger.before_night(db, report.finished_earlier or report.now)
    morning.write(places, morning.gather(db, now=report.now, since_seq=since))


@contextlib.contextmanager
def _copied(places: Locations, db: Connection) -> Iterator[tuple[Connection, Path]]:
    """Give a copy of the store in a folder of its own, which goes afterwards."""
    with tempfile.TemporaryDirectory(prefix="dry-run-", dir=places.home) as folder:
        path = Path(folder) / "memory.db"
        copy_to(db, path)
        with contextlib.closing(connect(path)) as copy:
            yield copy, Path(folder)
