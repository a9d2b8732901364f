"""Which agents set-up knows, in the order in which they are told."""

from typing import Final

from remem_agents.claude_code.setup import HOST as CLAUDE_CODE
from remem_agents.claude_desktop.setup import HOST as CLAUDE_DESKTOP
from remem_agents.codex.setup import HOST as CODEX
from remem_agents.copilot.setup import HOST as COPILOT
from remem_agents.cursor.setup import HOST as CURSOR
from remem_agents.gemini.setup import HOST as GEMINI
from remem_agents.goose.setup import HOST as GOOSE
from remem_agents.opencode.setup import HOST as OPENCODE
from remem_agents.setup.definitions import Host
from remem_agents.setup.nightly import HOST as NIGHTLY
from remem_agents.windsurf.setup import HOST as WINDSURF
from remem_agents.zed.setup import HOST as ZED

HOSTS: Final[tuple[Host, ...]] = (
    CLAUDE_CODE,
    CLAUDE_DESKTOP,
    CODEX,
    GEMINI,
    CURSOR,
    WINDSURF,
    COPILOT,
    OPENCODE,
    ZED,
    GOOSE,
    NIGHTLY,
)
