"""How a call ended: the program's status, read together with the text that came back.

`cancelled` may be the person's no, a stop, or the fate of the calls beside a refused one. A shell
command that failed is a `success` whose output ends in its exit code.
"""

import re

import msgspec

from remem_agents.gemini.names import ASK, PLAN, SHELL
from remem_agents.gemini.rows import Content, ToolCall
from remem_agents.gemini.words import parts_of
from remem_agents.turns import Verdict
from remem_protocol import CallStatus

_CANCELLED = r"(?:\[Operation Cancelled\] Reason: )?"
_DENIED = re.compile(
    _CANCELLED + r"User (?:denied execution|did not allow tool call|rejected this operation)"
)
_WITH_A_REFUSED_ONE = re.compile(_CANCELLED + r"User cancelled operation")
_DENIED_AT_FRONT_END = re.compile(r'Tool "[^"\n]{1,200}" was canceled by the user\.\s*\Z')
_MACHINES_NO = re.compile(r"Tool execution (?:for .{1,200} )?(?:denied|blocked)")
_STOPPED = "Command was cancelled by user before it could complete."
_TIMED_OUT = "Command was automatically cancelled because it exceeded the timeout"
# The lines that the shell tool writes behind the output, which may hold the like of them.
_TRAILER = re.compile(
    r"(?:^(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): .*\n?)+\Z", re.MULTILINE
)
_TRAILER_CHARACTERS = 4096
# Since 0.61 the output stands between these, its trailer too.
_WRAPPED = re.compile(r"\A<untrusted_context>\n(.*)\n</untrusted_context>\s*\Z", re.DOTALL)
_EXIT = re.compile(r"^Exit Code: (\d+)", re.MULTILINE)
_SIGNAL = re.compile(r"^Signal: (?!0$|\(none\))", re.MULTILINE)
_NO_PLAN = re.compile(
    r"Plan rejected\.(?: User feedback:\s*(.*?)\s*(?:\n\nThe plan |\Z))?", re.DOTALL
)
_DISMISSED = "User dismissed ask_user"
_FATES = frozenset({"success", "error", "cancelled"})


def result_text(content: Content) -> str:
    """Give what came back as text: outputs, errors, and whatever else stands beside them."""
    texts = []
    for part in parts_of(content):
        if part.function_response is not None:
            texts.append(response_text(part.function_response.response))
        elif part.text:
            texts.append(part.text)
    return "\n".join(filter(None, texts))


def response_text(response: msgspec.Raw) -> str:
    """Give a response's output or error as text, and another shape as its JSON."""
    raw = bytes(response)
    try:
        value = msgspec.json.decode(raw)
    except (msgspec.MsgspecError, RecursionError):
        return raw.decode("utf-8", "replace")
    for key in ("output", "error"):
        if isinstance(value, dict) and isinstance(value.get(key), str):
            return _WRAPPED.sub(r"\1", value[key])
    return value if isinstance(value, str) else raw.decode("utf-8", "replace")


def response_status(response: msgspec.Raw) -> CallStatus:
    """Say by the keys of a response how its call ended; they are a convention, no promise."""
    try:
        value = msgspec.json.decode(bytes(response))
    except (msgspec.MsgspecError, RecursionError):
        return "unknown"
    if not isinstance(value, dict):
        return "unknown"
    if value.get("error"):
        return "failed"
    return "ok" if "output" in value else "unknown"


def judge(call: ToolCall, text: str, *, refused_beside: bool) -> Verdict | None:
    """Say how a call ended; None for one that the program never saw the end of."""
    if call.status not in _FATES:
        return Verdict("unknown") if call.result else None
    if call.status == "success":
        return _of_success(call.name or "", text)
    if was_refused(call, text):
        return Verdict("refused", "")
    if call.status == "cancelled":
        if refused_beside and _WITH_A_REFUSED_ONE.match(text):
            return Verdict("collateral")
        return Verdict("interrupted")
    return Verdict("unknown") if _MACHINES_NO.match(text) else Verdict("failed")


def was_refused(call: ToolCall, text: str) -> bool:
    """Whether the person said no to a call."""
    return call.status in ("cancelled", "error") and _DENIED.match(text) is not None


def refused_at_front_end(text: str) -> bool:
    """Whether the person said no to a call in a program that speaks the Agent Client Protocol."""
    return _DENIED_AT_FRONT_END.match(text) is not None


def _of_success(tool: str, text: str) -> Verdict:
    if tool == SHELL:
        return _of_shell(text)
    if tool == PLAN and (rejected := _NO_PLAN.match(text)) is not None:
        return Verdict("refused", rejected[1] or "")
    if tool == ASK and text.startswith(_DISMISSED):
        return Verdict("refused", "")
    return Verdict("ok")


def _of_shell(text: str) -> Verdict:
    if text.startswith(_STOPPED):
        return Verdict("interrupted")
    trailer = _TRAILER.search(text, max(0, len(text) - _TRAILER_CHARACTERS))
    lines = trailer[0] if trailer is not None else ""
    exit_code = _EXIT.search(lines)
    failed = (exit_code is not None and int(exit_code[1]) != 0) or _SIGNAL.search(lines)
    return Verdict("failed" if failed or text.startswith(_TIMED_OUT) else "ok")
