"""Repair: what can be built again is, what can be read of a damaged file goes into a new one.

The truth is never touched before a copy of it is safe: a snapshot, or the files as they are where
the store can not even be copied row by row.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from remem_core.batches import batches
from remem_core.errors import BusyError, StoreError
from remem_core.keeping import files
from remem_core.keeping.records import prepare
from remem_core.keeping.snapshot import Snapshots
from remem_core.paths import Locations
from remem_core.reports import Repaired
from remem_core.store import checking, copying
from remem_core.store.connection import connect, store_errors, transaction
from remem_protocol import Record, RememError

if TYPE_CHECKING:
    from remem_core.store.merging import Merger

BATCH = 500


def repair(places: Locations, *, now: str) -> Repaired:
    """Mend a memory's store; raise BusyError, NewerStoreError or StoreError.

    A sound store gets its caches anew. A damaged one is read into a new file, which takes its
    place only when it is whole; other programs must have let go of the old one.
    """
    if not places.db.exists():
        raise StoreError(f"there is no store at {places.db}")
    if _damage(places):
        return _salvage(places, now)
    snapshots = Snapshots(places.snapshots)
    db = connect(places.db)
    try:
        kept = snapshots.create(db, now=now, why="before a repair")
        dropped = checking.rebuild_caches(db)
        vacuumed = checking.examine(places.db).worth_vacuum
        if vacuumed:
            checking.vacuum(db)
    finally:
        db.close()
    removed = snapshots.leftovers()
    for path in removed:
        path.unlink(missing_ok=True)
    return Repaired(kept.path, dropped_vectors=dropped, vacuumed=vacuumed, removed=len(removed))


def _damage(places: Locations) -> str:
    """Return what is damaged beyond the caches; a busy store is not damaged."""
    try:
        return checking.examine(places.db).damage
    except BusyError:
        raise
    except StoreError as error:
        return error.message


def _salvage(places: Locations, now: str) -> Repaired:
    if not checking.is_alone(places.db):
        raise BusyError("other programs have the memory open; end them, then repair again")
    kept = _copy_files(places, now)
    with Snapshots(places.snapshots).part() as fresh:
        fresh.unlink()
        salvaged, lost = _read_over(kept, fresh, now)
        with store_errors(places.db):
            for beside in files.store_files(places.db)[1:]:
                beside.unlink(missing_ok=True)
            files.replace_whole(fresh, places.db)
    return Repaired(str(kept), damaged=True, salvaged=salvaged, lost=lost)


def _copy_files(places: Locations, now: str) -> Path:
    """Copy the store's files as they are; return the copy of the main one."""
    folder = places.snapshots / f"damaged-{now[:19].replace(':', '-')}Z"
    with store_errors(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path in files.store_files(places.db):
            target = folder / path.name
            target.touch(mode=0o600)
            with path.open("rb") as source:
                files.write_blocks(source, target, limit=path.stat().st_size)
    return folder / places.db.name


def _read_over(damaged: Path, fresh: Path, now: str) -> tuple[int, int]:
    """Merge what can be read of a damaged store into a new one; return (read, lost) rows."""
    from remem_core.store.merging import Merger
    from remem_core.store.salvage import damaged_store, readable

    db, read, lost = connect(fresh), 0, 0
    try:
        merger = Merger(db, now=now)
        with damaged_store(damaged) as old:
            for batch in batches(readable(old), BATCH):
                with transaction(db):
                    good = sum(_take(merger, record) for record in batch)
                read += good
                lost += len(batch) - good
        with transaction(db):
            copying.record_restore(db, "read out of a damaged store", now=now)
    finally:
        copying.close_whole(db)
    return read, lost


def _take(merger: "Merger", record: Record | None) -> bool:
    if record is None:
        return False
    try:
        merger.put(*prepare(record))
    except RememError:
        return False
    return True
