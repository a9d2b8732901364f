"""Putting a line into a file of lines (a crontab) and taking it out."""

from typing import Any, Final

from remem_agents.setup.edits.style import style_of
from remem_agents.setup.entries import Path
from remem_agents.setup.errors import SetupError

LINES: Final = ("lines",)


class LinesText:
    """The editor of files that are read line by line: one list, `lines`."""

    name = "lines"

    def load(self, text: str) -> Any:
        """Return the lines of a text."""
        return {"lines": text.splitlines()}

    def add(self, text: str, path: tuple[str, ...], value: Any, *, is_item: bool = False) -> str:
        """Add a line at the end."""
        newline = style_of(text).newline
        ended = text if not text or text.endswith("\n") else text + newline
        return ended + str(value) + newline

    def replace(self, text: str, path: Path, value: Any) -> str:
        """Put another line in the place of one that is there."""
        return self._spliced(text, path, [str(value) + style_of(text).newline])

    def delete(self, text: str, path: Path) -> str:
        """Take one line out."""
        return self._spliced(text, path, [])

    def _spliced(self, text: str, path: Path, new: list[str]) -> str:
        at = path[-1]
        lines = text.splitlines(keepends=True)
        if not isinstance(at, int) or at >= len(lines):
            raise SetupError("shape", "no such line")
        return "".join([*lines[:at], *new, *lines[at + 1 :]])
