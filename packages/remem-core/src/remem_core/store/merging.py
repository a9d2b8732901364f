"""Taking records of another memory, or of this one's past, into this one: the way of an import.

Merging is idempotent and loses nothing: what has an id is one thing (MEM-076). Episodes go through
`fold`, like everything that comes in.
"""

import json
import sqlite3
from collections import Counter
from typing import Any

from remem_core.reports import ImportReport
from remem_core.store import fold, tombstones
from remem_core.store.rows import columns_of
from remem_protocol import (
    Alias,
    Episode,
    Event,
    LedgerEntry,
    Lesson,
    Prediction,
    Record,
    SessionEntry,
    Tombstone,
    Veto,
)


class Merger:
    """One import's way into one memory; `put` runs inside the caller's transaction.

    A memory without a ledger takes that of the import as its own (MEM-060); any other gets an
    entry for what the import changed (MEM-078).
    """

    def __init__(self, db: sqlite3.Connection, *, now: str) -> None:
        self._db = db
        self._now = now
        self._own_ledger = db.execute("select 1 from ledger limit 1").fetchone() is not None
        self._kept_out: set[str] = set()  # lessons: what hangs on them stays out too
        self._entries: Counter[tuple[Any, ...]] = Counter()
        self.report = ImportReport()
        self.rows: list[int] = []

    def put(self, record: Record, event: Event | None) -> None:
        """Merge one record, redacted already; `event` is an episode's."""
        match record:
            case Episode():
                assert event is not None
                self._episode(record, event)
            case SessionEntry():
                self._session(record)
            case Tombstone():
                self._tombstone(record)
            case Lesson():
                self._lesson(record)
            case Prediction():
                self._prediction(record)
            case Veto() | Alias():
                self._once(record)
            case LedgerEntry():
                self._entry(record)

    def finish(self, why: str) -> None:
        """Write what was changed to a ledger that was there before."""
        report = self.report
        if not self._own_ledger or not (report.new or report.changed):
            return
        after = {"new": report.new, "changed": report.changed, "kept_out": report.kept_out}
        self._db.execute(
            "insert into ledger (at, verb, subject, after, why) values (?, 'CREATE', '', ?, ?)",
            (self._now, json.dumps(after), why),
        )

    def _episode(self, episode: Episode, event: Event) -> None:
        there = self._db.execute(
            "select detector from episodes where id = ?", (event.id,)
        ).fetchone()
        newer = there is not None and (episode.detector or 0) > (there[0] or 0)
        changed = False
        if there is None or newer:
            got = fold.fold(self._db, [event], detector=episode.detector, now=episode.created)
            self.rows += got.rows
            self.report.copies += got.copies
            self.report.kept_out += got.forgotten
            changed = bool(got.changed)
        if there is None:
            if got.new:
                self._added(episode)
                self._remember(episode, event.id, _AS_IT_IS)
        elif self._remember(episode, event.id, _MERGED) or changed:
            self.report.changed += 1
        else:
            self.report.known += 1

    def _remember(self, episode: Episode, id_: str, statement: str) -> bool:
        """Take over what remembering added to an episode; tell whether anything changed."""
        given = {name: getattr(episode, name) for name in _REMEMBERED} | {"id": id_}
        return self._db.execute(statement, given).rowcount > 0

    def _session(self, entry: SessionEntry) -> None:
        if tombstones.blocks_session(self._db, entry.id, entry.project, entry.started):
            self.report.kept_out += 1
            return
        found = self._db.execute(
            "select turns, detector, updated from sessions where id = ?", (entry.id,)
        ).fetchone()
        self._put_if(entry, found, (entry.turns, entry.detector, entry.updated))

    def _tombstone(self, stone: Tombstone) -> None:
        if tombstones.would_hit(self._db, stone):  # MEM-077
            self.report.kept_out += 1
        elif tombstones.bury(self._db, [stone]):
            self._added(stone)
        else:
            self.report.known += 1

    def _lesson(self, lesson: Lesson) -> None:
        if self._is_unwanted(lesson):
            self._kept_out.add(lesson.id)
            self.report.kept_out += 1
            return
        found = self._db.execute(
            "select updated from lessons where id = ?", (lesson.id,)
        ).fetchone()
        self._put_if(lesson, found, (lesson.updated,))

    def _is_unwanted(self, lesson: Lesson) -> bool:
        """Tell whether a lesson is vetoed (MEM-053) or rests on what was forgotten (MEM-084)."""
        vetoed = self._db.execute(
            "select 1 from vetoes where hash = ? and lifted is null", (lesson.hash,)
        ).fetchone()
        return vetoed is not None or any(
            self._db.execute("select 1 from tombstones where key = ?", (source,)).fetchone()
            for source in lesson.sources
        )

    def _prediction(self, prediction: Prediction) -> None:
        if prediction.lesson in self._kept_out:
            self.report.kept_out += 1
            return
        found = self._db.execute(
            "select coalesce(resolved, '') from predictions where id = ?", (prediction.id,)
        ).fetchone()
        self._put_if(prediction, found, (prediction.resolved or "",))

    def _once(self, record: Veto | Alias) -> None:
        if isinstance(record, Alias) and record.new in self._kept_out:
            self.report.kept_out += 1
        elif self._insert(record, "insert or ignore"):
            self._added(record)
        else:
            self.report.known += 1

    def _entry(self, entry: LedgerEntry) -> None:
        """Append an entry that is not there; equal ones are told apart by how many there are."""
        content = tuple(getattr(entry, name) for name in _ENTRY)
        self._entries[content] += 1
        there = self._db.execute(_COUNT_ENTRIES, content).fetchone()[0]
        if self._entries[content] <= there:
            self.report.known += 1
            return
        self._db.execute(_INSERT_ENTRY, content)
        self._added(entry)

    def _put_if(self, record: Record, found: Any, given: tuple[Any, ...]) -> None:
        """Store a record that is not there, or is further than the one that is."""
        if found is not None and tuple(found) >= given:
            self.report.known += 1
            return
        self._insert(record, "insert or replace")
        if found is None:
            self._added(record)
        else:
            self.report.changed += 1

    def _insert(self, record: Record, verb: str) -> bool:
        columns = columns_of(type(record))
        values = [getattr(record, name) for name in columns]
        values = [json.dumps(v) if isinstance(v, tuple) else v for v in values]
        statement = (
            f"{verb} into {_TABLES[type(record)]} ({', '.join(columns)})"
            f" values ({', '.join('?' * len(columns))})"
        )
        return self._db.execute(statement, values).rowcount > 0

    def _added(self, record: Record) -> None:
        tag = str(record.__struct_config__.tag)
        self.report.new[tag] = self.report.new.get(tag, 0) + 1


_TABLES: dict[type[Any], str] = {
    Veto: "vetoes",
    SessionEntry: "sessions",
    Lesson: "lessons",
    Prediction: "predictions",
    Alias: "aliases",
}
_REMEMBERED = ("created", "strength", "recalls", "touched", "archived")
_AS_IT_IS = (
    "update episodes set strength = :strength, recalls = :recalls, touched = :touched,"
    " archived = :archived where id = :id and :created is not null"
)
_MERGED = (
    "update episodes set strength = max(strength, :strength), recalls = max(recalls, :recalls),"
    " touched = max(coalesce(touched, :touched), coalesce(:touched, touched)),"
    " created = min(created, :created),"
    " archived = case when archived is null or :archived is null then null"
    "  else min(archived, :archived) end"
    " where id = :id and (strength < :strength or recalls < :recalls or created > :created"
    "  or coalesce(touched, '') < coalesce(:touched, '')"
    "  or (archived is not null and (:archived is null or archived > :archived)))"
)
_ENTRY = ("at", "verb", "subject", "before", "after", "why", "ref")
_COUNT_ENTRIES = "select count(*) from ledger where " + " and ".join(
    "at = ?" if name == "at" else f"{name} is ?" for name in _ENTRY
)
_INSERT_ENTRY = f"insert into ledger ({', '.join(_ENTRY)}) values ({', '.join('?' * len(_ENTRY))})"
