"""Where a session ran: its file does not say, but the folders around it often do.

Three ways, by age: `projects.json` names the folder's short name, a `.project_root` file in it
holds the path, and in old versions the folder is called after the path's SHA-256.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from remem_agents.gemini.names import CHATS
from remem_agents.gemini.rows import Metadata

_MAX_PATH = 4096
_T = TypeVar("_T")


class _Projects(msgspec.Struct):
    projects: dict[str, str] = {}


def working_folder(path: Path, metadata: Metadata) -> str | None:
    """Find the folder that the session of a file ran in; None when nothing tells."""
    project = _project_folder(path)
    names = {metadata.project_hash, project.name if project else None} - {None}
    known: list[str] = []
    if project is not None:
        if (root := _marker(project)) is not None:
            return root
        registered = _registered(project)
        for folder, name in registered.items():
            if name == project.name:
                return folder
        known = [*registered, *_siblings(project), *_trusted(project)]
    known += metadata.directories or []
    hashed = (folder for folder in known if _digest(folder) in names)
    return next(hashed, next(iter(metadata.directories or []), None))


def _project_folder(path: Path) -> Path | None:
    """The folder that `chats` stands in."""
    for folder in path.absolute().parents:
        if folder.name == CHATS:
            return folder.parent
    return None


def _marker(project: Path) -> str | None:
    try:
        with (project / ".project_root").open(encoding="utf-8") as file:
            return file.read(_MAX_PATH).strip() or None
    except (OSError, UnicodeDecodeError):
        return None


def _siblings(project: Path) -> Iterator[str]:
    try:
        folders = sorted(project.parent.iterdir())
    except OSError:
        return
    yield from (root for folder in folders if (root := _marker(folder)) is not None)


def _registered(project: Path) -> dict[str, str]:
    return _read(project.parent.parent / "projects.json", _Projects, _Projects()).projects


def _trusted(project: Path) -> dict[str, object]:
    nothing: dict[str, object] = {}
    return _read(project.parent.parent / "trustedFolders.json", dict[str, object], nothing)


def _read(path: Path, kind: type[_T], fallback: _T) -> _T:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError, RecursionError):
        return fallback


def _digest(folder: str) -> str:
    return hashlib.sha256(folder.encode("utf-8", "replace")).hexdigest()
