"""Gemini CLI: its session files, which rewrite, rewind and replace what they said before."""

from remem_agents.gemini.reader import GeminiReader

__all__ = ["GeminiReader"]
