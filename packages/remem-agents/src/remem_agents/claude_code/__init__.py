"""Claude Code: its session files (undocumented, and different every few weeks)."""

from remem_agents.claude_code.reader import ClaudeCodeReader

__all__ = ["ClaudeCodeReader"]
