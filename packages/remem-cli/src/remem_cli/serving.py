"""The memory as agents reach it: behind their MCP server, their hooks and their memory files.

Each call opens the store anew, so that any thread may make it and nothing is held meanwhile; the
model is loaded once.
"""

import contextlib
import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from remem_agents.ports import Known
from remem_protocol import Note, NotFoundError, UnknownEvent, decode_event

if TYPE_CHECKING:
    from remem_agents.ports import Judge
    from remem_core.embed import Embedder
    from remem_core.memory import Memory
    from remem_core.recall.hits import Hit
    from remem_protocol import Event, Lesson

# A candidate is nobody's lesson yet (SHR-031, FIL-009).
SHOWN = ("own", "corroborated", "confirmed")


class ServedMemory:
    """What `remem_agents.ports.Served` asks for, of the owner's memory at `home`."""

    def __init__(self, home: Path | None = None) -> None:
        self._home = home
        self._embedder: Embedder | None = None
        self._loading = threading.Lock()

    def project_of(self, cwd: str) -> str:
        """Return the identity of the project that a folder belongs to, "" for none."""
        from remem_core.project import identify

        return identify(cwd)

    def recall(self, query: str, *, project: str, limit: int) -> "list[Hit]":
        """Return what answers a question within a project, best first."""
        with self._open() as memory:
            return memory.recall(query, project=project, limit=limit)

    def remember(self, note: Note) -> str:
        """Store a note; return its id. What was said before in these words is the same one."""
        with self._open() as memory:
            memory.emit([note])
        return note.id

    def known(self, project: str | None) -> list[Known]:
        """Return the lessons that may be shown in a project, or in all, the strongest first."""
        with self._open() as memory:
            return known_lessons(memory, project)

    def judge(self) -> "Judge":
        """Load lessons and model, and return what judges a moment by them."""
        from remem_cli.judging import LiveJudge
        from remem_core.paths import locate

        judge = LiveJudge(self, self._model(), locate(self._home).db)
        judge.warm_up()
        threading.Thread(target=_quietly, args=(judge.prepare,), daemon=True).start()
        return judge

    def _open(self) -> "Memory":
        from remem_core.memory import Memory

        return Memory.open(self._home, embedder=self._model())

    def _model(self) -> "Embedder":
        from remem_core.embed import open_embedder

        with self._loading:
            if self._embedder is None:
                self._embedder = open_embedder()
            return self._embedder


def _quietly(work: Callable[[], None]) -> None:
    """Do what nobody waits for; where it can't be done, it is done when it is asked for."""
    with contextlib.suppress(Exception):
        work()


def known_lessons(memory: "Memory", project: str | None = None) -> list[Known]:
    """Return the lessons that may be shown, with their sources; None is every project."""
    found = [
        lesson
        for lesson in memory.lessons(project)
        if lesson.trust in SHOWN and (project is None or lesson.project in (None, project))
    ]
    found.sort(key=lambda lesson: (-lesson.strength, lesson.id))
    return [Known(lesson, _sources(memory, lesson)) for lesson in found]


def _sources(memory: "Memory", lesson: "Lesson") -> "tuple[Event, ...]":
    events: list[Event] = []
    for id_ in lesson.sources:
        try:
            event = decode_event(memory.show(id_).event.encode())
        except NotFoundError:  # it came with an import that did not bring its sources
            continue
        if not isinstance(event, UnknownEvent):
            events.append(event)
    return tuple(sorted(events, key=lambda event: (event.at, event.id)))


def folders_of(lessons: Iterable[Known]) -> dict[str, str]:
    """Return the folders of the lessons' projects on this machine: real path → identity.

    A linked worktree and the repository it belongs to are both among them.
    """
    from remem_core.project import identify, main_folder

    found: dict[str, str] = {}
    for event in (event for known in lessons for event in known.sources):
        if event.cwd and event.project and identify(event.cwd) == event.project:
            found[_top(event.cwd)] = found[main_folder(event.cwd)] = event.project
    return found


def _top(cwd: str) -> str:
    """Return the real folder of the checkout that a folder lies in, else the folder itself."""
    real = Path(os.path.realpath(cwd))
    return str(next((f for f in (real, *real.parents) if (f / ".git").exists()), real))


def prime_hooks(primed: Path, lessons: list[Known]) -> bool:
    """Write what hooks judge by where no live process answers; return whether it changed."""
    from remem_agents.priming.lessons_file import lessons_file, write_lessons

    return write_lessons(primed, lessons_file(lessons, folders_of(lessons)))
