"""What agents were told, as the memory measures it: by hooks, and in files that they read."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from remem_cli.serving import SHOWN
from remem_core.measure import Shown
from remem_protocol import parse_time

if TYPE_CHECKING:
    from remem_core.memory import Memory


def shown_to_agents(memory: "Memory") -> Iterator[Shown]:
    """Yield each call of a hook, and each lesson that stands in agents' files."""
    from remem_agents.priming.log import read_log

    yield from logged(read_log(memory.places.primed))
    yield from filed(memory)


def logged(calls: Iterable[dict[str, Any]]) -> Iterator[Shown]:
    """Yield the calls of hooks that belong to an arm; of the others nothing is known."""
    for call in calls:
        session, arm, chosen = call.get("session"), call.get("arm"), call.get("chosen", [])
        if not isinstance(session, str) or arm not in ("told", "held-out"):
            continue
        try:
            parse_time(call["at"])
            ids = tuple(str(one["id"]) for one in chosen)
        except (ValueError, TypeError, KeyError):  # a line that somebody else wrote
            continue
        yield Shown(call["at"], session, arm == "held-out", ids)


def filed(memory: "Memory") -> Iterator[Shown]:
    """Yield the lessons that stand in agents' files, since they are there.

    Which ones have a file is known; in an index without files stand those of every project. When
    each was written is not kept, so it counts from the lesson's beginning.
    """
    from remem_agents.render.apply import read_book
    from remem_agents.render.lesson_file import id_of

    places = read_book(memory.places.written).places.values()
    named = {id_of(name) for written in places for name in written.files}
    without_files = any(not written.files for written in places)
    for lesson in memory.lessons():
        everywhere = without_files and lesson.project is None and lesson.trust in SHOWN
        if lesson.id in named or everywhere:
            yield Shown(lesson.created, None, lessons=(lesson.id,))
