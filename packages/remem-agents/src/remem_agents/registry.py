"""Which agents' files can be read, and which reader a file needs: decided by content, not name."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Protocol

from remem_agents.chats import ChatGptReader, ClaudeAiReader, MessageListReader
from remem_agents.claude_code import ClaudeCodeReader
from remem_agents.codex import CodexReader
from remem_agents.copilot import CopilotReader
from remem_agents.gemini import GeminiReader
from remem_agents.transcript import Seen, Transcript, source_of

__all__ = ["AUTO", "READERS", "Reader", "reader_for", "source_of"]

AUTO = "auto"
_OPENING_BYTES = 256 * 1024


class Reader(Protocol):
    """All that the rest of remem knows of an agent's session files."""

    @property
    def name(self) -> str:
        """The agent's name as sessions carry it: `claude-code`."""
        ...

    def roots(self, env: Mapping[str, str]) -> list[Path]:
        """List the existing folders where this agent keeps its sessions."""
        ...

    def files(self, path: Path) -> Iterator[Path]:
        """Find the session files below a folder, in order of their paths; a file is itself."""
        ...

    def recognises(self, opening: bytes) -> bool:
        """Whether the first bytes of a file (up to 256 KiB) are of this agent's making."""
        ...

    def read(self, path: Path, seen: Seen) -> Iterator[Transcript]:
        """Read the sessions in a file.

        Raise OSError when it can't be opened, RememError when it is none of this agent's making.
        """
        ...


READERS: tuple[Reader, ...] = (
    ClaudeCodeReader(),
    CodexReader(),
    CopilotReader(),
    GeminiReader(),
    ChatGptReader(),
    ClaudeAiReader(),
    MessageListReader(),  # last: its shapes are the least particular
)


def reader_for(path: Path, agent: str = AUTO) -> Reader | None:
    """Choose the reader of a file by its content, or by the agent's name when one is given.

    None when nobody knows the file or the name. Raise OSError when the file can't be opened.
    """
    if agent != AUTO:
        return next((reader for reader in READERS if reader.name == agent), None)
    with path.open("rb") as file:
        opening = file.read(_OPENING_BYTES)
    return next((reader for reader in READERS if reader.recognises(opening)), None)
