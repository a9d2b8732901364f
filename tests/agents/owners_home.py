"""A person's home with one agent in it, and nothing of this machine's but a few programs."""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import remem_agents

# What an agent needs to start and to run commands. No pip, no uv, no scheduler.
PROGRAMS = ("node", "git", "sh", "bash", "env", "cat", "ls", "uname", "which", "id", "true")
WARM_SECONDS = 120
RUN_SECONDS = 300
LEAVING_SECONDS = 10
# This is no measurement: with other things going on a hook may take its time.
HOOK_SECONDS = "5"
QUIET = {
    "DISABLE_TELEMETRY": "1",
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "GEMINI_TELEMETRY_ENABLED": "false",
}
PROBE = "none"  # the agent in whose name we ask whether anybody answers
REMEM = str(Path(sys.executable).parent / "remem")


class Home:
    """A folder with `home`, the project `shop`, and `bin`, which is all of PATH."""

    def __init__(self, base: Path, program: Path, name: str) -> None:
        self.home, self.project, programs = base / "home", base / "shop", base / "bin"
        for folder in (self.home, self.project, programs):
            folder.mkdir(parents=True)
        for tool in PROGRAMS:
            if found := shutil.which(tool):
                (programs / tool).symlink_to(found)
        self.agent = programs / name
        self.agent.symlink_to(program)
        self.env = QUIET | {
            "HOME": str(self.home),
            "PATH": str(programs),
            "LANG": "C.UTF-8",
            "TERM": "dumb",
            "SHELL": "/bin/bash",
            "REMEM_HOOK_SECONDS": HOOK_SECONDS,
        }
        self._start_project()

    def _start_project(self) -> None:
        (self.project / "README.md").write_text("# shop\n", "utf-8")
        who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
        for words in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-qm", "Start")):
            subprocess.run(
                ["git", *who, *words],
                cwd=self.project,
                env=self.env,
                check=True,
                capture_output=True,
            )

    def write(self, files: dict[str, str]) -> None:
        """Put the owner's own files into the home."""
        for name, text in files.items():
            path = self.home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")

    def tree(self) -> dict[str, bytes]:
        """Return every file of the home: path → bytes."""
        files = (path for path in self.home.rglob("*") if path.is_file())
        return {str(path.relative_to(self.home)): path.read_bytes() for path in files}

    def remem(self, *words: str) -> str:
        """Run `remem` as the person would, and return what it prints."""
        return self.run([REMEM, *words])

    def run(self, argv: list[str]) -> str:
        """Run a program in the project, and return what it prints."""
        done = subprocess.run(
            argv,
            env=self.env,
            cwd=self.project,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=RUN_SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"{argv}: {done.stdout}\n{done.stderr}"
        return done.stdout

    def events(self) -> list[dict[str, Any]]:
        """Return what the memory holds of the sessions."""
        records = map(json.loads, self.remem("export", "-").splitlines())
        return [json.loads(one["event"]) for one in records if one["type"] == "episode"]

    def calls(self) -> list[dict[str, Any]]:
        """Return the calls of hooks so far."""
        told = self.remem("primed", "--all", "--limit", "1000", "--json")
        calls: list[dict[str, Any]] = json.loads(told)["calls"]
        return calls

    def wait_until_warm(self) -> None:
        """Wait until the agent's own server has loaded the model, as it has when a person types."""
        hook = Path(remem_agents.__file__).parent / "hook.py"
        argv = [sys.executable, "-I", "-S", str(hook), PROBE, "Warm"]
        end = time.monotonic() + WARM_SECONDS
        while True:
            subprocess.run(argv, env=self.env, input=b'{"session_id":"none"}', check=True)
            last = [call for call in self.calls() if call["agent"] == PROBE][-1]
            if last.get("by") == "server":
                return
            assert time.monotonic() < end, f"no live server: {last}"
            threading.Event().wait(0.2)

    def servers_left(self) -> list[str]:
        """Return which of our servers go on after a while, though their agent has ended."""
        end = time.monotonic() + LEAVING_SECONDS
        while left := [path.name for path in self._live() if _is_running(path)]:
            if time.monotonic() > end:
                break
            threading.Event().wait(0.2)
        return left

    def _live(self) -> list[Path]:
        return list((self.home / ".remem" / "primed" / "live").iterdir())


def _is_running(socket: Path) -> bool:
    """Tell whether the server is there that made a socket, in whose name its process's id is."""
    try:
        os.kill(int(socket.name.split("-")[1]), 0)
    except ProcessLookupError:
        return False
    return True
