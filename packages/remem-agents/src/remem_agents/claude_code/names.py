"""The names that Claude Code's files use and more than one module here needs."""

AGENT = "claude-code"
SHELLS = frozenset({"Bash", "PowerShell"})
ASK = "AskUserQuestion"
MCP = "mcp__"
INTERRUPTED = "[Request interrupted"
