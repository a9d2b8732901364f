"""The expected failures of an implementation: a text file that must shrink when a bug is fixed.

One case id or glob a line, then `#` and the reason, which is required. A line that no longer
describes a failure is stale and turns the run red, so the file can never outlive the bugs.
"""

import fnmatch
import pathlib
from collections.abc import Iterable
from dataclasses import dataclass

from remem_conformance.cases import VectorError


@dataclass(frozen=True)
class Entry:
    """One line: a glob over case ids, and why those fail."""

    glob: str
    reason: str


def read_expected(path: pathlib.Path) -> list[Entry]:
    """Read an expected-failures file; raise VectorError for a line without a reason."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise VectorError(f"{path}: {error}") from None
    entries = []
    for number, line in enumerate(lines, 1):
        glob, _, reason = (part.strip() for part in line.partition("#"))
        if glob and not reason:
            raise VectorError(f"{path}:{number}: no reason after '#'")
        if glob:
            entries.append(Entry(glob, reason))
    return entries


def reason_for(case: str, entries: Iterable[Entry]) -> str | None:
    """Return why a case is expected to fail, or None when it is not."""
    return next((e.reason for e in entries if fnmatch.fnmatchcase(case, e.glob)), None)


def unmatched(entries: Iterable[Entry], cases: Iterable[str]) -> list[str]:
    """Return the globs that no case has: they are stale, whatever was selected."""
    names = list(cases)
    return [e.glob for e in entries if not fnmatch.filter(names, e.glob)]
