"""How a case of an agent's files is told: lessons written into them, by their owner changed, again.

A step is about the files given, or those that the step before was answered with.
"""

from typing import Any

from conformance.generate.lessons import MARCH_6, Learned, everywhere, holding, learned, said
from conformance.generate.shapes import Case, Value, encoded
from conformance.generate.store.shapes import ORCHARD

START, END = "<!-- remem:start -->", "<!-- remem:end -->"
INDEX = "memory/MEMORY.md"
# A project's folder of single memories with its index, and a file that is read in every project.
MEMORY = {"index": INDEX, "folder": "memory", "project": ORCHARD}
AGENTS = {"index": "AGENTS.md"}

UV = learned(said("We use uv here, not pip."), strength=2.0)
SPELL = learned(said("Write colour, not color.", "I wrote color.", session="s-2"), strength=1.5)
BRIEF = everywhere("Be brief.", MARCH_6, strength=1.2)


def case(name: str, why: str, req: str, *steps: Value, level: str = "must") -> Case:
    """Return a case; `req` are ids with spaces between them."""
    *before, last = steps
    content: Value = {"description": why, "req": req.split(), "level": level, "role": "files"}
    content |= last
    if before:
        content["before"] = before
    return f"files/{name}", content


def file(path: str, data: str | bytes) -> Value:
    """Return a file with its bytes."""
    return {"path": path, "raw": encoded(data.encode("utf-8") if isinstance(data, str) else data)}


def render(
    *lessons: Learned | Value,
    place: Value = MEMORY,
    index: str | bytes | None = None,
    after: int | None = None,
    edits: tuple[Value, ...] = (),
) -> Value:
    """Return a step that writes lessons: beside an index, or after another step."""
    given = {**holding(*lessons), **_files(place, index, after, edits)}
    return {"op": "render", "input": given}


def take_out(
    after: int | None = None,
    *edits: Value,
    place: Value = MEMORY,
    index: str | bytes | None = None,
) -> Value:
    """Return a step that takes everything of remem's out."""
    return {"op": "take-out", "input": _files(place, index, after, edits)}


def like(step: Value, **view: Any) -> Value:
    """Return a step with what is looked at afterwards."""
    beside = {name: view.pop(name) for name in ("says", "silent", "raw_of") if name in view}
    return {**step, "expect": beside | ({"match": view} if view else {})}


def path_of(one: Learned) -> str:
    """Return where a lesson's file is."""
    return f"memory/remem-{one.id}.md"


def ids(*lessons: Learned) -> list[str]:
    """Return what is shown where each lesson has a file."""
    return sorted(one.id for one in lessons)


def paths(*lessons: Learned) -> list[str]:
    """Return all files of MEMORY where these lessons are shown."""
    return sorted([INDEX, *map(path_of, lessons)])


def replaced(path: str, old: str, new: str) -> Value:
    """Return that the owner put words in the place of others."""
    return {"path": path, "words": [old, new]}


def rewritten(one: Learned, words: str) -> Value:
    """Return that the owner wrote a lesson's file anew."""
    return file(path_of(one), f"---\nname: remem-{one.id}\n---\n{words}\n")


def gone(path: str) -> Value:
    """Return that the owner deleted a file."""
    return {"path": path}


def many(count: int, words: str = "Count the herons of pond {}.") -> list[Learned]:
    """Return lessons, the strongest first."""
    return [
        learned(
            said(words.format(n), f"I counted pond {n}.", session=f"s-{n}"), strength=3 - n / 50
        )
        for n in range(count)
    ]


def _files(
    place: Value, index: str | bytes | None, after: int | None, edits: tuple[Value, ...]
) -> Value:
    if after is not None:
        return {"place": place, "after": after, **({"edits": list(edits)} if edits else {})}
    return {"place": place, "files": [] if index is None else [file(place["index"], index)]}
