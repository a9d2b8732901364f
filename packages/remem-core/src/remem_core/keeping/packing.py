"""A snapshot as one file to carry elsewhere: a zip of its manifest and its store."""

import re
import zipfile
from pathlib import Path
from typing import BinaryIO

from remem_core.errors import DamagedSnapshotError, StoreError
from remem_core.keeping import files
from remem_core.keeping.snapshot import Snapshots, manifest_of, read_manifest
from remem_core.reports import Snapshot
from remem_core.store import copying
from remem_core.store.connection import store_errors
from remem_protocol import NotFoundError

_NAME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}-[0-9]{2}-[0-9]{2}Z(-[0-9]{1,4})?")
_MANIFEST, _STORE = "manifest.json", "memory.db"
_MANIFEST_BYTES = 1 << 16


def pack(snapshots: Snapshots, name: str, out: BinaryIO) -> Snapshot:
    """Write one snapshot with its manifest; it is checked first."""
    snapshot = snapshots.get(name)
    snapshots.check(snapshot)
    with store_errors(None), zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(_MANIFEST, manifest_of(snapshot))
        packed.write(snapshot.path, _STORE)
    return snapshot


def unpack(snapshots: Snapshots, packed: BinaryIO) -> Snapshot:
    """Take in a packed snapshot under its own name; refuse it where a byte is not right."""
    with snapshots.part() as part:
        try:
            with zipfile.ZipFile(packed) as file:
                with file.open(_MANIFEST) as told:
                    given = read_manifest(told.read(_MANIFEST_BYTES), part)
                with file.open(_STORE) as source:
                    files.write_blocks(source, part, limit=int(given.bytes) + 1)
        except (zipfile.BadZipFile, KeyError, TypeError, ValueError) as error:
            raise DamagedSnapshotError(f"not a packed snapshot: {error}") from error
        _check(part, given)
        try:
            known = snapshots.get(given.name)
        except NotFoundError:
            return snapshots.keep(part, given.name, given.made, given.why)
        if known.sha256 != given.sha256:
            raise StoreError(f"there is another snapshot of the name {given.name}")
        return known


def _check(part: Path, given: Snapshot) -> None:
    if not _NAME.fullmatch(str(given.name)):
        raise DamagedSnapshotError("not a packed snapshot: it has no proper name")
    if part.stat().st_size != given.bytes or files.sha256_of(part) != given.sha256:
        raise DamagedSnapshotError("the packed snapshot is not the bytes that were kept")
    if found := copying.faults(part):
        raise DamagedSnapshotError(f"the packed snapshot: {'; '.join(found)}")
