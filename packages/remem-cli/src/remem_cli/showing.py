"""Lessons on their way out of the memory: to agents' files, and to the hooks.

It is done at the end of a sleep, and by `remem render`.
"""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem_cli.serving import folders_of, known_lessons, prime_hooks
from remem_protocol import NotFoundError

if TYPE_CHECKING:
    from remem_agents.ports import Known
    from remem_agents.render.apply import Book
    from remem_agents.render.plan import Place, Plan
    from remem_core.memory import Memory

# An agent whose hook fired this lately is at work: its files change between sessions only.
AT_WORK_SECONDS: Final = 600
IN_USE: Final = "in-use"
# Why a place is left as it is, for a person.
REFUSED: Final = {
    "damaged-markers": "its remem markers are damaged: one is missing, doubled or out of order",
    "not-text": "it is not UTF-8 text",
    "below-git": "it lies in a .git folder",
    "outside-folder": "a link leads out of the agent's folder",
    IN_USE: "the agent is at work; `remem render --at-work` writes all the same",
}


@dataclass(frozen=True)
class Shown:
    """What was written for agents: the plan of each place, and the lessons that were vetoed."""

    plans: "tuple[Plan, ...]"
    vetoed: tuple[str, ...]

    @property
    def is_refused(self) -> bool:
        """Whether a place is left for a reason that does not pass by itself."""
        return any(plan.refused not in ("", IN_USE) for plan in self.plans)


def show_lessons(
    memory: "Memory",
    env: Mapping[str, str],
    *,
    dry_run: bool = False,
    at_work: bool = False,
) -> Shown:
    """Write the lessons where agents and hooks look for them.

    A file that its owner deleted is a veto, made first. Agents at work are left for another time,
    unless `at_work`.
    """
    from remem_agents.render.apply import plan_all, read_book

    book = read_book(memory.places.written)
    busy = {} if at_work else agents_at_work(memory.places.primed, time.time())
    lessons = known_lessons(memory)
    plans = plan_all(_places(lessons, book, env), lessons, book, busy)
    vetoed = sorted({id_ for done in plans for id_ in done.vetoed})
    if not dry_run:
        if vetoed:
            _veto(memory, vetoed)
            lessons = known_lessons(memory)
            plans = plan_all(_places(lessons, book, env), lessons, book, busy)
        _carry_out(memory.places.written, plans, book)
        prime_hooks(memory.places.primed, lessons)
    return Shown(tuple(plans), tuple(vetoed))


def begin_to_show(env: Mapping[str, str], *, dry_run: bool = False) -> Shown:
    """Show the lessons for the first time; from then on they follow by themselves (`keep_shown`).

    Where there is no memory yet, it is noted that they shall.
    """
    from remem_agents.render.apply import Book, write_book
    from remem_core.memory import Memory
    from remem_core.paths import locate

    places = locate()
    if places.db.exists():
        with Memory.open() as memory:
            return show_lessons(memory, env, dry_run=dry_run)
    if not dry_run:
        write_book(places.written, Book())
    return Shown((), ())


def take_out_lessons(written: Path, *, dry_run: bool = False) -> Shown:
    """Take everything of ours out of agents' memory files again, by what was noted at `written`."""
    from remem_agents.render.apply import plan_removal, read_book

    book = read_book(written)
    plans = plan_removal(_booked(book), book)
    if not dry_run and not _carry_out(written, plans, book).places:
        written.unlink(missing_ok=True)
    return Shown(tuple(plans), ())


def keep_shown(memory: "Memory", env: Mapping[str, str]) -> None:
    """Let what is shown follow a change of the lessons.

    Agents' files are written to where the owner had it done once (`remem render`, `remem setup`);
    what hooks judge by is our own and always follows.
    """
    if memory.places.written.exists():
        show_lessons(memory, env)
    else:
        prime_hooks(memory.places.primed, known_lessons(memory))


def agents_at_work(primed: Path, now: float) -> dict[str, str]:
    """Return the agents whose hooks fired a moment ago, each with the code of the refusal."""
    beats = primed / "beats"
    fired = beats.iterdir() if beats.is_dir() else ()
    return {
        beat.name.rpartition("-")[0]: IN_USE
        for beat in fired
        if now - beat.stat().st_mtime < AT_WORK_SECONDS
    }


def _carry_out(written: Path, plans: "list[Plan]", book: "Book") -> "Book":
    from remem_agents.render.apply import carry_out, write_book

    now = carry_out(plans, book)
    if now != book or not written.exists():
        write_book(written, now)
    return now


def _veto(memory: "Memory", ids: Iterable[str]) -> None:
    for id_ in ids:
        try:
            memory.veto(id_)
        except NotFoundError:  # sleep was faster
            continue


def _places(lessons: "list[Known]", book: "Book", env: Mapping[str, str]) -> "list[Place]":
    """Return where agents look: of each project, for all projects, and where we once wrote."""
    from remem_agents.claude_code.memory import memory_place as claude_code
    from remem_agents.codex.memory import memory_place as codex
    from remem_agents.gemini.memory import memory_place as gemini

    folders = sorted(folders_of(lessons).items())
    found = [*(claude_code(project, top, env) for top, project in folders), codex(env), gemini(env)]
    places = {str(place.index): place for place in found if place is not None}
    return [*places.values(), *(p for p in _booked(book) if str(p.index) not in places)]


def _booked(book: "Book") -> "list[Place]":
    from remem_agents.render.plan import Place

    places = []
    for path, written in book.places.items():
        index = Path(path)
        folder = index.parent if index.name == "MEMORY.md" else None
        within = index.parent.parent if folder else index.parent
        places.append(Place(written.agent, index, within, project="", folder=folder))
    return places
