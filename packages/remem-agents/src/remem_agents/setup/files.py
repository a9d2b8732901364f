"""Reading and writing one file of somebody else's: whole, through links, its mode kept."""

import contextlib
import hashlib
import os
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from remem_agents.setup.crontab import CRONTAB, read_crontab, write_crontab
from remem_agents.setup.errors import SetupError

# Configurations hold keys sooner or later.
NEW_FILE: Final = 0o600
NEW_FOLDER: Final = 0o700
LARGEST: Final = 32 * 1024 * 1024


@dataclass(frozen=True)
class FileState:
    """What stands at a path now: `target` is where its links lead, `folders` those to be made."""

    path: Path
    target: Path
    data: bytes | None
    mode: int = NEW_FILE
    folders: tuple[Path, ...] = ()


def sha(data: bytes | None) -> str | None:
    """Return the SHA-256 of a file's bytes, None for no file."""
    return None if data is None else hashlib.sha256(data).hexdigest()


def look(path: Path) -> FileState:
    """Read a file; raise SetupError when it can not be one or is not to be written."""
    if path == CRONTAB:
        return FileState(path, path, read_crontab())
    try:
        target = Path(os.path.realpath(path, strict=False))
        found = target.stat()
    except FileNotFoundError:
        return FileState(path, target, None, folders=_missing_folders(target))
    except OSError as error:  # a loop of links, a file where a folder should be
        raise SetupError("unreachable", f"{error.strerror}: {path}") from None
    if not stat.S_ISREG(found.st_mode):
        raise SetupError("unreachable", f"{path} is no file")
    if found.st_size > LARGEST:
        raise SetupError("unreadable", f"{path} has {found.st_size:,} bytes")
    _check_writable(target, found.st_mode)
    try:
        return FileState(path, target, target.read_bytes(), stat.S_IMODE(found.st_mode))
    except OSError as error:
        raise SetupError("unreachable", f"{error.strerror}: {path}") from None


def write(state: FileState, data: bytes | None) -> None:
    """Make a file hold `data`, or be gone; raise SetupError (changed) when it is not as it was.

    Either all of it is there afterwards or what was there before.
    """
    now = look(state.path)
    if now.target != state.target or now.data != state.data:
        what = "was changed by another program meanwhile; run it again"
        raise SetupError("changed", f"{state.path} {what}")
    if state.path == CRONTAB:
        write_crontab(data)
    elif data is None:
        state.target.unlink(missing_ok=True)
    else:
        _replace(state, data)
    if look(state.path).data != data:
        raise SetupError("failed", f"{state.path} does not hold what was written")


def remove_folders(folders: tuple[Path, ...]) -> None:
    """Remove folders that we made, innermost first, as far as nobody else uses them."""
    for folder in reversed(folders):
        with contextlib.suppress(OSError):
            folder.rmdir()


def _missing_folders(target: Path) -> tuple[Path, ...]:
    missing: list[Path] = []
    folder = target.parent
    while not folder.exists():
        missing.insert(0, folder)
        folder = folder.parent
    if not folder.is_dir():
        raise SetupError("unreachable", f"{folder} is no folder")
    return tuple(missing)


def _check_writable(target: Path, mode: int) -> None:
    # What is made read-only is kept by somebody: a dotfile manager, Nix, a careful owner.
    if not mode & stat.S_IWUSR or not os.access(target.parent, os.W_OK):
        raise SetupError("read-only", f"{target} is not to be written")


def _replace(state: FileState, data: bytes) -> None:
    for folder in state.folders:
        folder.mkdir(mode=NEW_FOLDER, exist_ok=True)
    try:
        _write_beside(state, data)
    except OSError:
        remove_folders(state.folders)
        raise


def _write_beside(state: FileState, data: bytes) -> None:
    descriptor, name = tempfile.mkstemp(dir=state.target.parent, prefix=".remem-")
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.chmod(state.mode)
        _keep_owner(part, state.target)
        part.replace(state.target)
    finally:
        part.unlink(missing_ok=True)


def _keep_owner(part: Path, target: Path) -> None:
    """Leave the file to whom it belongs, where root writes for somebody."""
    with contextlib.suppress(OSError, AttributeError):
        owner = target.stat()
        if (owner.st_uid, owner.st_gid) != (os.getuid(), os.getgid()):
            os.chown(part, owner.st_uid, owner.st_gid)
