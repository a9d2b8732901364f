"""The Claude Code reader as the registry knows it: a name, where its files are, how they read."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from remem_agents.claude_code import files, rows, sessions
from remem_agents.claude_code.names import AGENT
from remem_agents.transcript import Seen, Transcript


class ClaudeCodeReader:
    """Reads `~/.claude/projects/**/*.jsonl`."""

    name = AGENT

    def roots(self, env: Mapping[str, str]) -> list[Path]:
        """List the existing folders where Claude Code keeps its sessions."""
        return files.roots(env)

    def files(self, path: Path) -> Iterator[Path]:
        """Find the session files below a folder, in order of their paths; a file is itself."""
        return files.session_files(path)

    def recognises(self, opening: bytes) -> bool:
        """Whether the first bytes of a file are rows of a Claude Code session."""
        return rows.recognises(opening)

    def read(self, path: Path, seen: Seen) -> Iterator[Transcript]:
        """Read the sessions in a file, subagents' as sessions of their own."""
        return sessions.read(path, seen)
