"""What we add to a configuration: a named member of an object, or one more item of a list.

An entry is found again by its mark, not by its bytes: agents rewrite their files, and an owner may
have changed a timeout.
"""

import copy
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from remem_agents.setup.errors import SetupError

# Whose command a hook or a server is. A path before it moves with every upgrade.
HOOK_MARK: Final = r"remem_agents/hook\.py"
SERVER_MARK: Final = r"(?=.*(?:^| )serve(?: |$)).*(?:/remem(?:\.exe)?|remem_cli)(?: |$)"

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Entry:
    """One entry: `value` at the keys of `path`, or appended to the list that stands there."""

    path: tuple[str, ...]
    value: Any
    mark: str
    is_item: bool = False

    @property
    def label(self) -> str:
        """How the entry is told to its owner: `hooks.Stop`."""
        return ".".join(self.path)


def is_ours(value: Any, mark: str) -> bool:
    """Tell whether a value runs our program, by the words of its command."""
    words = " ".join(_strings(value)).replace("\\", "/").replace("'", "").replace('"', "")
    return re.search(mark, words) is not None


def find(document: Any, entry: Entry) -> Path | None:
    """Return where the entry stands, None if nowhere; of a group shared with others our part.

    Raise SetupError: `taken` by another program, or `shape` when something else is in its place.
    """
    there = _resolve(document, entry)
    if there is None:
        return None
    if not entry.is_item:
        if not is_ours(there, entry.mark):
            what = f"{entry.label} is there already and is not ours"
            raise SetupError("taken", f"{what}: {json.dumps(there, default=str)[:120]}")
        return entry.path
    if not isinstance(there, list):
        raise SetupError("shape", f"{entry.label} is no list")
    found = (_part(group, entry.mark) for group in there)
    return next(((*entry.path, at, *p) for at, p in enumerate(found) if p is not None), None)


def missing(document: Any, entry: Entry) -> tuple[tuple[str, ...], ...]:
    """Return the paths of the containers that the entry needs and that are not there yet."""
    ends = range(1, len(entry.path) + (1 if entry.is_item else 0))
    paths = [entry.path[:end] for end in ends]
    return tuple(path for path in paths if lookup(document, path, absent=_ABSENT) is _ABSENT)


def lookup(document: Any, path: Path, absent: Any = None) -> Any:
    """Return what stands at a path, or `absent`."""
    for key in path:
        if isinstance(key, int):
            if not isinstance(document, list) or key >= len(document):
                return absent
        elif not isinstance(document, dict) or key not in document:
            return absent
        document = document[key]
    return document


def without(document: Any, path: Path) -> Any:
    """Return a copy of a document in which nothing stands at the path any more."""
    changed = copy.deepcopy(document)
    del lookup(changed, path[:-1])[path[-1]]
    return changed


def trimmed(document: Any, entry: Entry) -> Any:
    """Return a document without the containers on the entry's way that hold nothing.

    Some formats can not tell an empty one from none, so they count for nothing in a comparison.
    """
    for end in range(len(entry.path), 0, -1):
        path = entry.path[:end]
        if lookup(document, path, absent=_ABSENT) in ({}, [], None):
            document = without(document, path)
    return document


def nested(path: tuple[str, ...], value: Any) -> Any:
    """Return the value wrapped in an object for each key of the path."""
    for key in reversed(path):
        value = {key: value}
    return value


_ABSENT: Final = object()


def _resolve(document: Any, entry: Entry) -> Any:
    """Return what stands at the entry's path; None if nothing does."""
    for depth, key in enumerate(entry.path):
        if document is None:
            return None
        if not isinstance(document, dict):
            name = ".".join(entry.path[:depth]) or "the whole"
            raise SetupError("shape", f"{name} is no object, so {entry.label} has no place")
        if key not in document:
            return None
        document = document[key]
    return document


def _part(group: Any, mark: str) -> Path | None:
    handlers = group.get("hooks") if isinstance(group, dict) else None
    if not isinstance(handlers, list):
        return () if is_ours(group, mark) else None
    ours = [at for at, handler in enumerate(handlers) if is_ours(handler, mark)]
    if not ours:
        return None
    return () if len(ours) == len(handlers) else ("hooks", ours[0])


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _strings(part)
    elif isinstance(value, list):
        for part in value:
            yield from _strings(part)
