"""Where Gemini CLI keeps its sessions, and which of the files there are transcripts."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from remem_agents.folders import files_below, home_of, opening_of
from remem_agents.gemini.names import CHATS
from remem_agents.gemini.rows import recognises

_SUFFIXES = frozenset({".json", ".jsonl"})  # not `.json.tmp-<pid>`, not `.jsonl.unreadable-<ms>`


def roots(env: Mapping[str, str]) -> list[Path]:
    """List the folder of projects under `$GEMINI_CLI_HOME`, else under home, if it exists."""
    given = env.get("GEMINI_CLI_HOME")
    folder = (Path(given) if given else home_of(env)) / ".gemini" / "tmp"
    return [folder] if folder.is_dir() else []


def session_files(path: Path) -> Iterator[Path]:
    """Find the transcripts below a folder, in order of their paths; a file is itself.

    In the program's own folders their names tell, elsewhere their content does.
    """
    return files_below(path, _is_transcript)


def successor(path: Path) -> Path | None:
    """Find the `.jsonl` that a resumed session of the old format was moved to."""
    moved = path.with_suffix(".jsonl")
    return moved if path.suffix == ".json" and moved.is_file() else None


def _is_transcript(path: Path) -> bool:
    if path.suffix not in _SUFFIXES:
        return False
    is_named = path.name.startswith("session-") and CHATS in path.parent.parts
    return is_named or recognises(opening_of(path))
