"""Snapshots: the whole memory as it was, each a file with a manifest that says what it must be.

The manifest is written last, so a copy that was interrupted is none. What was forgotten since is
taken out of old snapshots too, and never comes back with one.
"""

import dataclasses
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from remem_core.errors import DamagedSnapshotError, NewerStoreError, StoreError
from remem_core.keeping import files
from remem_core.keeping.records import prepare
from remem_core.reports import ImportReport, Snapshot
from remem_core.store import copying
from remem_core.store.connection import (
    SCHEMA_VERSION,
    Connection,
    connect,
    store_errors,
    transaction,
)
from remem_protocol import PROTOCOL, NotFoundError

if TYPE_CHECKING:
    from remem_core.store.changing import Unwanted

MANIFEST = ("name", "made", "schema", "bytes", "sha256", "counts", "why")


class Snapshots:
    """The snapshots of one memory, in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def create(self, db: Connection, *, now: str, why: str = "") -> Snapshot:
        """Copy the store as of this moment, whoever else uses it; return the new snapshot."""
        with self.part() as part:
            copying.copy_to(db, part)
            return self.keep(part, self._new_name(now), now, why)

    def all(self) -> list[Snapshot]:
        """Return the snapshots, the oldest first; one whose file is missing or cut says so."""
        found = (_read(path) for path in self.folder.glob("*.json"))
        return sorted((s for s in found if s is not None), key=lambda s: (s.made, s.name))

    def get(self, name: str) -> Snapshot:
        """Return one snapshot, or the newest for `latest`; raise NotFoundError."""
        for snapshot in self.all()[::-1]:
            if name in (snapshot.name, "latest"):
                return snapshot
        raise NotFoundError(f"no snapshot {name!r}; `remem snapshot list` names them")

    def check(self, snapshot: Snapshot) -> None:
        """Read a snapshot whole; raise DamagedSnapshotError or NewerStoreError (MEM-061)."""
        path = Path(snapshot.path)
        if snapshot.damaged:
            raise DamagedSnapshotError(f"snapshot {snapshot.name}: {snapshot.damaged}")
        if files.sha256_of(path) != snapshot.sha256:
            raise DamagedSnapshotError(f"snapshot {snapshot.name} is not the bytes that were kept")
        if found := copying.faults(path):
            raise DamagedSnapshotError(f"snapshot {snapshot.name}: {'; '.join(found)}")
        if (schema := copying.schema_of(path)) > SCHEMA_VERSION:
            raise NewerStoreError(
                f"snapshot {snapshot.name} has schema {schema}, this remem knows"
                f" {SCHEMA_VERSION}; upgrade remem"
            )

    def restore(
        self, db: Connection, name: str, *, now: str, unwanted: "Unwanted | None" = None
    ) -> tuple[Snapshot, ImportReport, list[int]]:
        """Lay a snapshot over the present; return the snapshot of what it replaced, and counts.

        One transaction: other programs see all of it or nothing, and a kill leaves the present.
        """
        from remem_core.store.merging import Merger

        snapshot = self.get(name)
        self.check(snapshot)
        with (
            self._of_this_schema(snapshot) as path,
            copying.look(path) as past,
            copying.beside(db, path),
            transaction(db),
        ):
            with copying.reader_of(db) as committed:  # all there is: we hold the write lock
                replaced = self.create(committed, now=now, why=f"before restoring {snapshot.name}")
            copying.clear_for(db)
            merger = Merger(db, now=now, unwanted=unwanted)
            for record in copying.missing(db, past):
                merger.put(*prepare(record))
            copying.settle(db)
            copying.record_restore(db, f"the snapshot {snapshot.name} restored", now=now)
        return replaced, merger.report, merger.rows

    def scrub(self, db: Connection) -> tuple[str, ...]:
        """Take out of every snapshot what the store's tombstones keep out; return their names.

        The old manifest goes before the new file comes: a kill in between loses a copy of the
        memory, never what is in it.
        """
        rewritten = []
        for snapshot in self.all():
            path = Path(snapshot.path)
            if snapshot.damaged or snapshot.schema > SCHEMA_VERSION:
                continue
            if not copying.holds_buried(db, path):
                continue
            with self.part() as part:
                _copy(path, part)
                copying.scrub_copy(db, part)
                path.with_suffix(".json").unlink()
                self.keep(part, snapshot.name, snapshot.made, snapshot.why)
            rewritten.append(snapshot.name)
        return tuple(rewritten)

    def leftovers(self) -> list[Path]:
        """Return the files of copies that were interrupted."""
        named = {Path(s.path) for s in self.all()}
        there = self.folder.glob("*")
        return sorted(p for p in there if p.suffix in (".part", ".db") and p not in named)

    def keep(self, part: Path, name: str, made: str, why: str) -> Snapshot:
        """Give a finished copy its name, then its manifest: the last step makes it a snapshot."""
        path = self.folder / f"{name}.db"
        snapshot = Snapshot(
            name=name,
            path=str(path),
            made=made,
            schema=copying.schema_of(part),
            bytes=part.stat().st_size,
            sha256=files.sha256_of(part),
            counts=copying.counts_of(part),
            why=why,
        )
        with store_errors(path), self.part() as written:
            written.write_bytes(manifest_of(snapshot))
            files.replace_whole(part, path)
            files.replace_whole(written, path.with_suffix(".json"))
        return snapshot

    @contextmanager
    def part(self) -> Iterator[Path]:
        """Give a new private file for a copy in the making; nothing of it stays behind."""
        with store_errors(self.folder):
            path = files.new_part(self.folder)
        try:
            yield path
        finally:
            files.remove_store(path)

    @contextmanager
    def _of_this_schema(self, snapshot: Snapshot) -> Iterator[Path]:
        if snapshot.schema == SCHEMA_VERSION:
            yield Path(snapshot.path)
            return
        with self.part() as part:
            _copy(Path(snapshot.path), part)
            copying.close_whole(connect(part))  # brings it up to date
            yield part

    def _new_name(self, now: str) -> str:
        stem = f"{now[:19].replace(':', '-')}Z"
        for number in range(1, 10_000):
            name = stem if number == 1 else f"{stem}-{number}"
            if files.claim_name(self.folder / f"{name}.db"):
                return name
        raise StoreError(f"{self.folder}: no name is left for a snapshot of this second")


def manifest_of(snapshot: Snapshot) -> bytes:
    """Return a snapshot's manifest, as it is on disk."""
    told = {"type": "snapshot", "v": PROTOCOL}
    told |= {name: getattr(snapshot, name) for name in MANIFEST}
    return (json.dumps(told, indent=2) + "\n").encode()


def read_manifest(data: bytes, path: Path) -> Snapshot:
    """Return the snapshot that a manifest describes; raise ValueError, KeyError or TypeError."""
    told = json.loads(data)
    return Snapshot(path=str(path), **{name: told[name] for name in MANIFEST})


def _read(manifest: Path) -> Snapshot | None:
    path = manifest.with_suffix(".db")
    try:
        snapshot = read_manifest(manifest.read_bytes(), path)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if not path.is_file():
        return dataclasses.replace(snapshot, damaged="its file is missing")
    there = path.stat().st_size
    if there != snapshot.bytes:
        words = f"its file has {there:,} bytes, not {snapshot.bytes:,}"
        return dataclasses.replace(snapshot, damaged=words)
    return snapshot


def _copy(source: Path, target: Path) -> None:
    with store_errors(target), source.open("rb") as file:
        files.write_blocks(file, target, limit=source.stat().st_size)
