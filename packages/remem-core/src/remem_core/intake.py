"""Taking in: sessions and events on their way to the store.

Filed under a project, judged by the detectors, redacted, and only then written (EVT-030).
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from remem_core.batches import batches
from remem_core.ports import SourceFile, Spoken
from remem_core.reports import EmitReport, IngestReport
from remem_core.store import candidates, files, fold
from remem_core.store.connection import Connection, store_errors, transaction
from remem_protocol import (
    Event,
    PersonTurn,
    SessionHead,
    Turn,
    UnknownEvent,
    replace_event,
)

if TYPE_CHECKING:
    from remem_core.embed import Embedder
    from remem_core.llm import Reviewer
    from remem_core.surprise.judging import Judge

EMIT_BATCH = 1_000


class Intake:
    """The way in of one open memory. `now` gives the time as the wire spells it.

    `embedder` gives the owner's embedder; it is asked when the first session is judged.
    """

    def __init__(
        self, db: Connection, now: Callable[[], str], embedder: "Callable[[], Embedder]"
    ) -> None:
        self._db = db
        self._now = now
        self._embedder = embedder
        self._known_judge: Judge | None = None

    def ingest(
        self, transcripts: Iterable[Spoken], *, dry_run: bool
    ) -> tuple[IngestReport, list[int]]:
        """Store the surprises of sessions; return counts and the rows to embed."""
        total, rows = IngestReport(), list[int]()
        last: tuple[SourceFile, Any] | None = None
        for transcript in transcripts:
            report, new = self._ingest_one(transcript, dry_run)
            total.add(report)
            rows += new
            source: SourceFile | None = getattr(transcript, "source", None)
            if last is not None and last[0] != source:
                self._mark_read(*last, total, dry_run)
            last = None if source is None else (source, getattr(transcript, "notes", None))
        if last is not None:
            self._mark_read(*last, total, dry_run)
        return total, rows

    def emit(self, events: Iterable[Event | UnknownEvent]) -> tuple[EmitReport, list[int]]:
        """Store emitted events, a batch a transaction; return counts and the rows to embed."""
        report, rows = EmitReport(), list[int]()
        for batch in batches(events, EMIT_BATCH):
            known = [self._prepared(e) for e in batch if not isinstance(e, UnknownEvent)]
            now = self._now()
            with transaction(self._db) as db:
                fresh = candidates.release(db, known)
                got = fold.fold(db, known, detector=None, now=now)
                candidates.set_aside(db, known, fresh, got, now)
                fold.record(db, got, now=now, session=None)
            report.unknown += len(batch) - len(known)
            report.add(got)
            rows += got.rows
        return report, rows

    def inspect(self, session: Spoken, *, candidates: bool) -> list[Event]:
        """Return the redacted events of a session; store nothing."""
        from remem_core.redact import redact_event
        from remem_core.surprise import detect

        found = detect(
            self._filed(session.head), session.turns, self._judge(), candidates=candidates
        )
        return [redact_event(event) for event in found]

    def has_read(self, source: SourceFile) -> bool:
        """Tell whether a file was read to its end as it stands now, by these detectors."""
        from remem_core import surprise

        with store_errors(None):
            return files.has_read(self._db, source, detector=surprise.VERSION)

    def _ingest_one(self, transcript: Spoken, dry_run: bool) -> tuple[IngestReport, list[int]]:
        from remem_core import surprise
        from remem_core.redact import redact, redact_event

        head = self._filed(transcript.head)
        tally = _Tally(transcript.turns, head.started)
        found = surprise.detect(head, tally, self._judge(), candidates=True)
        events = [redact_event(event) for event in found]
        if not dry_run and self._reviewer is not None:  # only looking sends nothing
            events = self._reviewer.review(events)
        session = fold.SessionRow(
            id=head.id,
            agent=head.agent,
            project=head.project,
            cwd=head.cwd and redact(head.cwd),
            parent=head.parent,
            started=head.started,
            ended=tally.ended,
            turns=tally.turns,
            person_turns=tally.person_turns,
            detector=surprise.VERSION,
        )
        got = self._fold_session(session, events, dry_run)
        report = IngestReport(sessions=1, turns=tally.turns, person_turns=tally.person_turns)
        report.add(got)
        return report, got.rows

    def _fold_session(
        self, session: fold.SessionRow, events: list[Event], dry_run: bool
    ) -> fold.FoldCounts:
        got = fold.FoldCounts()
        try:
            with transaction(self._db) as db:
                now = self._now()
                fresh = candidates.release(db, events)
                got = fold.fold_session(db, session, events, now=now)
                candidates.set_aside(db, events, fresh, got, now)
                if dry_run:
                    raise _DryRunError
        except _DryRunError:
            got.rows.clear()
        return got

    def _mark_read(
        self, source: SourceFile, notes: Any, total: IngestReport, dry_run: bool
    ) -> None:
        from remem_core import surprise

        total.lines += notes.lines
        total.damaged += notes.damaged
        if not dry_run:
            with transaction(self._db) as db:
                files.mark_read(db, source, notes, detector=surprise.VERSION, now=self._now())

    @cached_property
    def _reviewer(self) -> "Reviewer | None":
        from remem_core.llm import open_reviewer

        return open_reviewer()

    def _judge(self) -> "Judge":
        from remem_core.surprise.model import open_judge

        if self._known_judge is None:
            self._known_judge = open_judge(self._embedder())
        return self._known_judge

    def _filed(self, head: SessionHead) -> SessionHead:
        """Give a session its project: as filed before, as stated, else that of its folder."""
        with store_errors(None):
            project = files.session_project(self._db, head.id) or head.project
        if project is None and head.cwd is not None:
            project = _project_of(head.cwd)
        return msgspec.structs.replace(head, project=project)

    def _prepared(self, event: Event) -> Event:
        from remem_core.redact import redact_event

        if event.project is None and event.cwd is not None:
            event = replace_event(event, project=_project_of(event.cwd))
        return redact_event(event)


class _DryRunError(Exception):
    """Rolls a dry run's transaction back."""


class _Tally:
    """A session's turns on their way to the detectors, counted."""

    def __init__(self, turns: Iterable[Turn], started: str) -> None:
        self._turns = turns
        self.turns = 0
        self.person_turns = 0
        self.ended = started

    def __iter__(self) -> Iterator[Turn]:
        for turn in self._turns:
            self.turns += 1
            self.person_turns += isinstance(turn, PersonTurn)
            self.ended = max(self.ended, turn.at)
            yield turn


def _project_of(cwd: str) -> str | None:
    from remem_core.project import identify

    return identify(cwd) or None
