"""What differs between the agents: their files, their keys, and where context lands."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from people import AtClaudeCode, AtCodex, AtGemini, Person
from upstream import Request

# How the front ends of Claude Code word a no with words; the words are the person's.
CLAUDES_NO = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was"
    " a file edit, the new_string was NOT written to the file). To tell you how to proceed, the"
    " user said:\n"
)
CODEX_CONFIG = """\
# the owner's own
model = "gpt-5.1"
model_provider = "loopback"

[model_providers.loopback]  # no account
name = "loopback"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "LOOPBACK_KEY"
"""
CODEX_HOOKS = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}'
GEMINI_SETTINGS = """\
{
  // the owner's own
  "security": {"auth": {"selectedType": "gemini-api-key"}},
  "general": {"enableAutoUpdate": false}
}
"""
CLAUDE_SETTINGS = """\
{
 "cleanupPeriodDays": 99,
 "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}
}
"""


@dataclass(frozen=True)
class Agent:
    """One agent: `tail` gives what stands last in a request, piece by piece, oldest first."""

    name: str
    program: str
    at: Callable[..., Person]
    files: dict[str, str]
    env: dict[str, str]
    tail: Callable[[Request], list[str]]
    tool: str
    setup: tuple[str, ...] = ("setup", "--yes")
    no: str = ""
    # Where its front end's protocol calls no hook around a tool: how it is started at a terminal,
    # before the session's id and the prompt.
    terminal: tuple[str, ...] = ()
    rewritten: frozenset[str] = field(default_factory=frozenset)


def _claude_tail(request: Request) -> list[str]:
    """The texts of the last messages: a role `system` is what hooks say behind a prompt."""
    return [text for m in request.body["messages"][-2:] for text in _texts(m["content"])]


def _codex_tail(request: Request) -> list[str]:
    return [text for item in request.body["input"][-3:] for text in _texts(item)]


def _gemini_tail(request: Request) -> list[str]:
    return _texts(request.body["contents"][-1]["parts"])


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [text for one in value for text in _texts(one)]
    if isinstance(value, dict):
        return [
            text
            for key, one in value.items()
            if key in ("text", "content", "output", "response", "functionResponse", "arguments")
            for text in _texts(one)
        ]
    return []


CLAUDE = Agent(
    "claude-code",
    "claude",
    AtClaudeCode,
    {".claude/settings.json": CLAUDE_SETTINGS, ".claude.json": '{\n "numStartups": 7\n}\n'},
    {
        "ANTHROPIC_AUTH_TOKEN": "invented",
        "ANTHROPIC_BASE_URL": "{url}",
        # As in an editor: what comes from an SDK is a program's word, not a person's.
        "CLAUDE_CODE_ENTRYPOINT": "claude-vscode",
    },
    _claude_tail,
    tool="mcp__remem__recall",
    no=CLAUDES_NO,
    rewritten=frozenset({".claude.json"}),
)
CODEX = Agent(
    "codex",
    "codex",
    AtCodex,
    {".codex/config.toml": CODEX_CONFIG, ".codex/hooks.json": CODEX_HOOKS},
    {"LOOPBACK_KEY": "invented"},
    _codex_tail,
    tool="mcp__remem",
    setup=("setup", "--yes", "--trust-codex-hooks"),
    rewritten=frozenset({".codex/config.toml"}),
)
GEMINI = Agent(
    "gemini-cli",
    "gemini",
    AtGemini,
    {".gemini/settings.json": GEMINI_SETTINGS},
    {
        "GEMINI_API_KEY": "invented",
        "GOOGLE_GEMINI_BASE_URL": "{url}",
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        "GEMINI_CLI_NO_RELAUNCH": "true",  # one process, which can be asked to end
    },
    _gemini_tail,
    tool="mcp_remem_recall",
    terminal=("--approval-mode", "yolo", "--session-id", "{session}", "-p", "{prompt}"),
)
AGENTS = (CLAUDE, CODEX, GEMINI)
