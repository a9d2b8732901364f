"""The inbox: events that other programs leave as files, taken in once and for all.

A program writes a file elsewhere and renames it to `NAME.jsonl` in the inbox (EVT-073), so what
lies there is whole. It is claimed by renaming, stored, and then removed; a run that was killed
leaves a claimed file, which the next one takes up: storing is idempotent. Lines that are no
events are moved to `NAME.bad`, each with its error, for whoever wrote them.
"""

import contextlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from remem_core.lines import read_lines
from remem_core.redact import redact
from remem_core.reports import EmitReport
from remem_protocol import Event, RememError, UnknownEvent, decode_event

Emit = Callable[[Iterable[Event | UnknownEvent]], EmitReport]
_CLAIMED = ".reading"


@dataclass
class InboxReport(EmitReport):
    """Counts of what was taken in. `bad` lists the files to which lines were moved aside."""

    files: int = 0
    bad_lines: int = 0
    bad: list[str] = field(default_factory=list)


def take_in(inbox: Path, emit: Emit) -> InboxReport:
    """Store the events of every file in the inbox and remove it; none is read twice.

    Two programs may do this at once. Raises StoreError; a file whose events were not stored stays.
    """
    total = InboxReport()
    for path in _claim(inbox):
        bad: list[dict[str, object]] = []
        try:
            with path.open("rb") as stream:
                total.add(emit(_events(read_lines(stream), bad)))
        except FileNotFoundError:  # another program was quicker
            continue
        if bad:
            _move_aside(path, bad, total)
        path.unlink(missing_ok=True)
        total.files += 1
    return total


def _claim(inbox: Path) -> list[Path]:
    """Rename what came in, so that no other program takes it, and take up what was left."""
    for path in sorted(inbox.glob("*.jsonl")):
        if path.is_file() and not path.is_symlink():
            with contextlib.suppress(FileNotFoundError):
                path.rename(path.with_name(f"{path.name}.{os.getpid()}{_CLAIMED}"))
    return sorted(inbox.glob(f"*{_CLAIMED}"))


def _events(
    lines: Iterable[tuple[int, bytes]], bad: list[dict[str, object]]
) -> Iterator[Event | UnknownEvent]:
    for number, line in lines:
        try:
            yield decode_event(line)
        except RememError as error:
            # A line that is no event may still hold a secret.
            raw = redact(line.decode("utf-8", "replace"))
            why: dict[str, object] = {
                "line": number,
                "error": error.code,
                "at": error.at,
                "message": error.message,
            }
            bad.append(why | {"raw": raw})


def _move_aside(path: Path, bad: list[dict[str, object]], total: InboxReport) -> None:
    name = path.name.split(".jsonl.")[0]
    aside = path.with_name(f"{name}.bad")
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in bad)
    handle = os.open(aside, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    total.bad_lines += len(bad)
    total.bad.append(str(aside))
