"""The names that Codex's files use and more than one module here needs."""

AGENT = "codex"
# All the names under which a shell has been offered to the model.
SHELLS = frozenset(
    {"shell", "shell_command", "exec_command", "local_shell", "container.exec", "unified_exec"}
)
POLL = "write_stdin"  # looks after a command that was left running
ITEM, EVENT, META, CONTEXT = "response_item", "event_msg", "session_meta", "turn_context"
USER_MESSAGE, ITEM_COMPLETED = "user_message", "item_completed"
PACKED = b"\x28\xb5\x2f\xfd"  # how a compressed rollout begins
