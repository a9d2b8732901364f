"""What the passes see of a store: blocks of lessons and sources as of the night's clock.

What had not happened yet at that time is not seen, so a past night can be slept through again.
"""

from collections.abc import Iterator, Sequence

from remem_core.lessons.sources import Source
from remem_core.sleep.decay import Fading
from remem_core.sleep.view import Block, Held
from remem_core.store import lessons as stored
from remem_core.store import rows
from remem_core.store.connection import Connection
from remem_protocol import Alias, Lesson, Prediction, Veto

LESSON_KINDS = stored.SURPRISES


class View:
    """A store as one night sees it. It reads, and never writes."""

    def __init__(self, db: Connection, now: str) -> None:
        self._db = db
        self.now = now

    def projects(self, kind: str) -> list[str | None]:
        """Return the projects that have surprises or lessons of a kind; None comes first."""
        return [project for found, project in stored.blocks(self._db) if found == kind]

    def block(self, kind: str, project: str | None, *, fresh: bool = True) -> Block:
        """Return one of them; archived lessons are among it, for what is said again to find."""
        found = stored.lessons(
            self._db, at=self.now, project=project, kinds=(kind,), archived=fresh
        )
        own = [lesson for lesson in found if lesson.project == project]
        return Block(
            kind=kind,
            project=project,
            lessons=tuple(sorted(self._held(own), key=lambda h: h.lesson.id)),
            fresh=tuple(self._fresh(kind, project)) if fresh else (),
        )

    def living(self, kind: str | None = None) -> list[Held]:
        """Return the lessons that hold, of one kind or all, by id."""
        kinds = None if kind is None else (kind,)
        found = stored.lessons(self._db, at=self.now, project=stored.ALL, kinds=kinds)
        return sorted(self._held(found), key=lambda held: held.lesson.id)

    def fading(self) -> Iterator[Fading]:
        """Yield the episodes that may fade: no notes, which were told on purpose and have a
        validity of their own, and nothing that a living lesson rests on.

        Nor what a lesson rests on that fades this very night, so that a night that is slept
        through once more changes nothing.
        """
        found = stored.lessons(self._db, at=self.now, project=stored.ALL, archived=True)
        kept = [k for k in found if k.archived is None or k.archived >= self.now]
        resting = {id_ for lesson in kept for id_ in lesson.sources}
        for row in stored.strengths(self._db):
            if row.kind != "note" and row.id not in resting and row.at <= self.now:
                times = (row.at, row.created, row.touched)
                touched = max(t for t in times if t is not None and t <= self.now)
                yield Fading(row.id, row.strength, touched)

    def unresolved(self) -> list[tuple[Prediction, Held | None]]:
        """Return the open predictions, each with its lesson as it is now, by (made, id)."""
        living = {held.lesson.id: held for held in self.living()}
        return [
            (prediction, living.get(stored.current_id(self._db, prediction.lesson)))
            for prediction in stored.predictions(self._db, unresolved=True)
        ]

    def worked(self, project: str | None, since: str, until: str) -> bool:
        """Tell whether a session of a project (None: of any) took place between two times."""
        where = "ended >= ? and started <= ?" + ("" if project is None else " and project = ?")
        values = [since, until] + ([] if project is None else [project])
        found = self._db.execute(f"select 1 from sessions where {where} limit 1", values)
        return found.fetchone() is not None

    def vetoed(self) -> list[tuple[Veto, tuple[Source, ...]]]:
        """Return the vetoes that hold, with what of their sources is still there."""
        return [
            (veto, tuple(stored.sources(self._db, veto.sources)))
            for veto in stored.vetoes(self._db)
        ]

    def _held(self, lessons: Sequence[Lesson]) -> list[Held]:
        found = stored.sources(self._db, {id_ for lesson in lessons for id_ in lesson.sources})
        by_id = {source.id: source for source in found}
        names: dict[str, list[Alias]] = {}
        for name in rows.select(self._db, Alias, "order by t.old"):
            names.setdefault(name.new, []).append(name)
        return [
            Held(
                lesson,
                tuple(by_id[id_] for id_ in lesson.sources if id_ in by_id),
                tuple(names.get(lesson.id, ())),
            )
            for lesson in lessons
        ]

    def _fresh(self, kind: str, project: str | None) -> Iterator[Source]:
        for source in stored.uncovered(self._db, kind, project):
            if source.at > self.now:
                return
            yield source
