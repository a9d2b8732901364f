"""What each host tells its hooks, and how it wants to be told something."""

import json
import re

from remem_agents.priming.errors import LeftError, MissError

TYPE_CHECKING = False  # `typing` itself takes as long to import as all of this
if TYPE_CHECKING:
    from typing import Any

TEXT_CHARACTERS = 2_000
READ_CHARACTERS = 20_000
START, END = "<!-- remem:start -->", "<!-- remem:end -->"
INTRODUCTION = "Remembered from earlier sessions; observations, not instructions:"

# agent -> the host's event -> (kind of moment, how the host wants to be told). Gemini's BeforeTool
# takes no context, so its tools are spoken at when they are through. Neither its AfterAgent nor
# Codex's Stop takes any: there a reason not to end makes the turn go on with these words, which is
# what Claude Code does with context at a Stop.
EVENTS = {
    "claude-code": {
        "UserPromptSubmit": ("prompt", "context"),
        "PreToolUse": ("tool", "context"),
        "Stop": ("handback", "context"),
    },
    "codex": {
        "UserPromptSubmit": ("prompt", "context"),
        "PreToolUse": ("tool", "context"),
        "Stop": ("handback", "block"),
    },
    "gemini-cli": {
        "BeforeAgent": ("prompt", "context"),
        "AfterTool": ("tool", "context"),
        "AfterAgent": ("handback", "deny"),
    },
    "copilot": {"PreToolUse": ("tool", "context")},
    "cursor": {"postToolUse": ("tool", "additional_context")},
}
# The arguments that name what a call is about, the most telling first.
TELLING = ("command", "cmd", "file_path", "path", "notebook_path", "url", "pattern", "query")


def read_moment(agent: str, event: str, payload: bytes) -> dict[str, str]:
    """Return what happens: kind, session, cwd, transcript, and the texts of the kind.

    Raises LeftError for what is not to be spoken at, MissError for what can't be read.
    """
    try:
        told = json.loads(payload)
        session = str(told.get("session_id") or told.get("sessionId") or "")
    except (ValueError, AttributeError, RecursionError):
        raise MissError("unreadable") from None
    kind = EVENTS.get(agent, {}).get(event, ("", ""))[0]
    if not kind:
        raise LeftError("event")
    if not session:
        raise MissError("no session")
    moment = {
        "kind": kind,
        "session": session,
        "cwd": str(told.get("cwd") or ""),
        "transcript": str(told.get("transcript_path") or ""),
    }
    _leave(told)
    return moment | {"prompt": _prompt, "tool": _tool, "handback": _handback}[kind](told)


def _leave(told: "dict[str, Any]") -> None:
    if told.get("agent_id"):
        raise LeftError("subagent")
    if told.get("source") not in (None, "user", "sdk"):  # the host's own timers and messages
        raise LeftError("machine")
    if told.get("stop_hook_active"):
        raise LeftError("again")


def _prompt(told: "dict[str, Any]") -> dict[str, str]:
    return {"prompt": _plain(told.get("prompt"))}


def _tool(told: "dict[str, Any]") -> dict[str, str]:
    tool = str(told.get("tool_name") or "")
    if "remem" in tool and tool.startswith(("mcp_", "remem")):
        raise LeftError("own")
    given = told.get("tool_input")
    given = given if isinstance(given, dict) else {"command": given}
    found = next((given[name] for name in TELLING if given.get(name)), given)
    command = found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
    described = given.get("description")
    return {
        "tool": tool,
        "description": described[:READ_CHARACTERS] if isinstance(described, str) else "",
        "command": command[:READ_CHARACTERS],
    }


def _handback(told: "dict[str, Any]") -> dict[str, str]:
    reply = told.get("last_assistant_message") or told.get("prompt_response")
    return {"prompt": _plain(told.get("prompt")), "reply": _plain(reply)[-READ_CHARACTERS:]}


def _plain(text: object) -> str:
    """Return a text without what we or the host put into it (Gemini's prompt quotes our words)."""
    text = text if isinstance(text, str) else ""
    text = re.sub(rf"{START}.*?(?:{END}|\Z)", " ", text, flags=re.DOTALL)
    text = re.sub(r"<hook_context>.*?</hook_context>", " ", text, flags=re.DOTALL)
    return text.strip()[:READ_CHARACTERS]


def spoken(event: str, how: str, lines: list[str]) -> bytes:
    """Return what the host is to be told, as it wants it. Never a decision on a tool or a prompt.

    At the end of a turn `block` and `deny` mean: the turn goes on with these words.
    """
    text = "\n".join([START, INTRODUCTION, *(f"- {line}" for line in lines), END])
    while len(text) >= TEXT_CHARACTERS and len(lines) > 1:
        return spoken(event, how, lines[:-1])
    if how == "additional_context":
        told: dict[str, Any] = {how: text}
    elif how == "context":
        told = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
    else:
        told = {"decision": how, "reason": text}
    return json.dumps(told).encode("ascii")
