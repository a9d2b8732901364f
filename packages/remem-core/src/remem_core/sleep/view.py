"""What a pass of sleep sees: lessons with their sources, blocked by kind and project.

A pass is a pure function from these and a clock to changes; it reads no store and writes none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from remem_core.lessons.sources import Source
from remem_core.sleep.numbers import SHOWN
from remem_protocol import Alias, Lesson

Matrix = npt.NDArray[np.float32]

Relation = Literal["same", "contradicts", "refines", "unrelated"]


class Likeness(Protocol):
    """How alike the sources of lessons are: the linker, with its vectors kept."""

    def cut(self, kind: str) -> float:
        """Return the score from which two sources of a kind mean the same."""

    def vectors(self, sources: Sequence[Source]) -> Matrix:
        """Return a row for each source; the product of two rows is how alike the two are.

        So the mean likeness of two groups is the product of their mean rows.
        """

    def relation(self, older: Source, newer: Source) -> Relation:
        """Return how a later wish relates to an earlier one."""


def means(held: Sequence["Held"], alike: Likeness) -> Matrix:
    """Return the mean row of what each lesson is compared by, shape (lessons, dimensions)."""
    rows = alike.vectors([source for each in held for source in each.shown])
    sizes = [len(each.shown) for each in held]
    sums = np.add.reduceat(rows, np.cumsum([0, *sizes[:-1]]), axis=0)
    mean: Matrix = (sums / np.array(sizes)[:, None]).astype(np.float32)
    return mean


def told_as_source(lesson: Lesson) -> Source:
    """Return a lesson's words as a source, for one that came from elsewhere without its own."""
    return Source(lesson.hash, lesson.kind, lesson.created, None, None, said=lesson.text, did="")


@dataclass(frozen=True)
class Held:
    """A lesson, what it rests on (the earliest source first), and its old names."""

    lesson: Lesson
    sources: tuple[Source, ...]
    names: tuple[Alias, ...] = ()

    @property
    def shown(self) -> tuple[Source, ...]:
        """The sources that it is compared by: the latest ones, or its words where none is here."""
        return self.sources[-SHOWN:] or (told_as_source(self.lesson),)

    @property
    def said(self) -> Source:
        """What it is set against a later wish by: what was said last."""
        return self.shown[-1]

    @property
    def is_whole(self) -> bool:
        """Whether all that it rests on is in this memory."""
        return len(self.sources) == len(self.lesson.sources)

    @property
    def latest(self) -> str:
        """When its last source happened."""
        return max((s.at for s in self.sources), default=self.lesson.created)


@dataclass(frozen=True)
class Block:
    """All of one kind in one project: its living lessons, and what no lesson covers yet.

    Both in an order that does not depend on how they came in: lessons by id, sources by time.
    """

    kind: str
    project: str | None
    lessons: tuple[Held, ...] = ()
    fresh: tuple[Source, ...] = ()
