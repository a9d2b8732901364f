"""Where Claude Code keeps what it remembers of a project (auto memory)."""

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path

from remem_agents.claude_code.names import AGENT
from remem_agents.folders import home_of
from remem_agents.render.plan import Place

# A longer one is cut, and a hash of it added that nobody documents.
LONGEST_SLUG = 200


def memory_place(project: str, top: str, env: Mapping[str, str]) -> Place | None:
    """Return the memory folder of the project whose main checkout is at `top`.

    None where Claude Code keeps none, or has not been used in that project. It goes by the real
    path of the main repository, from worktrees and sub-folders too.
    """
    config = Path(env["CLAUDE_CONFIG_DIR"]) if env.get("CLAUDE_CONFIG_DIR") else None
    config = config or home_of(env) / ".claude"
    slug = re.sub(r"[^A-Za-z0-9]", "-", os.path.realpath(top))
    folder = config / "projects" / slug
    if len(slug) > LONGEST_SLUG or not folder.is_dir() or not _is_on(config, env):
        return None
    memory = folder / "memory"
    return Place(AGENT, memory / "MEMORY.md", within=folder, project=project, folder=memory)


def _is_on(config: Path, env: Mapping[str, str]) -> bool:
    """Tell whether it reads its memory, and where we know."""
    if env.get("CLAUDE_CODE_DISABLE_AUTO_MEMORY") == "1":
        return False
    try:
        settings = json.loads((config / "settings.json").read_bytes())
    except (OSError, ValueError):
        return True
    if not isinstance(settings, dict):
        return True
    return settings.get("autoMemoryEnabled") is not False and not settings.get(
        "autoMemoryDirectory"
    )
