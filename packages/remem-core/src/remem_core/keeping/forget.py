"""Forgetting for good: in the store, in its files' bytes, and in the snapshots kept of it."""

from remem_core.keeping.snapshot import Snapshots
from remem_core.reports import Forgotten
from remem_core.store import erasing
from remem_core.store.connection import Connection, moment, transaction
from remem_core.store.erasing import Selection

_NAMES = {
    "id": "a memory forgotten",
    "session": "a session forgotten",
    "project": "a project forgotten",
    "since": "a span of time forgotten",
}


def forget(
    db: Connection, selection: Selection, snapshots: Snapshots, *, now: str, dry_run: bool
) -> Forgotten:
    """Delete what is named and keep it out from now on; a dry run only counts.

    A session, project or span without a single episode is kept out all the same.
    """
    if dry_run:
        with moment(db):
            return _counted(db, erasing.find(db, selection))
    with transaction(db):
        found = erasing.find(db, selection)
        counted = _counted(db, found)
        erasing.erase(db, found, now=now)
        erasing.record(db, selection, found, now=now, why=_NAMES[selection.named])
    clean = erasing.scrub(db)
    rewritten = snapshots.scrub(db)
    return Forgotten(
        counted.episodes, counted.sessions, counted.lessons, counted.ids, clean, rewritten
    )


def _counted(db: Connection, found: erasing.Found) -> Forgotten:
    return Forgotten(
        episodes=len(found.rows),
        sessions=len(found.sessions),
        lessons=len(found.lessons),
        ids=tuple(erasing.ids_of(db, found.rows)),
    )
