"""The Codex reader as the registry knows it: a name, where its files are, how they read."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from remem_agents.codex import files, rows, sessions
from remem_agents.codex.names import AGENT
from remem_agents.transcript import Seen, Transcript


class CodexReader:
    """Reads `~/.codex/{sessions,archived_sessions}/**/rollout-*`."""

    name = AGENT

    def roots(self, env: Mapping[str, str]) -> list[Path]:
        """List the existing folders where Codex keeps its rollouts."""
        return files.roots(env)

    def files(self, path: Path) -> Iterator[Path]:
        """Find the rollouts below a folder, in order of their paths; a file is itself."""
        return files.session_files(path)

    def recognises(self, opening: bytes) -> bool:
        """Whether the first bytes of a file are rows of a rollout."""
        return rows.recognises(opening)

    def read(self, path: Path, seen: Seen) -> Iterator[Transcript]:
        """Read the session in a rollout; a subagent's is a session of its own."""
        return sessions.read(path, seen)
