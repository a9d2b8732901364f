"""One night: the passes in their order, what they decide journalled before it is done.

A night that was killed goes on where it was, with the same clock and the same decisions, so the
outcome is that of a night undisturbed. The write lock is held for a few changes at a time.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from remem_core.lessons.changes import Change, lessons_of
from remem_core.sleep.deciding import PASSES, Judges
from remem_core.sleep.reading import View
from remem_core.sleep.report import SleepReport
from remem_core.sleep.unwanted import of_lesson
from remem_core.store import changing, journal
from remem_core.store import lessons as stored
from remem_core.store.connection import Connection, transaction
from remem_protocol import Lesson, RememError, Veto

READ_AT_ONCE = 20  # changes taken from the journal
LOCKED_SECONDS = 0.05  # after which a transaction takes no further change
TOLD = 1_000  # changes that a report names
Progress = Callable[[str, int, int], None]  # (pass, done, total)
TimeUp = Callable[[], bool]
Judging = Callable[[View], Judges]
Decided = Sequence[tuple[int, Change]]


@dataclass
class Night:
    """Runs the passes of one night on a store. `judging` is asked once for each pass."""

    db: Connection
    judging: Judging
    time_up: TimeUp
    progress: Progress
    report: SleepReport

    def run(self, now: str) -> bool:
        """Go through the night; a broken-off one is finished first. False when the time is up."""
        run = journal.begin(self.db, now)
        if run.now != now:
            if not self._passes(run):
                return False
            self.report.finished_earlier = run.now
            run = journal.begin(self.db, now)
        return self._passes(run)

    def _passes(self, run: journal.Run) -> bool:
        names = list(PASSES)
        at = names.index(run.name) if run.name else 0
        if run.name and run.state == "done":
            at += 1
        decided = run.state == "decided"
        for name in names[at:]:
            if self.time_up():
                return False
            view = View(self.db, run.now)
            judges = self.judging(view)
            if not decided:
                taken_back = changing.undone_keys(self.db)
                changes = PASSES[name](view, judges)
                journal.write(self.db, name, (c for c in changes if c.key not in taken_back))
            decided = False
            if not self._apply(name, judges):
                return False
            journal.finish_pass(self.db)
        journal.finish(self.db)
        return True

    def _apply(self, name: str, judges: Judges) -> bool:
        """Do what was decided, a few changes a transaction; False when the time is up."""
        done = 0
        while pending := journal.pending(self.db, limit=READ_AT_ONCE):
            if self.time_up():
                return False
            # Before the lock is taken: what something means may have to be computed.
            vetoed = {k.id: self._veto_of(k, judges) for _, c in pending for k in _lessons(c)}
            done += self._some(pending, vetoed)
            self.progress(name, done, 0)
        return True

    def _some(self, pending: Decided, vetoed: dict[str, Veto | None]) -> int:
        """Do a few changes in one transaction, as many as fit into its time; return how many."""
        done: list[int] = []
        with transaction(self.db):
            until = time.monotonic() + LOCKED_SECONDS
            for number, change in pending:
                self._one(change, vetoed)
                done.append(number)
                if time.monotonic() > until:
                    break
            journal.drop(self.db, done)
        return len(done)

    def _one(self, change: Change, vetoed: dict[str, Veto | None]) -> None:
        def unwanted(lesson: Lesson) -> Veto | None:
            return vetoed.get(lesson.id)

        try:
            changing.apply(self.db, change, unwanted=unwanted)
        except RememError as error:  # vetoed, or another program changed it meanwhile
            self.report.kept_out += 1
            self._tell(change, f"kept out ({error.code}): {error.message}")
        else:
            counts = self.report.changes
            counts[change.verb] = counts.get(change.verb, 0) + 1
            self._tell(change, _words(change))

    def _veto_of(self, lesson: Lesson, judges: Judges) -> Veto | None:
        if not judges.unwanted:
            return None
        sources = stored.sources(self.db, lesson.sources)
        return judges.unwanted.lesson(lesson.kind, of_lesson(lesson, sources))

    def _tell(self, change: Change, words: str) -> None:
        if len(self.report.told) < TOLD:
            self.report.told.append((change.verb, change.subject, words))


def _lessons(change: Change) -> Sequence[Lesson]:
    return list(lessons_of(change.after).values())


def _words(change: Change) -> str:
    """Return what a change is about: its reason, and the lesson's first quote where it has one."""
    lessons = _lessons(change)
    if change.verb == "RESOLVE" or not lessons:
        return change.why
    return f"{change.why}: {lessons[0].text.partition(chr(10))[0]}"
