"""The one section of a file that is ours, between two markers: found, put in, taken out.

The rest of the file is its owner's, to the byte: line ends, byte order mark, a last line unended.
"""

from dataclasses import dataclass

START, END = b"<!-- remem:start -->", b"<!-- remem:end -->"


class SectionError(Exception):
    """A file can't be touched. `code`: `damaged-markers` or `not-text`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True)
class Split:
    """A file around our section; `ours` is None where there is none, else its lines, no markers."""

    before: bytes
    ours: bytes | None
    after: bytes


def split(content: bytes) -> Split:
    """Return what is around our section; raises SectionError (FIL-003)."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        raise SectionError("not-text") from None
    starts, ends = content.count(START), content.count(END)
    if starts == ends == 0:
        return Split(content, None, b"")
    at, end = content.find(START), content.find(END)
    if (starts, ends) != (1, 1) or end < at or not _alone(content, at, START, END, end):
        raise SectionError("damaged-markers")
    return Split(content[:at], content[at + len(START) : end], content[end + len(END) :])


def _alone(content: bytes, at: int, start: bytes, end: bytes, closing: int) -> bool:
    """Tell whether each marker has its line to itself: one in a sentence is somebody's words."""
    return all(
        content[:place].rpartition(b"\n")[2].strip(b" \t\xef\xbb\xbf") == b""
        and content[place + len(mark) :].partition(b"\n")[0].strip() == b""
        for place, mark in ((at, start), (closing, end))
    )


def with_section(content: bytes, lines: list[str]) -> bytes:
    """Return the file with these lines as our section: where it stands, else at the end.

    No lines, no section.
    """
    parts = split(content)
    if not lines:
        return without_section(content)
    ending = ending_of(content)
    body = "".join(f"{line}\n" for line in lines).encode().replace(b"\n", ending)
    section = START + ending + body + END
    if parts.ours is not None:
        return parts.before + section + parts.after
    return content + joint(content) + section + ending


def joint(content: bytes) -> bytes:
    """Return what ends a file's last line, where it has no end, before our section follows."""
    return b"" if not content or content.endswith(b"\n") else ending_of(content)


def without_section(content: bytes, *, joined: bytes = b"") -> bytes:
    """Return the file without our section; `joined` is what had ended its last line."""
    parts = split(content)
    if parts.ours is None:
        return content
    after = parts.after.removeprefix(b"\r").removeprefix(b"\n")
    before = parts.before
    return (before if after else before.removesuffix(joined)) + after


def ending_of(content: bytes) -> bytes:
    """Return the line end that our section has, or is to have."""
    _, ours, rest = content.partition(START)
    return b"\r\n" if (rest.startswith(b"\r\n") if ours else b"\r\n" in content) else b"\n"
