"""What set-up wrote, where, and what was there before: all that the way back needs."""

import os
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec

from remem_agents.setup.edits.putting import Written
from remem_agents.setup.errors import SetupError
from remem_agents.setup.files import sha


@dataclass(frozen=True)
class Record:
    """One file that was changed; `whole` when all of it is ours. Hashes are SHA-256, in hex."""

    host: str
    path: str
    format: str
    before: str | None
    after: str
    written: tuple[Written, ...] = ()
    folders: tuple[str, ...] = ()
    whole: bool = False
    at: str = ""


@dataclass(frozen=True)
class Undo:
    """A command that was run, and those that take it back."""

    host: str
    argv: tuple[str, ...]
    first: tuple[str, ...] = ()
    last: tuple[str, ...] = ()


@dataclass(frozen=True)
class Manifest:
    """All that set-up has done here and not taken back."""

    records: tuple[Record, ...] = ()
    undos: tuple[Undo, ...] = ()

    def of(self, path: Path) -> Record | None:
        """Return the record of a file."""
        return next((record for record in self.records if record.path == str(path)), None)

    def noting(self, *records: Record) -> "Manifest":
        """Return the manifest with these records in the place of earlier ones of their files."""
        paths = {record.path for record in records}
        kept = tuple(record for record in self.records if record.path not in paths)
        return replace(self, records=(*kept, *records))


@dataclass(frozen=True)
class Notebook:
    """Where the manifest is kept, and the copies of files as they were."""

    path: Path
    backups: Path = field(default=Path())

    @classmethod
    def at(cls, path: Path) -> "Notebook":
        """Return the notebook whose copies lie beside its manifest."""
        return cls(path, path.parent / "backups")

    def load(self) -> Manifest:
        """Read the manifest; raise SetupError (unreadable)."""
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=Manifest)
        except FileNotFoundError:
            return Manifest()
        except msgspec.MsgspecError as error:
            raise SetupError("unreadable", f"{self.path}: {error}") from None

    def save(self, manifest: Manifest) -> None:
        """Write the manifest whole; remove the file when nothing is noted any more."""
        if manifest == Manifest():
            self.path.unlink(missing_ok=True)
        else:
            _write(self.path, msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")

    def keep(self, data: bytes | None) -> None:
        """Keep a copy of a file as it was, under its hash, for its owner's eyes alone."""
        name = sha(data)
        if data is not None and name is not None and self.copy_of(name) is None:
            self.backups.mkdir(mode=0o700, exist_ok=True)
            _write(self.backups / name, data)

    def copy_of(self, name: str | None) -> bytes | None:
        """Return the bytes of a hash, None when they are not kept or not what they were."""
        try:
            data = (self.backups / (name or "")).read_bytes()
        except OSError:
            return None
        return data if sha(data) == name else None

    def tidy(self, manifest: Manifest) -> None:
        """Delete the copies that no record needs any more."""
        if not self.backups.is_dir():
            return
        needed = {record.before for record in manifest.records}
        for copy in self.backups.iterdir():
            if copy.name not in needed:
                copy.unlink()
        if not needed - {None}:
            self.backups.rmdir()


def _write(path: Path, data: bytes) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".remem-")
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
