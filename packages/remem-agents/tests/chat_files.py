"""Builds chat exports for the tests: ChatGPT's trees, Claude.ai's lists, in real ones' shapes."""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from remem_agents.chats import ChatGptReader, ClaudeAiReader, MessageListReader
from remem_agents.registry import Reader
from remem_agents.transcript import Seen, Transcript
from remem_protocol import Turn

GPT, CLAUDE, LISTS = ChatGptReader(), ClaudeAiReader(), MessageListReader()

Json = dict[str, Any]


class GptTree:
    """A conversation of ChatGPT's; each message hangs from the last one, or from a given one."""

    def __init__(self, name: str = "conv-1") -> None:
        self.name = name
        self.mapping: Json = {"root": {"id": "root", "message": None, "parent": None}}
        self.last = "root"
        self._number = itertools.count(1)

    def add(self, role: str, text: Any, *, under: str | None = None, **fields: Any) -> str:
        number = next(self._number)
        key = f"n{number}"
        content = text if isinstance(text, dict) else {"content_type": "text", "parts": [text]}
        message = {
            "id": f"m{number}",
            "author": {"role": role, "name": fields.pop("name", None), "metadata": {}},
            "create_time": 1_770_000_000.5 + number,
            "content": content,
            "status": "finished_successfully",
            "weight": 1.0,
            "recipient": "all",
            "metadata": {},
            **fields,
        }
        parent = under or self.last
        self.mapping[key] = {"id": key, "message": message, "parent": parent, "children": []}
        self.last = key
        return key

    def user(self, text: Any, **fields: Any) -> str:
        return self.add("user", text, **fields)

    def agent(self, text: Any, **fields: Any) -> str:
        return self.add("assistant", text, **fields)

    def code(self, text: str, recipient: str = "python") -> str:
        content = {"content_type": "code", "language": "python", "text": text}
        return self.agent(content, recipient=recipient)

    def tool(self, text: str, name: str = "python", **fields: Any) -> str:
        content = {"content_type": fields.pop("kind", "execution_output"), "text": text}
        return self.add("tool", content, name=name, **fields)

    def whole(self, **fields: Any) -> Json:
        return {
            "title": "A talk",
            "create_time": 1_770_000_000.25,
            "update_time": 1_770_000_999.0,
            "mapping": self.mapping,
            "current_node": self.last,
            "conversation_id": self.name,
            "id": self.name,
            **fields,
        }


def message(sender: str, words: str | None, number: int, *blocks: Json, **fields: Any) -> Json:
    """A message of Claude.ai's; without blocks it has one of text."""
    text = {"type": "text", "text": words}
    return {
        "uuid": f"u{number}",
        "text": words,
        "content": list(blocks) or [text],
        "sender": sender,
        "created_at": f"2026-05-06T07:00:{number:02}.123456Z",
        "attachments": [],
        "files": [],
        **fields,
    }


def talk(*messages: Json, **fields: Any) -> Json:
    """A conversation of Claude.ai's."""
    return {
        "uuid": "c-1",
        "name": "A talk",
        "created_at": "2026-05-06T07:00:00.000000Z",
        "updated_at": "2026-05-06T08:00:00.000000Z",
        "account": {"uuid": "a"},
        "chat_messages": list(messages),
        **fields,
    }


def write(path: Path, value: Any, **layout: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, **layout), encoding="utf-8")
    return path


def write_rows(path: Path, *rows: Any) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def transcripts(reader: Reader, path: Path, seen: Seen | None = None) -> Iterator[Transcript]:
    """Read a file as the program does: one transcript after another, each consumed at once."""
    return iter(reader.read(path, seen or Seen()))


def turns_of(reader: Reader, path: Path) -> list[Turn]:
    return [turn for transcript in transcripts(reader, path) for turn in transcript.turns]
