"""The judge that a live process holds: lessons as prime sees them, kept between calls, and a model.

What was vetoed, forgotten or learned a moment ago counts at the next call: the store's files say
whether anything changed.
"""

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from remem_agents.ports import Known
from remem_agents.priming.attend import SHORT_ID
from remem_agents.priming.lessons_file import command_of, observation
from remem_core.prime.judge import Judge
from remem_core.prime.moment import (
    Corrected,
    Failed,
    Handback,
    LessonView,
    Moment,
    Prompt,
    Source,
    Stated,
    ToolCall,
)
from remem_protocol import Correction, Event, Failure, Surprise

if TYPE_CHECKING:
    from remem_cli.serving import ServedMemory
    from remem_core.embed import Embedder


# The strongest; judging more would not fit into a hook's deadline.
MOST_JUDGED = 200
# Of other projects' lessons: how many get their vectors beforehand, and how many in a row, since a
# hook waits meanwhile.
MOST_PREPARED, IN_A_ROW = 2_000, 4
# What is none: the vectors of lessons are made when they are compared, once for each kind.
NOTHING_SAID = (
    {"kind": "prompt", "prompt": "none"},
    {"kind": "tool", "tool": "none", "description": "none", "command": "none"},
    {"kind": "handback", "prompt": "none", "reply": "none"},
)


class LiveJudge:
    """Judges moments by the lessons of their project."""

    def __init__(self, served: "ServedMemory", embedder: "Embedder", db: Path) -> None:
        self._served = served
        self._judge = Judge(embedder)
        self._db = db
        self._one = threading.Lock()
        self._seen: tuple[object, ...] = ()
        self._lessons: dict[str, list[tuple[Known, LessonView]]] = {}

    def __call__(
        self, moment: dict[str, str], said: set[str]
    ) -> tuple[list[tuple[str, str, str]], int, str]:
        """Return what to say, how many lessons were known, and the project."""
        project = self._served.project_of(moment["cwd"])
        with self._one:
            known = self._known(project)
            views = [view for known, view in known if known.lesson.id[:SHORT_ID] not in said]
            judged = self._judge.judge(moment_of(moment), views)
        lines = {known.lesson.id: known for known, _ in known}
        chosen = [
            (one.lesson, ", ".join(one.reasons), observation(lines[one.lesson]))
            for one in judged.chosen
        ]
        return chosen, len(known), project

    def warm_up(self) -> None:
        """Make the vectors of the lessons of the project that the process was started in."""
        for nothing in NOTHING_SAID:
            self(nothing | {"cwd": str(Path.cwd())}, set())

    def prepare(self) -> None:
        """Make those of every project's, the latest first, so that no first moment waits long."""
        last: dict[str | None, str] = {}
        for known in self._served.known(None):
            project = known.lesson.project
            last[project] = max(last.get(project, ""), known.last)
        left = MOST_PREPARED
        for project in sorted(filter(None, last), key=lambda project: last[project], reverse=True):
            with self._one:
                views = [view for _, view in self._known(project)][:left]
            for at in range(0, len(views), IN_A_ROW):
                with self._one:
                    for nothing in NOTHING_SAID:
                        self._judge.judge(moment_of(nothing), views[at : at + IN_A_ROW])
            left -= len(views)

    def _known(self, project: str) -> list[tuple[Known, LessonView]]:
        version = tuple(_stamp(Path(f"{self._db}{suffix}")) for suffix in ("", "-wal"))
        if version != self._seen:
            self._seen, self._lessons = version, {}
        if project not in self._lessons:
            known = self._served.known(project)[:MOST_JUDGED]
            self._lessons[project] = [(one, view) for one in known if (view := view_of(one))]
        return self._lessons[project]


def _stamp(path: Path) -> tuple[int, int]:
    try:
        found = os.stat(path)  # noqa: PTH116
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def moment_of(told: Mapping[str, str]) -> Moment:
    """Return a hook's moment as prime takes it."""
    if told["kind"] == "prompt":
        return Prompt(told["prompt"])
    if told["kind"] == "tool":
        return ToolCall(told["tool"], told["description"], told["command"])
    return Handback(told["prompt"], told["reply"])


def view_of(known: Known) -> LessonView | None:
    """Return a lesson as prime sees it; None where nothing of it can be compared."""
    sources = tuple(found for event in known.sources if (found := _source(event)) is not None)
    if known.lesson.kind == "note" or not sources:
        return None
    return LessonView(known.lesson.id, known.lesson.kind, sources)


def _source(event: Event) -> Source | None:
    match event:
        case Correction():
            return Corrected(event.said, event.agent_did or "")
        case Failure():
            call = command_of(event.call or "")
            fixed = command_of(getattr(event, "fixed", None) or "")
            return Failed(event.tool, event.failure, event.description or "", call, fixed)
        case Surprise():
            return Stated(event.statement)
        case _:
            return None
