"""The suite's operations on agents' memory files: laid out in a folder, written to, read again."""

import base64
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from remem_agents.render.apply import (
    Book,
    carry_out,
    plan_all,
    plan_removal,
    read_book,
    write_book,
)
from remem_agents.render.plan import Place, Plan
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
        folder, kept = Path(name, "files"), Path(name, "written.json")
        folder.mkdir()
        for file in given.get("files", ()):
            path = folder / file["path"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(base64.b64decode(file["raw"]))
        place = _place(folder, given["place"])
        ours = given.get("written") or {}
        if ours:
            kept.write_text(json.dumps({"places": {str(place.index): ours}}), "utf-8")
        book = read_book(kept)
        plans = planned(place, book)
        write_book(kept, carry_out(plans, book))
        places = json.loads(kept.read_bytes()).get("places", {})
        return {"files": _files(folder), "written": places.get(str(place.index)), **_told(plans)}


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
