"""The Copilot reader as the registry knows it: a name, where its files are, how they read."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from remem_agents.copilot import files, rows, sessions
from remem_agents.copilot.names import AGENT
from remem_agents.transcript import Seen, Transcript


class CopilotReader:
    """Reads `~/.copilot/session-state/*/events.jsonl`."""

    name = AGENT

    def roots(self, env: Mapping[str, str]) -> list[Path]:
        """List the existing folders where Copilot keeps its event logs."""
        return files.roots(env)

    def files(self, path: Path) -> Iterator[Path]:
        """Find the event logs below a folder, in order of their paths; a file is itself."""
        return files.session_files(path)

    def recognises(self, opening: bytes) -> bool:
        """Whether the first bytes of a file are events of Copilot's."""
        return rows.recognises(opening)

    def read(self, path: Path, seen: Seen) -> Iterator[Transcript]:
        """Read the session in a log, its subagents' as sessions of their own."""
        return sessions.read(path, seen)
