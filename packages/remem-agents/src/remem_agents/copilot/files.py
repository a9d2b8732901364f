"""Where Copilot keeps its event logs: a folder a session, in older versions a file a session."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from remem_agents.folders import files_below, home_of

_FOLDERS = ("session-state", "history-session-state")
_LOG = "events.jsonl"
# What stands beside the log in a session's folder, the person's own files among it.
_NOT_SESSIONS = frozenset({"checkpoints", "files", "research", "rewind-snapshots"})


def roots(env: Mapping[str, str]) -> list[Path]:
    """List the existing folders of sessions under `$COPILOT_HOME`, else `~/.copilot`."""
    home = env.get("COPILOT_HOME")
    folder = Path(home) if home else home_of(env) / ".copilot"
    return [folder / name for name in _FOLDERS if (folder / name).is_dir()]


def session_files(path: Path) -> Iterator[Path]:
    """Find the event logs below a folder, in order of their paths; a file is itself."""
    return files_below(
        path,
        lambda file: file.suffix == ".jsonl",
        lambda folder: folder.name not in _NOT_SESSIONS,
    )


def session_name(path: Path) -> str:
    """Name the session of a log that does not name it itself."""
    return path.parent.name if path.name == _LOG and path.parent.name else path.stem
