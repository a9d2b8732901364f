"""The memory as its owner's programs use it: one facade over the store, detectors and recall."""

import datetime
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import msgspec

from remem_core import paths
from remem_core.ports import SourceFile, Spoken
from remem_core.recall.query import parse_query
from remem_core.recall.search import Hit, Meaning, search
from remem_core.reports import EmitReport, IngestReport, Status
from remem_core.store import counts, files, fold, reading
from remem_core.store.connection import (
    SCHEMA_VERSION,
    Connection,
    connect,
    store_errors,
    transaction,
)
from remem_protocol import (
    Event,
    PersonTurn,
    SessionHead,
    Turn,
    UnknownEvent,
    format_time,
    normalise_time,
    replace_event,
)
from remem_protocol.memory import Episode

if TYPE_CHECKING:
    from remem_core.embed import Embedder
    from remem_core.store.vectors import VectorIndex

_T = TypeVar("_T")
Clock = Callable[[], datetime.datetime]
Progress = Callable[[int, int], None]
# What a store call embeds before it returns: about 400 short texts, a few seconds. More waits
# for `embed_pending`, and is found by its words meanwhile.
INLINE_CHARACTERS = 120_000
EMIT_BATCH = 1_000
EMBED_BATCH = 64
TOUCH, TOUCH_CAP = 0.1, 2.0


def _utc_now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


class Memory:
    """One person's memory, open. Not for two threads at once; many processes may open it."""

    def __init__(
        self, places: paths.Locations, db: Connection, clock: Clock, embedder: Any
    ) -> None:
        self.places = places
        self._db = db
        self._clock = clock
        self._embedder: Embedder | None = embedder
        self._index: VectorIndex | None = None

    @classmethod
    def open(
        cls,
        home: Path | None = None,
        *,
        clock: Clock = _utc_now,
        embedder: "Embedder | None" = None,
    ) -> Self:
        """Open the memory at `home` (else `REMEM_HOME`, else `~/.remem`), made if need be.

        Raises ForeignHomeError, NewerStoreError, BusyError or StoreError.
        """
        places = paths.locate(home)
        with store_errors(places.home):
            paths.claim(places)
        return cls(places, connect(places.db), clock, embedder)

    def close(self) -> None:
        """Close the store. Everything that was returned from is stored already."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # -- taking in

    def ingest(
        self, transcripts: Iterable[Spoken], *, dry_run: bool = False, embed: bool = True
    ) -> IngestReport:
        """Find the surprises of sessions and store them, a session at a time.

        A file's transcripts that were all consumed mark it as read. A dry run stores nothing and
        counts what would be new.
        """
        total, rows = IngestReport(), list[int]()
        last: tuple[SourceFile, Any] | None = None
        for transcript in transcripts:
            report, new = self._ingest_one(transcript, dry_run)
            total.add(report)
            rows += new
            source = getattr(transcript, "source", None)
            if last is not None and last[0] != source:
                self._mark_read(*last, total, dry_run)
            last = (source, transcript.notes) if source is not None else None  # type: ignore[attr-defined]
        if last is not None:
            self._mark_read(*last, total, dry_run)
        if embed and not dry_run:
            self._embed_inline(rows)
        return total

    def emit(self, events: Iterable[Event | UnknownEvent], *, embed: bool = True) -> EmitReport:
        """Store events of the open format; each once, however often it is emitted.

        An event with a `cwd` and no project is filed under the project of that folder.
        """
        report, rows = EmitReport(), list[int]()
        for batch in _batches(events, EMIT_BATCH):
            known = [self._prepared(e) for e in batch if not isinstance(e, UnknownEvent)]
            report.unknown += len(batch) - len(known)
            now = self._now()
            with transaction(self._db) as db:
                got = fold.fold(db, known, detector=None, now=now)
                fold.record(db, got, now=now, session=None)
            for name in ("new", "known", "changed", "copies"):
                setattr(report, name, getattr(report, name) + getattr(got, name))
            for kind, count in got.by_kind.items():
                report.by_kind[kind] = report.by_kind.get(kind, 0) + count
            rows += got.rows
        if embed:
            self._embed_inline(rows)
        return report

    def inspect(self, session: Spoken) -> list[Event]:
        """Return what would be remembered of a session; nothing is stored."""
        from remem_core import surprise
        from remem_core.redact import redact_event

        head = self._filed(session.head)
        return [redact_event(event) for event in surprise.detect(head, session.turns)]

    def has_read(self, source: SourceFile) -> bool:
        """Tell whether a file was read to its end as it stands now, by these detectors."""
        from remem_core import surprise

        with store_errors(self.places.db):
            return files.has_read(self._db, source, detector=surprise.VERSION)

    def _ingest_one(self, transcript: Spoken, dry_run: bool) -> tuple[IngestReport, list[int]]:
        from remem_core import surprise
        from remem_core.redact import redact, redact_event

        head = self._filed(transcript.head)
        tally = _Tally(transcript.turns, head.started)
        events = [redact_event(event) for event in surprise.detect(head, tally)]
        report = IngestReport(sessions=1, turns=tally.turns, person_turns=tally.person_turns)
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
        report.new, report.known, report.changed = got.new, got.known, got.changed
        report.copies, report.replaced, report.by_kind = got.copies, got.replaced, got.by_kind
        return report, got.rows

    def _fold_session(
        self, session: fold.SessionRow, events: list[Event], dry_run: bool
    ) -> fold.FoldCounts:
        try:
            with transaction(self._db) as db:
                got = fold.fold_session(db, session, events, now=self._now())
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

    def _filed(self, head: SessionHead) -> SessionHead:
        """Give a session its project: as filed before, as stated, else that of its folder."""
        with store_errors(self.places.db):
            project = files.session_project(self._db, head.id) or head.project
        if project is None and head.cwd is not None:
            project = _project_of(head.cwd)
        return msgspec.structs.replace(head, project=project)

    def _prepared(self, event: Event) -> Event:
        from remem_core.redact import redact_event

        if event.project is None and event.cwd is not None:
            event = replace_event(event, project=_project_of(event.cwd))
        return redact_event(event)

    # -- embedding

    @property
    def embedder(self) -> "Embedder":
        """The embedding model, loaded at first use."""
        if self._embedder is None:
            from remem_core.embed import open_embedder

            self._embedder = open_embedder()
        return self._embedder

    def embed_pending(self, *, progress: Progress | None = None) -> int:
        """Embed every episode that has no vector in the current space; return how many.

        Newest first, stored batch by batch: what is interrupted goes on where it stopped.
        `progress` gets (done, total).
        """
        from remem_core.store import vectors

        space, done, before = self.embedder.space, 0, None
        total = self._db.execute(
            "select count(*) from episodes e where not exists"
            " (select 1 from vectors v where v.space = ? and v.n = e.n)",
            (space,),
        ).fetchone()[0]
        while batch := vectors.pending(self._db, space, limit=EMBED_BATCH, before=before):
            self._embed(batch)
            before = batch[-1][0]
            done += len(batch)
            if progress is not None:
                progress(done, max(done, total))
        return done

    def _embed_inline(self, rows: list[int]) -> None:
        from remem_core.store import vectors

        batch = vectors.texts(self._db, rows) if len(rows) <= EMIT_BATCH else []
        if sum(len(text) for _, text in batch) <= INLINE_CHARACTERS:
            for part in _batches(batch, EMBED_BATCH):
                self._embed(part)

    def _embed(self, batch: list[tuple[int, str]]) -> None:
        from remem_core.store import vectors

        matrix = self.embedder.embed([text for _, text in batch])
        with transaction(self._db) as db:
            vectors.put(db, self.embedder.space, [n for n, _ in batch], matrix)

    # -- giving back

    def recall(
        self,
        query: str,
        *,
        limit: int = 8,
        project: str | None = None,
        kinds: Iterable[str] | None = None,
        layers: Iterable[str] | None = None,
        since: datetime.datetime | str | None = None,
        until: datetime.datetime | str | None = None,
        at: datetime.datetime | str | None = None,
        touch: bool = True,
    ) -> list[Hit]:
        """Return the episodes that answer a question, best first.

        Only what is valid now, or was at `at`. `since` is inclusive, `until` exclusive; both
        bound when a thing happened. What was returned is touched, unless `touch` is False.
        """
        allowed = reading.Filter(
            at=_wire_time(at) or self._now(),
            project=project,
            kinds=None if kinds is None else tuple(kinds),
            layers=None if layers is None else tuple(layers),
            since=_wire_time(since),
            until=_wire_time(until),
        )
        with store_errors(self.places.db):
            meaning = self._meaning(query)
            found = search(self._db, parse_query(query), allowed, meaning, limit=limit)
        if touch and found:
            self._touch([n for n, _ in found])
        return [hit for _, hit in found]

    def show(self, prefix: str) -> Episode:
        """Return the episode whose id starts with a prefix (4 letters or more).

        Raises NotFoundError.
        """
        with store_errors(self.places.db):
            return reading.episode(self._db, prefix.strip().lower())

    def status(self) -> Status:
        """Return what the memory holds."""
        with store_errors(self.places.db):
            figures = counts.counts(self._db)
        return Status(
            home=str(self.places.home),
            schema=SCHEMA_VERSION,
            bytes=sum(p.stat().st_size for p in self.places.home.glob("memory.db*")),
            **figures,
        )

    def _meaning(self, query: str) -> Meaning | None:
        """Compare the question with the vectors of the current space; None without any."""
        if self._db.execute("select 1 from vectors limit 1").fetchone() is None:
            return None  # nothing to compare with: no model is loaded for it
        from remem_core.store.vectors import VectorIndex

        if self._index is None:
            self._index = VectorIndex(self.embedder.space, self.embedder.dimensions)
        self._index.refresh(self._db)
        if not len(self._index):
            return None
        vector = self.embedder.embed([query])[0]
        return Meaning(self._index, self._index.cosines(vector))

    def _touch(self, rows: list[int]) -> None:
        now = self._now()
        with transaction(self._db) as db:
            db.executemany(
                "update episodes set recalls = recalls + 1, touched = ?,"
                " strength = max(strength, min(strength + ?, ?)) where n = ?",
                [(now, TOUCH, TOUCH_CAP, n) for n in rows],
            )

    def _now(self) -> str:
        return format_time(self._clock())


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


def _project_of(cwd: str) -> str:
    from remem_core.project import identify

    return identify(cwd)


def _wire_time(moment: datetime.datetime | str | None) -> str | None:
    if moment is None:
        return None
    return format_time(moment) if isinstance(moment, datetime.datetime) else normalise_time(moment)


def _batches(items: Iterable[_T], size: int) -> Iterator[list[_T]]:
    batch: list[_T] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
