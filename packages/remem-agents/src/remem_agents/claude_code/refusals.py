"""How a call ended, by the host's own marks: the person's no, a stop, the machine's no, a failure.

The person's no is the signal that matters most, and two thirds of them carry the correction
inside the result's text. Newer hosts say in fields who refused; older ones only in the text, which
is believed at its start alone, and never of an MCP server, which chooses its own texts.
"""

import re

from remem_agents.claude_code.names import INTERRUPTED, MCP
from remem_agents.claude_code.rows import Row
from remem_agents.turns import Verdict

_REFUSED = (
    "The user doesn't want to proceed with this tool use.",
    "The user doesn't want to take this action right now.",
    "Permission for this tool use was denied.",
    "The user has declined this action.",
    "The agent proposed a plan that was rejected by the user.",
)
# Between the refusal's head and the person's words; the harness's own part is short.
_SAID = re.compile(r"(?:[Tt]he user said:|\AThe user has declined this action\. Reason:)\s*")
_HARNESS_CHARACTERS = 600
_AFTER_WORDS = re.compile(
    r"(?:\A|\n)\s*(?:Note: The user's next message may contain a correction or preference\."
    r"|Correction to the text above: ).*\Z",
    re.DOTALL,
)
_STOPPED_WHILE_RUNNING = "Correction to the text above: this call was stopped while running"
# AskUserQuestion's "let us talk about it" is worded by the harness.
_NOT_WORDS = "The user wants to clarify these questions."
_BARE_RESULT = b'"User rejected tool use"'

_COLLATERAL = re.compile(
    r"(?:<tool_use_error>)?(?:Sibling tool call errored|Cancelled: parallel tool call)"
)
_STOPPED = (INTERRUPTED, "[Tool call interrupted", "[Agent call interrupted")
_NOT_COPIED = "[Tool call result not in this copy"
_MACHINES_NO = re.compile(
    r"This command requires approval|Claude requested permissions? to "
    r"|Permission to use .{1,200}? has been denied|Permission for this "
    r"|Hook \w+:?.{0,200}? denied this tool",
    re.DOTALL,
)


def judge(row: Row, *, is_error: bool, text: str, tool: str) -> Verdict:
    """Say how the call ended whose result stands in this row."""
    if row.tool_denial_kind is not None:
        return _by_kind(row, row.tool_denial_kind, text)
    decision = row.permission_decision
    if decision is not None and decision.decision == "reject":
        by_person = (decision.source or "").startswith("user")
        return _persons_no(row, text) if by_person else Verdict("unknown")
    if not is_error:
        return Verdict("ok")
    if bytes(row.tool_use_result) == _BARE_RESULT:
        return _persons_no(row, text)
    return _by_text(row, text, tool)


def _by_kind(row: Row, kind: str, text: str) -> Verdict:
    if kind == "user-rejected":
        return Verdict("unknown") if row.tool_denial_unanswered else _persons_no(row, text)
    if kind in ("interrupted", "cancelled"):
        return Verdict("interrupted")
    return Verdict("unknown")  # a rule, a hook or a classifier: nobody failed and nobody spoke


def _persons_no(row: Row, text: str) -> Verdict:
    """A no, unless the call was running already: then it is a stop, whatever the host calls it."""
    words = (row.user_feedback or "").strip() or refusal_words(text) or ""
    if row.interrupted_by_shutdown or _STOPPED_WHILE_RUNNING in text:
        return Verdict("interrupted", words or None)
    return Verdict("refused", words)


def _by_text(row: Row, text: str, tool: str) -> Verdict:
    if text.startswith(_REFUSED):
        return Verdict("unknown") if tool.startswith(MCP) else _persons_no(row, text)
    if _COLLATERAL.match(text):
        return Verdict("collateral")
    if text.startswith(_STOPPED):
        return Verdict("interrupted")
    if text.startswith(_NOT_COPIED) or (_MACHINES_NO.match(text) and not tool.startswith(MCP)):
        return Verdict("unknown")
    return Verdict("failed")


def refusal_words(text: str) -> str | None:
    """Cut the person's words out of a refusal's text; empty for a bare no, None for other texts."""
    if not text.startswith(_REFUSED):
        return None
    said = _SAID.search(text, 0, _HARNESS_CHARACTERS)
    if said is None:
        return ""
    words = _AFTER_WORDS.sub("", text[said.end() :]).strip()
    return "" if words.startswith(_NOT_WORDS) else words
