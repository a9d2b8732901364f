"""Where Claude Code keeps its sessions, and which of the files there are transcripts."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from remem_agents.folders import files_below, home_of

# journal.jsonl is a workflow's log, history.jsonl the prompts typed, over all sessions.
_NOT_TRANSCRIPTS = frozenset({"journal.jsonl", "history.jsonl"})
_NOT_SESSIONS = frozenset({"tool-results", "file-history"})
_SUBAGENTS = "subagents"


def roots(env: Mapping[str, str]) -> list[Path]:
    """List the folder of projects under `$CLAUDE_CONFIG_DIR`, else `~/.claude`, if it exists."""
    config = env.get("CLAUDE_CONFIG_DIR")
    folder = (Path(config) if config else home_of(env) / ".claude") / "projects"
    return [folder] if folder.is_dir() else []


def session_files(path: Path) -> Iterator[Path]:
    """Find the transcripts below a folder, in order of their paths; a file is itself."""
    return files_below(path, _is_transcript, lambda folder: folder.name not in _NOT_SESSIONS)


def _is_transcript(path: Path) -> bool:
    if path.suffix != ".jsonl" or path.name in _NOT_TRANSCRIPTS:
        return False
    return path.name.startswith("agent-") or _SUBAGENTS not in path.parts
