"""The one place where memory, agents and sharing meet: a command asks here for what it needs.

Everything is imported where it is asked for, so that `remem status` never loads a model.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remem_agents.registry import Reader
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
