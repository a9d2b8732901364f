"""Chats that are no coding agent's sessions: exports of ChatGPT and Claude.ai, raw API lists."""

from remem_agents.chats.reader import ChatGptReader, ClaudeAiReader, MessageListReader

__all__ = ["ChatGptReader", "ClaudeAiReader", "MessageListReader"]
