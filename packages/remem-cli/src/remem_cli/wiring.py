"""The one place where memory, agents and sharing meet: a command asks here for what it needs.

Everything is imported where it is asked for, so that `remem status` never loads a model.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from remem_agents.registry import Reader
    from remem_cli.serving import ServedMemory
    from remem_cli.showing import Shown
    from remem_core.measure import Shown as Told
    from remem_core.memory import Memory


def open_memory(home: Path | None = None) -> Memory:
    """Open the owner's memory, made first where there is none; `home` overrides the environment.

    Raises ForeignHomeError when the folder is another program's.
    """
    from remem_core.memory import Memory

    return Memory.open(home)


def memory_exists() -> bool:
    """Tell whether there is a memory to look into, or something in its place to complain about."""
    from remem_core.paths import is_foreign, locate

    places = locate()
    return places.db.exists() or is_foreign(places.home)


@contextlib.contextmanager
def look_into_memory() -> Iterator[Memory]:
    """Open the owner's memory to look, not to store: where there is none, none is left behind."""
    if memory_exists():
        with open_memory() as memory:
            yield memory
    else:
        import tempfile

        with (
            tempfile.TemporaryDirectory(prefix="remem-") as home,
            open_memory(Path(home)) as memory,
        ):
            yield memory


def project_of(cwd: str) -> str:
    """Return the identity of the project that a folder belongs to."""
    from remem_core.project import identify

    return identify(cwd)


def readers() -> tuple[Reader, ...]:
    """Return the reader of every agent we know."""
    from remem_agents.registry import READERS

    return READERS


def agent_roots(env: Mapping[str, str]) -> list[tuple[str, Path]]:
    """Return (agent, folder) of every place where an agent keeps its sessions."""
    return [(reader.name, root) for reader in readers() for root in reader.roots(env)]


def served_memory() -> ServedMemory:
    """Return the owner's memory as agents reach it; made first where there is none."""
    from remem_cli.serving import ServedMemory

    with open_memory():
        return ServedMemory()


def primed_folder() -> Path:
    """Return where the state of hooks is kept."""
    from remem_core.paths import locate

    return locate().primed


def show_lessons(
    memory: Memory, env: Mapping[str, str], *, dry_run: bool = False, at_work: bool = False
) -> Shown:
    """Write the lessons where agents and hooks look for them; after every sleep."""
    from remem_cli.showing import show_lessons

    return show_lessons(memory, env, dry_run=dry_run, at_work=at_work)


def keep_shown(env: Mapping[str, str]) -> None:
    """Let agents' memory files and what hooks judge by follow a change of the lessons."""
    from remem_cli.showing import keep_shown

    if memory_exists():
        with open_memory() as memory:
            keep_shown(memory, env)


def begin_to_show(env: Mapping[str, str], *, dry_run: bool = False) -> Shown:
    """Show the lessons in agents' memory files for the first time, and note that they follow."""
    from remem_cli.showing import begin_to_show

    return begin_to_show(env, dry_run=dry_run)


def take_out_lessons(*, dry_run: bool = False) -> Shown:
    """Take everything of ours out of agents' memory files again."""
    from remem_cli.showing import take_out_lessons
    from remem_core.paths import locate

    return take_out_lessons(locate().written, dry_run=dry_run)


def primed_log(since: str) -> Iterator[dict[str, Any]]:
    """Yield the calls of agents' hooks from a time on."""
    from remem_agents.priming.log import read_log

    return read_log(primed_folder(), since=since)


def shown_to_agents(memory: Memory) -> Iterator[Told]:
    """Yield what was put before agents, ever: what hooks logged, and what stands in files."""
    from remem_cli.measuring import shown_to_agents

    return shown_to_agents(memory)


def lesson_lines(ids: Collection[str]) -> dict[str, str]:
    """Return id → how the lesson is said, of those there still are."""
    if not ids or not memory_exists():
        return {}
    from remem_agents.priming.lessons_file import observation
    from remem_cli.serving import known_lessons

    with open_memory() as memory:
        return {k.lesson.id: observation(k) for k in known_lessons(memory) if k.lesson.id in ids}
