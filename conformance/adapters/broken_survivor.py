"""Merges into the oldest lesson, however strong another is."""

from collections.abc import Sequence
from typing import Any

from remem_cli import adapter
from remem_core.lessons.changes import revised
from remem_core.sleep import merge
from remem_protocol import Lesson

original = merge._survivor


def survivor(lessons: Sequence[Lesson], *more: Any) -> Lesson:
    return original([revised(lesson, strength=1.0) for lesson in lessons], *more)


merge._survivor = survivor  # type: ignore[assignment]
adapter.main()
