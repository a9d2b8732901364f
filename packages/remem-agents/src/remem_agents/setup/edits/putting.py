"""One entry in and out of a text, whatever its format; what came out is checked against data.

Taking out first tries the very stretch of text that was put in: as long as it stands there
unaltered, its removal gives back the bytes that were there. Else the entry is looked for and cut.
"""

from dataclasses import dataclass
from typing import Any, Final, Protocol

from remem_agents.setup.edits.json_text import JsonText
from remem_agents.setup.edits.lines_text import LinesText
from remem_agents.setup.edits.style import BOM
from remem_agents.setup.edits.toml_text import TomlText
from remem_agents.setup.edits.yaml_text import YamlText
from remem_agents.setup.entries import Entry, Path, find, lookup, missing, trimmed, without
from remem_agents.setup.errors import SetupError


class Editor(Protocol):
    """What each format can do to a text; all raise SetupError and never guess."""

    @property
    def name(self) -> str:
        """The format's name in the manifest."""
        ...

    def load(self, text: str) -> Any:
        """Return the value of a text, an empty mapping for an empty one."""
        ...

    def add(self, text: str, path: tuple[str, ...], value: Any, *, is_item: bool = False) -> str:
        """Add a member at a path, or an item to the list there."""
        ...

    def replace(self, text: str, path: Path, value: Any) -> str:
        """Put another value in the place of one that is there."""
        ...

    def delete(self, text: str, path: Path) -> str:
        """Take out what stands at a path."""
        ...


EDITORS: Final[dict[str, Editor]] = {
    editor.name: editor for editor in (JsonText(), TomlText(), YamlText(), LinesText())
}


@dataclass(frozen=True)
class Written:
    """An entry as it was put in: what stretch of text replaced which, and what was made for it."""

    entry: Entry
    created: tuple[tuple[str, ...], ...] = ()
    removed: str = ""
    inserted: str = ""


def decode(data: bytes) -> str:
    """Return a file's text, its byte order mark apart; raise SetupError (unreadable)."""
    try:
        return data.decode("utf-8").removeprefix(BOM)
    except UnicodeDecodeError as error:
        raise SetupError("unreadable", f"not UTF-8 at byte {error.start}") from None


def encode(text: str, like: bytes) -> bytes:
    """Return a text's bytes, with a byte order mark where the file had one."""
    mark = BOM.encode() if like.startswith(BOM.encode()) else b""
    return mark + text.encode("utf-8", "surrogatepass")


def put_in(text: str, entry: Entry, editor: Editor) -> tuple[str, Written | None]:
    """Return the text with the entry, and how to undo it; None if it was there already.

    An older form of it is replaced where it stands.
    """
    document = editor.load(text)
    at = find(document, entry)
    if at is None:
        changed = editor.add(text, entry.path, entry.value, is_item=entry.is_item)
        written = _difference(text, changed, entry, missing(document, entry))
    elif lookup(document, at) == entry.value:
        return text, None
    elif entry.is_item and at[-2:-1] == ("hooks",):  # in a group with others': ours moves out
        return put_in(editor.delete(text, at), entry, editor)
    else:
        changed, written = editor.replace(text, at, entry.value), Written(entry)
    there = find(editor.load(changed), entry)
    if there is None or lookup(editor.load(changed), there) != entry.value:
        raise SetupError("failed", f"{entry.label} could not be added")
    _check_others(document, editor.load(changed), written)
    return changed, written


def take_out(text: str, written: Written, editor: Editor) -> str:
    """Return the text without the entry and without what was made for it alone."""
    document = editor.load(text)
    wanted = _cleared(document, written)
    if wanted == document:
        return text
    if written.inserted and text.count(written.inserted) == 1:
        undone = text.replace(written.inserted, written.removed)
        if _loads_as(undone, wanted, written, editor):
            return undone
    while (at := _next(editor.load(text), written)) is not None:
        text = editor.delete(text, at)
    if not _loads_as(text, wanted, written, editor):
        raise SetupError("failed", f"{written.entry.label} could not be taken out")
    return text


def _difference(
    before: str, after: str, entry: Entry, created: tuple[tuple[str, ...], ...]
) -> Written:
    """Note the one stretch in which two texts differ."""
    start = 0
    shorter = min(len(before), len(after))
    while start < shorter and before[start] == after[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    removed, inserted = before[start : len(before) - end], after[start : len(after) - end]
    return Written(entry, created, removed, inserted)


def _next(document: Any, written: Written) -> Path | None:
    """Return what is to be taken out next: the entry, then the empty containers made for it."""
    at = find(document, written.entry)
    if at is not None:
        return at
    empty = (path for path in reversed(written.created) if _is_empty(document, path))
    return next(empty, None)


def _is_empty(document: Any, path: Path) -> bool:
    found = lookup(document, path, absent=document)
    return found in ({}, [], None) and found is not document


def _cleared(document: Any, written: Written) -> Any:
    while (at := _next(document, written)) is not None:
        document = without(document, at)
    return document


def _check_others(before: Any, after: Any, written: Written) -> None:
    """Hold against each other all that is not ours."""
    if not _is_same(_cleared(after, written), _cleared(before, written), written):
        raise SetupError("failed", f"{written.entry.label} can not be added without other changes")


def _is_same(left: Any, right: Any, written: Written) -> bool:
    return bool(trimmed(left, written.entry) == trimmed(right, written.entry))


def _loads_as(text: str, wanted: Any, written: Written, editor: Editor) -> bool:
    try:
        return _is_same(editor.load(text), wanted, written)
    except SetupError:
        return False
