"""Where Codex keeps its rollouts, and how their bytes are opened, compressed or not."""

import io
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

import msgspec

from remem_agents.codex.names import PACKED
from remem_agents.folders import files_below, home_of
from remem_agents.lines import BUFFER_BYTES, MAX_LINE_BYTES
from remem_agents.transcript import ReadNotes

_FOLDERS = ("sessions", "archived_sessions")
_INDEXES = frozenset({"history.jsonl", "session_index.jsonl"})
_SUFFIX = re.compile(r"(?:\.jsonl(?:\.zst)?|\.json)\Z")
_PACKED = ".zst"
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.IGNORECASE)
# The very first versions wrote one object over the whole file.
_WHOLE = re.compile(rb'\s*\{\s*"session"\s*:\s*\{')
_WHOLE_OPENING = 256


def roots(env: Mapping[str, str]) -> list[Path]:
    """List the existing folders of rollouts under `$CODEX_HOME`, else `~/.codex`."""
    home = env.get("CODEX_HOME")
    folder = Path(home) if home else home_of(env) / ".codex"
    return [folder / name for name in _FOLDERS if (folder / name).is_dir()]


def session_files(path: Path) -> Iterator[Path]:
    """Find the rollouts below a folder, in order of their paths; a file is itself."""
    return files_below(path, _is_rollout)


def _is_rollout(path: Path) -> bool:
    name = path.name
    if name.endswith(_PACKED):
        # While Codex packs a rollout both are there for a moment: the plain one is read.
        plain = path.with_name(name.removesuffix(_PACKED))
        return plain.suffix == ".jsonl" and not plain.exists()
    if name.endswith(".json"):
        return name.startswith("rollout-")
    return name.endswith(".jsonl") and name not in _INDEXES


def session_name(path: Path) -> str:
    """Name the session of a file that does not name it itself; packing does not change it."""
    stem = _SUFFIX.sub("", path.name)
    found = _UUID.search(stem)
    return found[0] if found else stem


def open_rollout(path: Path, notes: ReadNotes) -> BinaryIO:
    """Open a rollout as a stream of lines; raise OSError when it can't be opened."""
    file: BinaryIO = path.open("rb", buffering=BUFFER_BYTES)
    opening = file.read(_WHOLE_OPENING)
    if opening.startswith(PACKED):
        file.close()
        from remem_agents.codex.compressed import open_compressed  # few need it: kept off the start

        return open_compressed(path, notes.damage, BUFFER_BYTES)
    if _WHOLE.match(opening):
        with file:
            file.seek(0)
            return _as_lines(file, notes)
    file.seek(0)
    return file


class _Whole(msgspec.Struct):
    session: msgspec.Raw
    items: list[msgspec.Raw] = []


def _as_lines(file: BinaryIO, notes: ReadNotes) -> BinaryIO:
    """Lay out an old file of one object as lines; it is held whole, as Codex wrote it."""
    try:
        whole = msgspec.json.decode(file.read(MAX_LINE_BYTES), type=_Whole)
        records = [whole.session, *whole.items]
        return io.BytesIO(b"\n".join(msgspec.json.format(item, indent=-1) for item in records))
    except msgspec.MsgspecError as error:
        notes.damage(f"not JSON: {error}")
        return io.BytesIO()
