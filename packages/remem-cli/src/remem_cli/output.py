"""What the owner sees: answers on stdout, everything else on stderr.

Under `--json` stdout carries JSON and nothing else. Colour and progress are for a terminal only,
and NO_COLOR or TERM=dumb turns colour off there.
"""

import json
import re
import shutil
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TextIO

BOLD: Final = "1"
DIM: Final = "2"
RED: Final = "31"
GREEN: Final = "32"
YELLOW: Final = "33"
ERASE_LINE: Final = "\r\x1b[2K"
_SEQUENCE: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Output:
    """The two streams of one run, and how to write on each."""

    def __init__(self, stdout: TextIO, stderr: TextIO, environ: Mapping[str, str]) -> None:
        self._stdout = stdout
        self._stderr = stderr
        plain = bool(environ.get("NO_COLOR")) or environ.get("TERM") == "dumb"
        self._colour = stdout.isatty() and not plain
        self._live = stderr.isatty() and environ.get("TERM") != "dumb"
        self._progress_shown = False
        self.quiet = False
        for stream in (stdout, stderr):
            if hasattr(
                stream, "reconfigure"
            ):  # a terminal that can't spell a word shows it escaped
                stream.reconfigure(errors="backslashreplace")

    def say(self, line: str = "") -> None:
        """Write one line for a person; foreign words go through `printable` first."""
        self._clear_progress()
        self._stdout.write(line + "\n")

    def json(self, value: Any) -> None:
        """Write one value as one line of JSON."""
        self._clear_progress()
        self._stdout.write(json.dumps(value, ensure_ascii=False) + "\n")

    def line(self, encoded: bytes) -> None:
        """Write one line that is JSON already."""
        self._clear_progress()
        self._stdout.write(encoded.decode("utf-8") + "\n")

    def note(self, line: str) -> None:
        """Write one line beside the answer, on stderr, unless quiet."""
        if not self.quiet:
            self._tell(line)

    def warn(self, message: str) -> None:
        """Write one warning on stderr."""
        self._tell(f"remem: warning: {message}")

    def fail(self, message: str) -> None:
        """Write why the command failed, on stderr."""
        self._tell(f"remem: {message}")

    def progress(self, label: str) -> Callable[[int, int], None]:
        """Return a function of (done, total) that redraws one line on a terminal, else nothing."""

        def draw(done: int, total: int) -> None:
            if self._live and not self.quiet:
                share = f"{done:,} of {total:,}" if total else f"{done:,}"
                self._stderr.write(f"{ERASE_LINE}{label} {share}")
                self._stderr.flush()
                self._progress_shown = True

        return draw

    def style(self, text: str, code: str) -> str:
        """Return the text in a colour for stdout, or as it is where there is none."""
        return f"\x1b[{code}m{text}\x1b[0m" if self._colour else text

    def flush(self) -> None:
        """Hand everything over, so that a closed pipe is noticed here."""
        self._clear_progress()
        self._stdout.flush()

    def _tell(self, line: str) -> None:
        self._clear_progress()
        self._stdout.flush()
        self._stderr.write(line + "\n")
        self._stderr.flush()

    def _clear_progress(self) -> None:
        if self._progress_shown:
            self._stderr.write(ERASE_LINE)
            self._stderr.flush()
            self._progress_shown = False


def printable(text: str) -> str:
    """Return foreign text without colours, other controls escaped: it can not drive a terminal."""
    plain = _SEQUENCE.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    return "".join(c if c in "\n\t" or _is_harmless(c) else f"\\x{ord(c):02x}" for c in plain)


def _is_harmless(character: str) -> bool:
    # Cf without the joiners that scripts and emoji need: bidi controls would reorder the line.
    kind = unicodedata.category(character)
    return kind not in ("Cc", "Cs") and (kind != "Cf" or character in "\u200c\u200d")


def shorten(text: str, limit: int) -> str:
    """Return the text on one line, cut at a word with an ellipsis where it is longer than limit."""
    line = " ".join(printable(text).split())
    if len(line) <= limit:
        return line
    head = line[:limit].rsplit(" ", 1)[0] if " " in line[:limit] else line[:limit]
    return head.rstrip(".,;: ") + " …"


def wrap(text: str, indent: str) -> Iterable[str]:
    """Yield the text's lines, wrapped to the terminal and indented."""
    width = min(shutil.get_terminal_size((100, 24)).columns, 100) - 1
    for paragraph in printable(text).splitlines() or [""]:
        yield from textwrap.wrap(
            paragraph, width, initial_indent=indent, subsequent_indent=indent
        ) or [""]


def plural(count: int, noun: str) -> str:
    """Return `1 file`, `2 files`, `1,000 files`."""
    return f"{count:,} {noun}" + ("" if count == 1 else "s")


def size(count: int) -> str:
    """Return a number of bytes for a person."""
    amount = float(count)
    for unit in ("bytes", "KB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"
