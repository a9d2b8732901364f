"""Where Gemini CLI looks for what holds in every project: its global GEMINI.md."""

import json
from collections.abc import Mapping

from remem_agents.folders import home_of
from remem_agents.gemini.names import AGENT
from remem_agents.render.plan import Place

SECTION_BYTES = 4_000  # it goes along with every request


def memory_place(env: Mapping[str, str]) -> Place | None:
    """Return the file that Gemini CLI reads; None where it is not used, or reads another."""
    config = home_of(env) / ".gemini"
    if env.get("GEMINI_CLI_HOME"):
        config = home_of({"HOME": env["GEMINI_CLI_HOME"]}) / ".gemini"
    if not config.is_dir():
        return None
    try:
        settings = json.loads((config / "settings.json").read_bytes())
        name = settings.get("context", {}).get("fileName", "GEMINI.md")
    except (OSError, ValueError, AttributeError):
        name = "GEMINI.md"
    names = name if isinstance(name, list) else [name]
    if "GEMINI.md" not in names:
        return None
    return Place(AGENT, config / "GEMINI.md", config, project="", section_bytes=SECTION_BYTES)
