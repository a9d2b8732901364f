"""What an agent's set-up consists of: the entries for its files, and the commands they name."""

import shlex
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from remem_agents.setup.entries import HOOK_MARK, SERVER_MARK, Entry
from remem_agents.setup.machine import Machine

NAME: Final = "remem"
# Our own deadline is 0.3 s; this is for the machine that swaps.
HOOK_SECONDS: Final = 5


@dataclass(frozen=True)
class Commands:
    """The programs that agents will start, each as words: absolute paths, since GUIs know no PATH.

    `hook` gets the agent's name and the event's as two more words. At night `ingest` runs, where
    there is one, and then `sleep`.
    """

    hook: Sequence[str]
    serve: Sequence[str]
    sleep: Sequence[str]
    ingest: Sequence[str] = ()

    @property
    def night(self) -> list[Sequence[str]]:
        """What runs at night, in this order, each whatever became of the one before."""
        return [words for words in (self.ingest, self.sleep) if words]


@dataclass(frozen=True)
class Definition:
    """What one file gets: entries, or, where the whole file is ours, its `content`."""

    path: Path
    format: str
    why: str
    entries: tuple[Entry, ...] = ()
    content: bytes | None = None


@dataclass(frozen=True)
class Run:
    """A command of the machine's own that makes our files count, and what takes it back.

    `undo_first` runs before our files go, `undo_last` after.
    """

    what: str
    argv: tuple[str, ...]
    undo_first: tuple[str, ...] = ()
    undo_last: tuple[str, ...] = ()


@dataclass(frozen=True)
class Adder:
    """An agent's own command that registers our server, and the definition of what it writes."""

    argv: tuple[str, ...]
    writes: Definition


@dataclass(frozen=True)
class Host:
    """One agent: how it is found, what its files get, and what its owner should know after.

    `signs` are folders and programs, one of which shows that the agent is here.
    """

    name: str
    title: str
    signs: Callable[[Machine], list[Path | str]]
    files: Callable[[Machine, Commands], list[Definition]]
    runs: Callable[[Machine, Commands], list[Run]] = lambda machine, commands: []
    adders: Callable[[Machine, Commands], list[Adder]] = lambda machine, commands: []
    after: str = ""

    def is_here(self, machine: Machine) -> bool:
        """Whether anything shows that the agent is used on this machine."""
        return any(
            machine.exists(sign) if isinstance(sign, Path) else machine.which(sign) is not None
            for sign in self.signs(machine)
        )


def server(commands: Commands, **more: Any) -> dict[str, Any]:
    """Return the usual form of a local MCP server, `more` before it."""
    command, *words = commands.serve
    return more | {"command": command, "args": words}


def server_entry(value: dict[str, Any], *path: str) -> Entry:
    """Return the entry of our MCP server below a path."""
    return Entry((*path, NAME), value, SERVER_MARK)


def hook_entries(
    machine: Machine, commands: Commands, agent: str, events: Sequence[str], **handler: Any
) -> tuple[Entry, ...]:
    """Return a hook for each event in the form that Claude Code, Codex and Gemini share.

    No matcher: all tools, all sources; what bears on what is not for a pattern to say.
    """
    return tuple(
        Entry(
            ("hooks", event),
            {"hooks": [{"type": "command"} | _line(machine, commands, agent, event) | handler]},
            HOOK_MARK,
            is_item=True,
        )
        for event in events
    )


def shell_line(machine: Machine, words: Sequence[str]) -> str:
    """Return words as one line for the shell that agents use on this platform."""
    return subprocess.list2cmdline(words) if machine.is_windows else shlex.join(words)


def _line(machine: Machine, commands: Commands, agent: str, event: str) -> dict[str, Any]:
    return {"command": shell_line(machine, [*commands.hook, agent, event])}
