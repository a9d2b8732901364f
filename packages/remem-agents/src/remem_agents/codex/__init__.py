"""Codex CLI: its rollout files, in all the shapes they have had since 2025."""

from remem_agents.codex.reader import CodexReader

__all__ = ["CodexReader"]
