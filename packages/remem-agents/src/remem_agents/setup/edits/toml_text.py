"""Putting an entry into the text of a TOML file and taking one out.

A table may stand anywhere in TOML, so ours goes to the end as text. tomlkit does the rest: it keeps
the layout of what it reads, where `codex mcp add` (0.171) was seen to drop a comment.
"""

import tomllib
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from remem_agents.setup.edits.style import style_of
from remem_agents.setup.entries import Path, lookup, nested
from remem_agents.setup.errors import SetupError


class TomlText:
    """The editor of TOML files."""

    name = "toml"

    def load(self, text: str) -> Any:
        """Return the value of a text; raise SetupError (unreadable)."""
        try:
            return tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise SetupError("unreadable", f"not TOML: {error}") from None

    def add(self, text: str, path: tuple[str, ...], value: Any, *, is_item: bool = False) -> str:
        """Add a table at a path: at the end of the file, or inside the inline table there."""
        if is_item:
            raise SetupError("shape", "lists of TOML files are not added to")
        newline = style_of(text).newline
        before = text if not text or text.endswith("\n") else text + newline
        table = newline.join(_table(path, value).splitlines()) + newline
        added = before + (newline if before.strip() else "") + table
        return added if self._holds(added, path, value) else _add_inline(text, path, value)

    def replace(self, text: str, path: Path, value: Any) -> str:
        """Put another value in the place of one that is there."""
        document = _parse(text)
        table = _container(document, path)
        for key in [key for key in table if key not in value]:
            del table[key]
        table.update(value)
        return tomlkit.dumps(document)

    def delete(self, text: str, path: Path) -> str:
        """Take out what stands at a path."""
        document = _parse(text)
        container = _container(document, path[:-1])
        if container is None or path[-1] not in container:
            raise SetupError("shape", f"nothing stands at {'.'.join(map(str, path))}")
        del container[path[-1]]
        return tomlkit.dumps(document)

    def _holds(self, text: str, path: tuple[str, ...], value: Any) -> bool:
        try:
            return bool(lookup(self.load(text), path) == value)
        except SetupError:  # an inline table can not be opened again below
            return False


def _container(document: Any, path: Path) -> Any:
    """Return the container at a path of a parsed document, None if it is not there."""
    for key in path:
        if key not in document:
            return None
        document = document[key]
    return document


def _parse(text: str) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(text)
    except TOMLKitError as error:
        raise SetupError("unreadable", f"not TOML: {error}") from None


def _table(path: tuple[str, ...], value: Any) -> str:
    """Write `[a.b]` and its keys, without a line for each table above."""
    document = tomlkit.document()
    document.update(nested(path, value))
    return tomlkit.dumps(document).strip()


def _add_inline(text: str, path: tuple[str, ...], value: dict[str, Any]) -> str:
    document = _parse(text)
    container = _container(document, path[:-1])
    if container is None:
        raise SetupError("shape", f"{'.'.join(path)} has no place")
    table = tomlkit.inline_table()
    table.update(value)
    container[path[-1]] = table
    return tomlkit.dumps(document)
