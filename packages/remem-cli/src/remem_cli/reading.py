"""Session files into the memory: which to read, in which order, and what became of each.

One file's damage is that file's alone: it is counted and named, and the run goes on.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from remem_agents.registry import AUTO, READERS, Reader, reader_for, source_of
from remem_agents.transcript import ReadNotes, Seen, Transcript
from remem_core import IngestReport, Memory, StoreError
from remem_core.embed import EmbedderSettingError
from remem_core.errors import ModelSettingError
from remem_protocol import NotFoundError


@dataclass(frozen=True)
class SessionFile:
    """A file that holds sessions, and who can read it."""

    path: Path
    reader: Reader


@dataclass
class Findings:
    """What a search found: files to read, and (path, why) of what can't be."""

    files: list[SessionFile] = field(default_factory=list)
    failed: list[tuple[Path, str]] = field(default_factory=list)
    foreign: int = 0


@dataclass
class Tally:
    """What became of the files of a run; `damaged` names the files with lines that were lost."""

    read: int = 0
    empty: int = 0
    unchanged: int = 0
    failed: list[tuple[Path, str]] = field(default_factory=list)
    damaged: list[tuple[Path, ReadNotes]] = field(default_factory=list)
    report: IngestReport = field(default_factory=IngestReport)


def find_files(paths: Sequence[Path], agent: str, env: Mapping[str, str]) -> Findings:
    """Find the session files under the paths, or in every agent's own folders, oldest first.

    The order lets a resumed or forked transcript be known as the copy. Raises NotFoundError for
    an agent that nobody here can read.
    """
    readers = [reader for reader in READERS if agent in (AUTO, reader.name)]
    if not readers:
        known = ", ".join(reader.name for reader in READERS)
        raise NotFoundError(f"no reader for the agent {agent!r}; there is one for: {known}")
    found = Findings()
    for reader in readers if not paths else ():
        for root in reader.roots(env):
            found.files += [SessionFile(path, reader) for path in reader.files(root)]
    for path in paths:
        _look_below(path, agent, readers, found)
    found.files.sort(key=lambda file: (_changed(file.path), str(file.path)))
    return found


def read_files(
    memory: Memory,
    files: Sequence[SessionFile],
    *,
    dry_run: bool,
    progress: Callable[[int, int], None],
    explain: Callable[[Exception], str] = str,
) -> Tally:
    """Take the files' sessions into the memory, one file at a time, leaving out unchanged ones.

    Raises StoreError and the errors of settings: a full disk or a wrong setting is no file's
    fault. Nothing is embedded yet.
    """
    tally, seen = Tally(), Seen()
    for number, file in enumerate(files):
        progress(number, len(files))
        try:
            _read_file(memory, file, seen, dry_run, tally)
        except (StoreError, EmbedderSettingError, ModelSettingError):
            raise
        except Exception as error:
            tally.failed.append((file.path, explain(error)))
    return tally


def _read_file(memory: Memory, file: SessionFile, seen: Seen, dry_run: bool, tally: Tally) -> None:
    if memory.has_read(source_of(file.path)):
        tally.unchanged += 1
        return
    notes: list[ReadNotes] = []
    transcripts = _noting(file.reader.read(file.path, seen), notes)
    report = memory.ingest(transcripts, dry_run=dry_run, embed=False)
    tally.report.add(report)
    if report.sessions:
        tally.read += 1
    else:
        tally.empty += 1
    if notes and notes[-1].damaged:
        tally.damaged.append((file.path, notes[-1]))


def _noting(transcripts: Iterator[Transcript], notes: list[ReadNotes]) -> Iterator[Transcript]:
    for transcript in transcripts:
        notes.append(transcript.notes)
        yield transcript


def _look_below(path: Path, agent: str, readers: Sequence[Reader], found: Findings) -> None:
    if not path.exists():
        found.failed.append((path, "not-found: no such file or folder"))
        return
    known = {os.path.realpath(file.path) for file in found.files}
    for file in _candidates(path, readers):
        if os.path.realpath(file) in known:
            continue
        known.add(os.path.realpath(file))
        try:
            reader = reader_for(file, agent)
        except OSError as error:
            found.failed.append((file, f"internal: {error.strerror}"))
            continue
        if reader is not None:
            found.files.append(SessionFile(file, reader))
        elif path.is_dir() or file.stat().st_size == 0:
            found.foreign += 1
        else:
            found.failed.append((file, "invalid-session: no reader knows this format"))


def _candidates(path: Path, readers: Sequence[Reader]) -> Iterator[Path]:
    for reader in readers:
        yield from reader.files(path)


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
