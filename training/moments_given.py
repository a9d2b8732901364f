"""Reading what is given to learn judging moments from: the invented themes and the scenes.

Moments that share a lesson, directly or by others between them, are one scene: cross-validation
leaves scenes out whole, so that no lesson is both learned from and asked for.
"""

import json
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

from moments_file import Example

from remem_core.prime.moment import SHAPES, SOURCES, LessonView

Themes = dict[str, list[tuple[str, str]]]  # a theme's (what the person said, what the agent did)


def read_themes(data: Path) -> Themes:
    """Read the invented themes, in order."""
    found: Themes = defaultdict(list)
    for path in sorted((data / "themes").glob("*/themes.jsonl")):
        for line in path.read_text("utf-8").split("\n"):
            if line:
                row = json.loads(line)
                found[row["theme"]].append((row["text"], row["agent"]))
    return dict(found)


def read_families() -> dict[str, str]:
    """Return the family of each theme that has one."""
    table = tomllib.loads(Path(__file__).with_name("stances.toml").read_text("utf-8"))
    return {theme: family for family, themes in table.items() for theme in themes.split()}


def read_scenes(data: Path) -> list[Example]:
    """Read the given moments; an example's trade is its scene."""
    lines = (data / "moments" / "moments.jsonl").read_text("utf-8").split("\n")
    rows = [json.loads(line) for line in lines if line]
    return [_example(row, scene) for row, scene in zip(rows, _scenes(rows), strict=True)]


def _example(row: dict[str, Any], scene: str) -> Example:
    lessons = tuple(
        LessonView(one["id"], one["kind"], tuple(SOURCES[one["kind"]](**s) for s in one["sources"]))
        for one in row["lessons"]
    )
    bears = tuple(one.id in row["relevant"] for one in lessons)
    moment = SHAPES[row["kind"]](**row["moment"])
    return Example(scene, moment, lessons, bears, ("",) * len(lessons), None, not any(bears))


def _scenes(rows: list[dict[str, Any]]) -> list[str]:
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while parent.setdefault(name, name) != name:
            name = parent[name]
        return name

    for row in rows:
        for lesson in row["lessons"]:
            parent[root(row["id"])] = root(json.dumps(lesson["sources"]))
    order: dict[str, str] = {}
    return [order.setdefault(root(row["id"]), f"scene {len(order) + 1}") for row in rows]
