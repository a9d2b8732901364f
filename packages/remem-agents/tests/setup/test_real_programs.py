"""The real agents read what set-up writes; for whoever has them: REMEM_AGENT_PROGRAMS=FOLDER.

The folder holds `claude`, `codex` or `gemini`, as npm's `node_modules/.bin`. Nothing is sent to
anybody: no session is started.
"""

import dataclasses
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from configurations import CLAUDE, CODEX, GEMINI, everything_at_once
from homes import Home

from remem_agents.codex.setup import HOST as CODEX_HOST
from remem_agents.codex.trust import consents, hooks_known
from remem_agents.setup.plugin import plugin_files, write_plugin

PROGRAMS = os.environ.get("REMEM_AGENT_PROGRAMS", "")
pytestmark = pytest.mark.slow


def needs(name: str) -> pytest.MarkDecorator:
    there = bool(PROGRAMS) and shutil.which(name, path=PROGRAMS) is not None
    return pytest.mark.skipif(not there, reason=f"no {name} in REMEM_AGENT_PROGRAMS")


@pytest.fixture
def home(home: Home) -> Home:
    """A home whose agents are the real ones, and quiet."""
    everything_at_once(home)
    for name in ("claude", "codex", "gemini"):
        if PROGRAMS and (found := shutil.which(name, path=PROGRAMS)):
            (home.programs / name).symlink_to(Path(found).resolve())
    home.env |= {"DISABLE_TELEMETRY": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
    return home


def told(home: Home, *argv: str) -> str:
    """Run an agent in the home and return what it says."""
    done = subprocess.run(
        argv,
        env=home.env,
        cwd=home.folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    return done.stdout + done.stderr


def configurations(home: Home) -> dict[str, str]:
    names = (CLAUDE, CODEX, GEMINI, ".codex/hooks.json")
    return {name: home.text(name) for name in names}


@needs("claude")
def test_claude_code_takes_the_server_and_gives_it_back(home: Home) -> None:
    home.write(".claude.json", '{\n "numStartups": 7,\n "projects": {}\n}', mode=0o600)
    plan = home.set_up()
    assert plan.additions
    assert home.commands.serve[0] in told(home, "claude", "mcp", "get", "remem")
    home.take_back()
    assert "No MCP server" in told(home, "claude", "mcp", "get", "remem")
    left = json.loads(home.text(".claude.json"))
    assert left["numStartups"] == 7
    assert not left.get("mcpServers")


@needs("claude")
def test_claude_code_finds_no_fault_in_the_plugin(home: Home, tmp_path: Path) -> None:
    folder = tmp_path / "plugin"
    write_plugin(folder, plugin_files(home.machine, home.commands))
    assert "Validation passed" in told(
        home, "claude", "plugin", "validate", "--strict", str(folder)
    )


@needs("codex")
def test_codex_reads_the_server_and_trusts_our_hooks_alone(home: Home) -> None:
    before = configurations(home)
    home.set_up()
    assert home.commands.serve[0] in told(home, "codex", "mcp", "list")
    assert {hook["trustStatus"] for hook in hooks_known(home.machine)[0]} == {"untrusted"}
    definition = consents(home.machine, home.commands)
    hosts, home.hosts = (
        home.hosts,
        (dataclasses.replace(CODEX_HOST, files=lambda *_: [definition]),),
    )
    home.set_up()
    home.hosts = hosts
    known, _ = hooks_known(home.machine)
    states = {"remem_agents" in hook["command"]: hook["trustStatus"] for hook in known}
    assert states == {True: "trusted", False: "untrusted"}
    home.take_back()
    assert configurations(home) == before


@needs("gemini")
def test_gemini_cli_reads_the_server_beside_its_owners_comments(home: Home) -> None:
    before = configurations(home)
    home.set_up()
    assert home.commands.serve[0] in told(home, "gemini", "mcp", "list")
    home.take_back()
    assert configurations(home) == before
