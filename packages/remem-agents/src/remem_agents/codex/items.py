"""How a call ended, as the screen's channel tells it: by events, or by completed items."""

from remem_agents.codex.outputs import Output, judge_declined, read_mcp
from remem_agents.codex.rows import Item, Payload
from remem_agents.turns import Verdict

_DECLINED, _FAILED, _UNFINISHED = "declined", "failed", "in_progress"
_PERSONS_COMMAND = frozenset({"user_shell", "userShell"})

Told = tuple[Verdict, str]


def outcome_of_event(payload: Payload, *, asked: bool) -> Told | None:
    """Read an event about a call's end; None when it says no more than that it went well."""
    if payload.type == "mcp_tool_call_end":
        return _of_mcp(read_mcp(payload.result), asked=asked)
    text = _joined(payload.stdout, payload.stderr)
    if payload.status == _DECLINED:
        return judge_declined(text, asked=asked), text
    if payload.status == _FAILED or payload.success is False:
        return Verdict("failed"), text
    return None


def outcome_of_item(item: Item, *, asked: bool) -> Told:
    """Read how a completed item ended."""
    if item.type == "McpToolCall":
        output = read_mcp(item.result)
        told = _of_mcp(output, asked=asked)
        if told is None and item.status == _FAILED:
            return Verdict("failed"), output.text or str(item.error or "")
        return told or (Verdict("ok"), output.text)
    text = item.aggregated_output or _joined(item.stdout, item.stderr)
    if item.status == _DECLINED:
        return judge_declined(text, asked=asked), text
    output = Output(text, exit_code=item.exit_code)
    if item.status == _UNFINISHED:
        return Verdict("unknown"), output.said
    failed = item.status == _FAILED or bool(item.exit_code)
    return Verdict("failed" if failed else "ok"), output.said


def run_by_person(item: Item) -> bool:
    """Whether a command is a person's `!cmd`, which the agent only looked on."""
    return item.source in _PERSONS_COMMAND


def _of_mcp(output: Output, *, asked: bool) -> Told | None:
    if output.success is not False:
        return None
    verdict = judge_declined(output.text, asked=asked)
    return (verdict if verdict.status == "refused" else Verdict("failed")), output.text


def _joined(*texts: str | None) -> str:
    return "\n".join(text.strip("\n") for text in texts if text)
