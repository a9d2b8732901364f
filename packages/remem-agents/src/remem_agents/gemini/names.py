"""The names that Gemini CLI's files use and more than one module here needs."""

AGENT = "gemini-cli"
SHELL = "run_shell_command"
ASK = "ask_user"
PLAN = "exit_plan_mode"
CHATS = "chats"
SNAPSHOT = "<state_snapshot>"
