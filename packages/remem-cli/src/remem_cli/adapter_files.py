"""The suite's operations on agents' memory files: laid out in a folder, written to, read again."""

import base64
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from remem_agents.render.apply import Book, carry_out, plan_all, plan_removal
from remem_agents.render.plan import Place, Plan, Written
from remem_cli.adapter_lessons import remembered
from remem_cli.serving import known_lessons

Value = dict[str, Any]
Planned = Callable[[Place, Book], list[Plan]]


def render(given: Value) -> Value:
    """Write the lessons; return all files then, and what the owner had done to ours."""
    lessons = known_lessons(remembered(given))
    return _carried_out(given, lambda place, book: plan_all([place], lessons, book, {}))


def take_out(given: Value) -> Value:
    """Take everything of ours out again."""
    return _carried_out(given, lambda place, book: plan_removal([place], book))


def _carried_out(given: Value, planned: Planned) -> Value:
    with tempfile.TemporaryDirectory(prefix="remem-files-") as name:
        folder = Path(name)
        for file in given.get("files", ()):
            path = folder / file["path"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(base64.b64decode(file["raw"]))
        place = _place(folder, given["place"])
        written = given.get("written")
        ours = {} if written is None else {str(place.index): msgspec.convert(written, Written)}
        book = Book(places=ours)
        plans = planned(place, book)
        now = carry_out(plans, book).places.get(str(place.index))
        return {"files": _files(folder), "written": msgspec.to_builtins(now), **_told(plans)}


def _place(folder: Path, told: Value) -> Place:
    lessons = folder / told["folder"] if "folder" in told else None
    return Place("suite", folder / told["index"], folder, told.get("project", ""), folder=lessons)


def _files(folder: Path) -> list[Value]:
    return [
        {
            "path": path.relative_to(folder).as_posix(),
            "raw": base64.b64encode(path.read_bytes()).decode("ascii"),
        }
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]


def _told(plans: list[Plan]) -> Value:
    """Return what the owner did, and why nothing was done. Without a plan there was nothing."""
    told: Value = {"vetoed": [], "reworded": {}}
    for plan in plans:
        told = {"vetoed": list(plan.vetoed), "reworded": dict(plan.reworded)}
        if plan.refused:
            told["refused"] = plan.refused
    return told
