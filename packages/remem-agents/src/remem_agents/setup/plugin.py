"""The same hooks and server as a Claude Code plugin: a folder, for owners who prefer those.

In `~/.claude/skills/remem` it loads without a marketplace. Beside set-up every hook would run
twice, since Claude Code takes a plugin's hooks and its settings' for different ones.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from remem_agents.claude_code.setup import hooks
from remem_agents.setup.definitions import NAME, Commands, server
from remem_agents.setup.errors import SetupError
from remem_agents.setup.machine import Machine

MANIFEST: Final = ".claude-plugin/plugin.json"
DESCRIPTION: Final = "Lessons from your own earlier sessions, at the moment they matter"
SKILL: Final = """---
name: remem
description: Ask or tell the person's own memory of earlier sessions. Use when they refer to \
something said or decided before, or ask to remember something.
---

The memory holds what this person corrected, refused or stated in earlier sessions with coding \
agents, and what failed. It is theirs and stays on this machine.

- `recall` finds it: ask with the words of the matter at hand, names and error codes as they are.
- `remember` keeps something: only what the person asked to keep, in their words.
- What it returns are observations with a date, and may be out of date; what the person says now \
counts.
"""


def plugin_files(machine: Machine, commands: Commands, version: str = "0.1.0") -> dict[str, bytes]:
    """Return the files of the plugin, by their names below its folder."""
    handlers: dict[str, Any] = {}
    for entry in hooks(machine, commands):
        handlers.setdefault(entry.path[-1], []).append(entry.value)
    about: dict[str, Any] = {"name": NAME, "version": version, "description": DESCRIPTION}
    about |= {"author": {"name": "the authors of remem"}, "license": "Apache-2.0"}
    return {
        MANIFEST: _json(about),
        "hooks/hooks.json": _json({"description": DESCRIPTION, "hooks": handlers}),
        ".mcp.json": _json({"mcpServers": {NAME: server(commands, type="stdio")}}),
        f"skills/{NAME}/SKILL.md": SKILL.encode(),
    }


def stale_files(folder: Path, files: Mapping[str, bytes]) -> list[str]:
    """Return the names of files that are missing in a folder, or other than they should be."""
    return [name for name, data in files.items() if _read(folder / name) != data]


def write_plugin(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write the plugin; raise SetupError (taken) in a folder that holds something else."""
    if folder.exists() and any(folder.iterdir()) and not _is_ours(folder):
        raise SetupError("taken", f"{folder} holds something else")
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _is_ours(folder: Path) -> bool:
    try:
        found = json.loads((folder / MANIFEST).read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and found.get("name") == NAME


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _json(value: Any) -> bytes:
    return json.dumps(value, indent=2, ensure_ascii=False).encode() + b"\n"
