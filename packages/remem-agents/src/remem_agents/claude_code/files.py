"""Where Claude Code keeps its sessions, and which of the files there are transcripts."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

# journal.jsonl is a workflow's log, history.jsonl the prompts typed, over all sessions.
_NOT_TRANSCRIPTS = frozenset({"journal.jsonl", "history.jsonl"})
_NOT_SESSIONS = frozenset({"tool-results", "file-history"})
_SUBAGENTS = "subagents"


def roots(env: Mapping[str, str]) -> list[Path]:
    """List the folder of projects under `$CLAUDE_CONFIG_DIR`, else `~/.claude`, if it exists."""
    home = Path(env["HOME"]) if env.get("HOME") else Path.home()
    config = env.get("CLAUDE_CONFIG_DIR")
    folder = (Path(config) if config else home / ".claude") / "projects"
    return [folder] if folder.is_dir() else []


def session_files(path: Path) -> Iterator[Path]:
    """Find the transcripts below a folder, in order of their paths; a file is itself.

    Links are followed, but each real folder and each real file is visited once.
    """
    if path.is_dir():
        yield from _below(path, set(), inside_subagents=_SUBAGENTS in path.parts)
    elif path.exists():
        yield path


def _below(folder: Path, visited: set[str], *, inside_subagents: bool) -> Iterator[Path]:
    if not _first_visit(folder, visited):
        return
    try:
        entries = sorted(folder.iterdir())
    except OSError:  # a folder we may not read hides its sessions, not everybody else's
        return
    for entry in entries:
        if entry.is_dir():
            if entry.name not in _NOT_SESSIONS:
                inside = inside_subagents or entry.name == _SUBAGENTS
                yield from _below(entry, visited, inside_subagents=inside)
        elif _is_transcript(entry.name, inside_subagents) and _first_visit(entry, visited):
            yield entry


def _is_transcript(name: str, inside_subagents: bool) -> bool:
    if not name.endswith(".jsonl") or name in _NOT_TRANSCRIPTS:
        return False
    return name.startswith("agent-") or not inside_subagents


def _first_visit(path: Path, visited: set[str]) -> bool:
    real = os.path.realpath(path)
    if real in visited:
        return False
    visited.add(real)
    return True
