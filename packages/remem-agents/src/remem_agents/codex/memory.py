"""Where Codex looks for what holds in every project: its global AGENTS file."""

from collections.abc import Mapping
from pathlib import Path

from remem_agents.codex.names import AGENT
from remem_agents.folders import home_of
from remem_agents.render.plan import Place

SECTION_BYTES = 4_000  # of the 32 KiB that all its instruction files share


def memory_place(env: Mapping[str, str]) -> Place | None:
    """Return the file that Codex reads; None where Codex is not used.

    `AGENTS.override.md` is read instead of `AGENTS.md` unless it is empty.
    """
    config = Path(env["CODEX_HOME"]) if env.get("CODEX_HOME") else home_of(env) / ".codex"
    if not config.is_dir():
        return None
    override = config / "AGENTS.override.md"
    index = override if _says_something(override) else config / "AGENTS.md"
    return Place(AGENT, index, within=config, project="", section_bytes=SECTION_BYTES)


def _says_something(path: Path) -> bool:
    try:
        return bool(path.read_bytes().strip())
    except OSError:
        return False
