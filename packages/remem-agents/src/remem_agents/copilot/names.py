"""The names that Copilot's event logs use and more than one module here needs."""

AGENT = "copilot"
SHELLS = frozenset({"bash", "powershell", "shell"})
START, RESUME = "session.start", "session.resume"
USER, ASSISTANT = "user.message", "assistant.message"
TOOL_START, TOOL_END = "tool.execution_start", "tool.execution_complete"
