"""Taking records of another memory, or of this one's past, into this one: the way of an import.

Merging is idempotent and loses nothing: what has an id is one thing (MEM-076). Episodes go through
`fold`, like everything that comes in.
"""

import json
import sqlite3
from collections import Counter
from typing import Any

import msgspec

from remem_core.lessons.changes import revised
from remem_core.reports import ImportReport
from remem_core.store import fold, lessons, rows, tombstones, vetoing
from remem_core.store.changing import Unwanted
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
    entry for what the import changed (MEM-078). `unwanted` tells the veto that a lesson falls under
    by its meaning; it is asked only while there are vetoes.
    """

    def __init__(
        self, db: sqlite3.Connection, *, now: str, unwanted: Unwanted | None = None
    ) -> None:
        self._db = db
        self._now = now
        self._unwanted = unwanted
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
            case Alias():
                self._alias(record)
            case Veto():
                self._veto(record)
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
        there = rows.find(self._db, SessionEntry, entry.id)
        if there is not None and _progress(there) >= _progress(entry):
            self.report.known += 1
            return
        rows.put(self._db, entry)
        if there is None:
            self._added(entry)
        else:
            self.report.changed += 1

    def _tombstone(self, stone: Tombstone) -> None:
        if tombstones.would_hit(self._db, stone):  # MEM-077
            self.report.kept_out += 1
        elif tombstones.bury(self._db, [stone]):
            self._added(stone)
        else:
            self.report.known += 1

    def _lesson(self, lesson: Lesson) -> None:
        """Take a lesson in unless it must stay out; of two tellings the newer, with all sources."""
        if self._must_stay_out(lesson):
            self._kept_out.add(lesson.id)
            self.report.kept_out += 1
            return
        if rows.find(self._db, Alias, lesson.id) is not None:  # merged here into another
            self.report.known += 1
            return
        there = rows.find(self._db, Lesson, lesson.id)
        self._put(there if there is None else self._joined(there, lesson), lesson, there)

    def _put(self, joined: Lesson | None, given: Lesson, there: Lesson | None) -> None:
        if joined == there and there is not None:
            self.report.known += 1
            return
        rows.put(self._db, joined or given)
        if there is None:
            self._added(given)
        else:
            self.report.changed += 1

    def _joined(self, there: Lesson, given: Lesson) -> Lesson:
        """Return the newer of two tellings, resting on what either rests on (MEM-076)."""
        newer, older = (given, there) if given.updated > there.updated else (there, given)
        if set(older.sources) <= set(newer.sources):
            return newer
        union = {*older.sources, *newer.sources}
        found = self._db.execute(_BY_TIME, (json.dumps(sorted(union)),)).fetchall()
        here = [id_ for (id_,) in found]
        return revised(newer, sources=(*here, *sorted(union.difference(here))))

    def _must_stay_out(self, lesson: Lesson) -> bool:
        """Tell whether a lesson is vetoed (MEM-053), or rests on what is not here.

        That was forgotten, or never came: nobody could tell what such a lesson was learned from
        (MEM-084, MEM-087). One that another memory made rests on what is there.
        """
        values = json.dumps(lesson.sources)
        if self._db.execute(_FORGOTTEN, (values,)).fetchone() is not None:
            return True
        there = self._db.execute(_THERE, (values,)).fetchone()[0]
        if lesson.origin is None and there < len(lesson.sources):
            return True
        if not vetoing.any_holds(self._db):
            return False
        if vetoing.veto_of(self._db, lesson) is not None:
            return True
        return self._unwanted is not None and self._unwanted(lesson) is not None

    def _prediction(self, prediction: Prediction) -> None:
        if prediction.lesson in self._kept_out:
            self.report.kept_out += 1
            return
        there = rows.find(self._db, Prediction, prediction.id)
        if there is not None and (there.resolved or "") >= (prediction.resolved or ""):
            self.report.known += 1
            return
        rows.put(self._db, prediction)
        if there is None:
            self._added(prediction)
        else:
            self.report.changed += 1

    def _alias(self, alias: Alias) -> None:
        """Take an old name in, of what its lesson is called here; never a living one's."""
        new = lessons.current_id(self._db, alias.new)
        if alias.new in self._kept_out or rows.find(self._db, Lesson, new) is None:
            self.report.kept_out += 1
        elif rows.find(self._db, Alias, alias.old) or rows.find(self._db, Lesson, alias.old):
            self.report.known += 1
        else:
            rows.put(self._db, msgspec.structs.replace(alias, new=new))
            self._added(alias)

    def _veto(self, veto: Veto) -> None:
        """Take a veto in; one that this memory's owner has lifted stays lifted (MEM-054)."""
        if rows.find(self._db, Veto, veto.hash) is None:
            rows.put(self._db, veto)
            self._added(veto)
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

    def _added(self, record: Record) -> None:
        tag = str(record.__struct_config__.tag)
        self.report.new[tag] = self.report.new.get(tag, 0) + 1


_FORGOTTEN = "select 1 from tombstones t join json_each(?) s on s.value = t.key limit 1"
_THERE = "select count(*) from episodes where id in (select value from json_each(?))"
_BY_TIME = "select id from episodes where id in (select value from json_each(?)) order by at, id"


def _progress(entry: SessionEntry) -> tuple[int, int, str]:
    """Return how far a session was read: turns, by which detectors, when."""
    return entry.turns, entry.detector, entry.updated


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
