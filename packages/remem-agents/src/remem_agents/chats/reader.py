"""The readers of chats as the registry knows them; none has folders of its own to look into."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from remem_agents.chats import chatgpt, claude_ai, exports, list_sessions, lists, sessions
from remem_agents.folders import recognised_below
from remem_agents.transcript import Seen, Transcript

_EXPORTS = frozenset({".json", ".jsonl", ".zip"})
_LISTS = frozenset({".json", ".jsonl", ".ndjson"})


class ChatGptReader:
    """Reads the export that ChatGPT sends a person: the zip, its `conversations*.json`, or one."""

    name = chatgpt.AGENT

    def roots(self, env: Mapping[str, str]) -> list[Path]:
        """List no folders: an export lies wherever the person put it."""
        return []

    def files(self, path: Path) -> Iterator[Path]:
        """Find the exports below a folder, by their content; a file is itself."""
        return recognised_below(path, _EXPORTS, self.recognises)

    def recognises(self, opening: bytes) -> bool:
        """Whether the first bytes of a file are of such an export."""
        content, names = exports.opening_of(opening)
        return chatgpt.recognises(content) or (not content and "chat.html" in names)

    def read(self, path: Path, seen: Seen) -> Iterator[Transcript]:
        """Read the conversations in an export, each as a session."""
        return sessions.read(path, seen, self.name, chatgpt.understand)


class ClaudeAiReader:
    """Reads the export that Claude.ai sends a person: the zip, its `conversations.json`, or one."""

    name = claude_ai.AGENT

    def roots(self, env: Mapping[str, str]) -> list[Path]:
        """List no folders: an export lies wherever the person put it."""
        return []

    def files(self, path: Path) -> Iterator[Path]:
        """Find the exports below a folder, by their content; a file is itself."""
        return recognised_below(path, _EXPORTS, self.recognises)

    def recognises(self, opening: bytes) -> bool:
        """Whether the first bytes of a file are of such an export."""
        content, names = exports.opening_of(opening)
        return claude_ai.recognises(content) or (not content and "users.json" in names)

    def read(self, path: Path, seen: Seen) -> Iterator[Transcript]:
        """Read the conversations in an export, each as a session."""
        return sessions.read(path, seen, self.name, claude_ai.understand)


class MessageListReader:
    """Reads lists of messages as the OpenAI, Anthropic and Gemini APIs take them.

    `agent` is whose sessions they are, where the caller knows.
    """

    def __init__(self, agent: str = "chat") -> None:
        self.name = agent

    def roots(self, env: Mapping[str, str]) -> list[Path]:
        """List no folders: such a list lies wherever a program put it."""
        return []

    def files(self, path: Path) -> Iterator[Path]:
        """Find the lists below a folder, by their content; a file is itself."""
        return recognised_below(path, _LISTS, self.recognises)

    def recognises(self, opening: bytes) -> bool:
        """Whether the first bytes of a file are of such a list, or of requests with one."""
        return lists.recognises(opening)

    def read(self, path: Path, seen: Seen) -> Iterator[Transcript]:
        """Read the conversations in a file, each as a session named after its content."""
        return list_sessions.read(path, seen, self.name)
