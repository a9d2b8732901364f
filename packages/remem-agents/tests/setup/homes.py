"""A made-up person's home in a temporary folder, and set-up run in it."""

import dataclasses
import os
from pathlib import Path

from remem_agents.setup.apply import apply, remove
from remem_agents.setup.definitions import Commands, Host
from remem_agents.setup.files import look
from remem_agents.setup.hosts import HOSTS
from remem_agents.setup.machine import Machine
from remem_agents.setup.manifest import Manifest, Notebook
from remem_agents.setup.plan import Plan, Refusal, make_plan
from remem_agents.setup.removal import Removal, make_removal

COMMANDS = Commands(
    hook=["/opt/remem/bin/python", "-I", "-S", "/opt/remem/lib/remem_agents/hook.py"],
    serve=["/opt/remem/bin/remem", "serve"],
    sleep=["/opt/remem/bin/remem", "sleep"],
)
# path → (what it is, its mode, its bytes or its link's goal)
Snapshot = dict[str, tuple[str, int, bytes]]


class Home:
    """One person's files. The environment is theirs alone, and so is the PATH."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "sam"
        self.programs = folder / "bin"
        self.memory = folder / "memory"
        for made in (self.folder, self.programs, self.memory):
            made.mkdir()
        self.env = {"HOME": str(self.folder), "PATH": f"{self.programs}:/usr/bin:/bin"}
        self.hosts: tuple[Host, ...] = HOSTS
        self.commands = COMMANDS

    @property
    def machine(self) -> Machine:
        """What set-up sees of this home: the programs of its own PATH folder and no others."""
        here = Machine.here(self.env)
        return dataclasses.replace(here, which=self._which, platform="linux")

    @property
    def notebook(self) -> Notebook:
        return Notebook.at(self.memory / "setup.json")

    def write(self, name: str, content: str | bytes = b"", mode: int = 0o644) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        path.chmod(mode)
        return path

    def link(self, name: str, goal: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(goal)

    def program(self, name: str, script: str) -> None:
        path = self.programs / name
        path.write_text(script)
        path.chmod(0o755)

    def text(self, name: str) -> str:
        return (self.folder / name).read_bytes().decode()

    def plan(self) -> Plan:
        hosts = [host for host in self.hosts if host.is_here(self.machine)]
        return make_plan(hosts, self.machine, self.commands, self.notebook.load(), look)

    def set_up(self) -> Plan:
        plan = self.plan()
        self.carry_out(plan)
        return plan

    def carry_out(self, plan: Plan) -> None:
        apply(plan, self.notebook, self.env, "2026-11-30T02:00:00Z")

    def plan_removal(self) -> Removal:
        manifest = self.notebook.load()
        return make_removal(self.hosts, self.machine, self.commands, manifest, self.notebook, look)

    def take_back(self) -> Removal:
        removal = self.plan_removal()
        assert self.carry_out_removal(removal) == []
        return removal

    def carry_out_removal(self, removal: Removal) -> list[Refusal]:
        _, failures = remove(removal, self.notebook, self.env)
        return failures

    def snapshot(self) -> Snapshot:
        """Return every file, folder and link with its mode and content."""
        return {str(path.relative_to(self.folder)): _what(path) for path in _all(self.folder)}

    def is_forgotten(self) -> bool:
        """Whether set-up has left nothing in the memory's folder either."""
        return self.notebook.load() == Manifest() and not list(self.memory.iterdir())

    def _which(self, name: str) -> str | None:
        path = self.programs / name
        return str(path) if path.exists() else None


def _all(folder: Path) -> list[Path]:
    found = []
    for parent, folders, files in os.walk(folder):
        found += [Path(parent) / name for name in (*folders, *files)]
    return found


def _what(path: Path) -> tuple[str, int, bytes]:
    if path.is_symlink():
        return "link", 0, os.fsencode(path.readlink())
    mode = path.stat().st_mode & 0o7777
    return ("folder", mode, b"") if path.is_dir() else ("file", mode, path.read_bytes())
