"""Files of an agent that came as bytes, read as `remem ingest` would read them from its folder."""

import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from remem_agents.registry import AUTO
from remem_agents.transcript import Seen, Transcript
from remem_cli.reading import SessionFile, find_files
from remem_protocol import Session, encode

_CHANGED = 1_772_614_800  # when the first file was changed; each later one a second after


def read_files(files: Sequence[tuple[str, bytes]], agent: str | None) -> dict[str, Any]:
    """Read (path, content) pairs in one run: the sessions, damaged lines, files that failed."""
    sessions: list[Any] = []
    damaged, failed = 0, []
    with tempfile.TemporaryDirectory(prefix="remem-files-") as folder:
        root = Path(os.path.realpath(folder))
        _lay_out(root, files)
        found, seen = find_files([root], agent or AUTO, {}), Seen()
        for file in found.files:
            try:
                read, lost = _read(file, seen)
            except Exception:  # one file's failure is that file's, as in a run of ingest
                failed.append(file.path.relative_to(root).as_posix())
                continue
            sessions += read
            damaged += lost
    return {"sessions": sessions, "damaged": damaged, "failed": failed}


def _lay_out(root: Path, files: Sequence[tuple[str, bytes]]) -> None:
    for number, (name, content) in enumerate(files):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        os.utime(path, (_CHANGED + number, _CHANGED + number))


def _read(file: SessionFile, seen: Seen) -> tuple[list[Any], int]:
    sessions = []
    notes = None
    for transcript in file.reader.read(file.path, seen):
        sessions.append(json.loads(encode(_whole(transcript))))
        # Of several sessions in a file, the first one's notes hold its damage, or all share them.
        notes = notes or transcript.notes
    return sessions, notes.damaged if notes else 0


def _whole(transcript: Transcript) -> Session:
    head, turns = transcript.head, tuple(transcript.turns)
    return Session(
        id=head.id,
        agent=head.agent,
        cwd=head.cwd,
        parent=head.parent,
        started=head.started,
        ended=max([head.started, *(turn.at for turn in turns)]),
        turns=turns,
    )
