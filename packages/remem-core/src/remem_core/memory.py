"""The memory as its owner's programs use it: one facade over the store, detectors and recall."""

import datetime
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO, Self

from remem_core import paths
from remem_core.learned import Learned, wire_time
from remem_core.meanings import Meanings, Progress
from remem_core.ports import SourceFile, Spoken
from remem_core.recall.budget import within_budget
from remem_core.recall.hits import Hit
from remem_core.recall.query import parse_query
from remem_core.recall.search import search
from remem_core.store import reading
from remem_core.store.connection import (
    SCHEMA_VERSION,
    Connection,
    connect,
    store_errors,
    transaction,
)
from remem_protocol import Event, UnknownEvent
from remem_protocol.memory import Episode, LedgerEntry

if TYPE_CHECKING:
    from remem_core.embed import Embedder
    from remem_core.inbox import InboxReport
    from remem_core.intake import Intake
    from remem_core.keeping.snapshot import Snapshots
    from remem_core.morning import Morning
    from remem_core.reports import (
        EmitReport,
        Forgotten,
        ImportReport,
        IngestReport,
        Snapshot,
        Status,
    )
    from remem_core.sleep.report import SleepReport

Clock = Callable[[], datetime.datetime]
TOUCH, TOUCH_CAP = 0.1, 2.0


def _utc_now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC)


class Memory(Learned):
    """One person's memory, open. Not for two threads at once; many processes may open it."""

    def __init__(
        self, places: paths.Locations, db: Connection, clock: Clock, embedder: "Embedder | None"
    ) -> None:
        self.places = places
        self._db = db
        self._clock = clock
        self._meanings = Meanings(db, places.home, embedder)

    @cached_property
    def _intake(self) -> "Intake":
        # Most programs that open a memory only ask it.
        from remem_core.intake import Intake

        return Intake(self._db, self._now, lambda: self._meanings.embedder)

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
    ) -> "IngestReport":
        """Find the surprises of sessions and store them, a session at a time.

        A file's transcripts that were all consumed mark it as read. A dry run stores nothing and
        counts what would be new.
        """
        report, rows = self._intake.ingest(transcripts, dry_run=dry_run)
        if embed:
            self._meanings.embed_rows(rows)
        return report

    def emit(self, events: Iterable[Event | UnknownEvent], *, embed: bool = True) -> "EmitReport":
        """Store events of the open format; each once, however often it is emitted.

        An event with a `cwd` and no project is filed under the project of that folder.
        """
        report, rows = self._intake.emit(events)
        if embed:
            self._meanings.embed_rows(rows)
        return report

    def take_inbox(self) -> "InboxReport":
        """Store the events that other programs left in the inbox, and empty it.

        Lines that are no events are moved aside with their error.
        """
        from remem_core.inbox import take_in

        return take_in(self.places.inbox, lambda events: self.emit(events, embed=False))

    def inspect(self, session: Spoken, *, candidates: bool = False) -> list[Event]:
        """Return what would be remembered of a session; nothing is stored.

        Candidates (EVT-045) are among it only when asked for.
        """
        return self._intake.inspect(session, candidates=candidates)

    def has_read(self, source: SourceFile) -> bool:
        """Tell whether a file was read to its end as it stands now, by these detectors."""
        return self._intake.has_read(source)

    @property
    def embedder(self) -> "Embedder":
        """The embedding model, loaded at first use."""
        return self._meanings.embedder

    def embed_pending(self, *, progress: Progress | None = None) -> int:
        """Embed every episode that has no vector in the current space; return how many.

        Newest first, stored batch by batch: what is interrupted goes on where it stopped.
        `progress` gets (done, total).
        """
        return self._meanings.embed_pending(progress)

    def rebuild_words(self) -> int:
        """Build the word index anew; return how many episodes an older version spelled otherwise.

        Others may read and write meanwhile.
        """
        from remem_core.store.respelling import rebuild_words

        with store_errors(self.places.db):
            return rebuild_words(self._db)

    def prune_vectors(self) -> int:
        """Drop the vectors of all spaces but the current one; return how many."""
        return self._meanings.prune()

    # -- giving back

    def recall(
        self,
        query: str,
        *,
        limit: int = 8,
        project: str | None = None,
        kinds: Iterable[str] | None = None,
        layers: Iterable[str] | None = None,
        agents: Iterable[str] | None = None,
        since: datetime.datetime | str | None = None,
        until: datetime.datetime | str | None = None,
        at: datetime.datetime | str | None = None,
        archived: bool = False,
        budget: int | None = None,
        touch: bool = True,
    ) -> list[Hit]:
        """Return the episodes that answer a question, best first.

        Only what is valid now, or was at `at`. `since` is inclusive, `until` exclusive; both
        bound when a thing happened. `budget` bounds the bytes of all texts together; the first
        text is cut to it when it alone is longer. What was returned is touched, unless `touch`
        is False.
        """
        allowed = reading.Filter(
            at=wire_time(at) or self._now(),
            project=project,
            kinds=None if kinds is None else tuple(kinds),
            layers=None if layers is None else tuple(layers),
            agents=None if agents is None else tuple(agents),
            since=wire_time(since),
            until=wire_time(until),
            archived=archived,
        )
        with store_errors(self.places.db):
            found = search(
                self._db,
                parse_query(query),
                allowed,
                lambda: self._meanings.ask(query),
                limit=limit,
            )
        if budget is not None:
            found = within_budget(found, budget)
        if touch and found:
            self._touch([n for n, _ in found])
        return [hit for _, hit in found]

    def history(self, prefix: str) -> list[Episode]:
        """Return a note's versions, the oldest first: what it replaced and what replaced it.

        Raises NotFoundError.
        """
        with store_errors(self.places.db):
            return reading.history(self._db, prefix.strip().lower())

    def ledger_of(self, id_: str) -> list[LedgerEntry]:
        """Return what the ledger says of one thing, the oldest first."""
        with store_errors(self.places.db):
            return reading.ledger_of(self._db, id_)

    def show(self, prefix: str) -> Episode:
        """Return the episode whose id starts with a prefix (4 letters or more).

        Raises NotFoundError.
        """
        with store_errors(self.places.db):
            return reading.episode(self._db, prefix.strip().lower())

    def status(self) -> "Status":
        """Return what the memory holds."""
        from remem_core.reports import Status
        from remem_core.store import counts

        with store_errors(self.places.db):
            figures = counts.counts(self._db, self._now())
        return Status(
            home=str(self.places.home),
            schema=SCHEMA_VERSION,
            bytes=sum(p.stat().st_size for p in self.places.home.glob("memory.db*")),
            **figures,
        )

    # -- sleeping

    def sleep(
        self,
        now: datetime.datetime | str | None = None,
        *,
        dry_run: bool = False,
        retell: bool = False,
        minutes: float = 10.0,
        progress: "Callable[[str, int, int], None]" = lambda *_: None,
    ) -> "SleepReport":
        """Turn what surprised until `now` into lessons; stop after `minutes`, go on another time.

        A night that was broken off is finished first. A dry run sleeps on a copy and changes
        nothing; `retell` words every lesson anew from its sources. `progress` gets
        (pass, done, total). Raises BusyError while another sleeps.
        """
        from remem_core.sleep.asleep import sleep

        return sleep(
            self.places,
            self._db,
            self._meanings,
            now=wire_time(now) or self._now(),
            dry_run=dry_run,
            retell=retell,
            minutes=minutes,
            progress=progress,
        )

    def morning(self) -> "Morning | None":
        """Return what the last night changed, and write its report anew; None before the first.

        What was vetoed or forgotten since is not told again.
        """
        from remem_core.morning import refresh

        with store_errors(self.places.db):
            return refresh(self._db, self.places)

    # -- keeping

    @property
    def snapshots(self) -> "Snapshots":
        """The snapshots of this memory: listing, reading and checking them."""
        from remem_core.keeping.snapshot import Snapshots

        return Snapshots(self.places.snapshots)

    def snapshot(self, why: str = "") -> "Snapshot":
        """Copy the whole memory as of this moment, whoever else uses it."""
        return self.snapshots.create(self._db, now=self._now(), why=why)

    def restore(self, name: str, *, embed: bool = True) -> "tuple[Snapshot, ImportReport]":
        """Lay a snapshot (or `latest`) over the present, all of it or nothing.

        What was forgotten or vetoed since stays away. Returns the snapshot of what was replaced.
        Raises NotFoundError, DamagedSnapshotError or NewerStoreError.
        """
        replaced, report, rows = self.snapshots.restore(
            self._db, name, now=self._now(), unwanted=self._unwanted
        )
        if embed:
            self._meanings.embed_rows(rows)
        return replaced, report

    def export(self, out: BinaryIO) -> dict[str, int]:
        """Write everything as one stream of records; return how many there are of each type."""
        from remem_core.keeping.export import write_export

        return write_export(self._db, out)

    def import_(
        self,
        stream: BinaryIO,
        *,
        sound_only: bool = False,
        embed: bool = True,
        progress: Progress | None = None,
    ) -> "ImportReport":
        """Merge an exported memory into this one; `stream` is read twice.

        A damaged line refuses the whole import (DamagedImportError), unless `sound_only`.
        """
        from remem_core.keeping.export import read_import

        report, rows = read_import(
            self._db,
            stream,
            now=self._now(),
            unwanted=self._unwanted,
            sound_only=sound_only,
            progress=progress,
        )
        if embed:
            self._meanings.embed_rows(rows)
        return report

    def forget(
        self,
        prefix: str | None = None,
        *,
        session: str | None = None,
        project: str | None = None,
        since: datetime.datetime | str | None = None,
        dry_run: bool = False,
    ) -> "Forgotten":
        """Delete one episode, a session, a project or all since a time, for good.

        Exactly one is named. It can't be undone: it is kept out on every way in from now on.
        """
        from remem_core.keeping.forget import forget
        from remem_core.store.erasing import Selection

        named = Selection(
            id=None if prefix is None else self.show(prefix).id,
            session=session,
            project=project,
            since=wire_time(since),
        )
        told = forget(self._db, named, self.snapshots, now=self._now(), dry_run=dry_run)
        if not dry_run:
            for cache in self.places.home.glob("index-*.bits"):  # holds bits of what went
                cache.unlink(missing_ok=True)
            self.morning()  # its files quote what went
        return told

    def _touch(self, rows: list[int]) -> None:
        now = self._now()
        with transaction(self._db) as db:
            db.executemany(
                "update episodes set recalls = recalls + 1, touched = ?,"
                " strength = max(strength, min(strength + ?, ?)) where n = ?",
                [(now, TOUCH, TOUCH_CAP, n) for n in rows],
            )
