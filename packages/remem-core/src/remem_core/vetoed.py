"""Whether a lesson means what the owner vetoed: asked by every way in but sleep, which has its own
view of it. The linker is loaded only when there is a veto to compare with.
"""

from typing import TYPE_CHECKING

from remem_core.store.connection import Connection

if TYPE_CHECKING:
    from remem_core.meanings import Meanings
    from remem_core.sleep.likeness import KeptLikeness
    from remem_core.sleep.unwanted import Unwanted
    from remem_protocol import Lesson, Veto


class VetoedMeanings:
    """Tells the veto that a lesson falls under by its meaning; None where there is none."""

    def __init__(self, db: Connection, meanings: "Meanings") -> None:
        self._db = db
        self._meanings = meanings
        self._alike: KeptLikeness | None = None
        self._known: tuple[list[Veto], Unwanted] | None = None

    def __call__(self, lesson: "Lesson") -> "Veto | None":
        """Compare a lesson's sources, or its words where they are not here, with the vetoes'.

        A lesson of another kind than surprises are (sleep makes none) is known by its words alone.
        """
        from remem_core.sleep.unwanted import of_lesson
        from remem_core.store import lessons

        if lesson.kind not in lessons.SURPRISES:
            return None
        found = of_lesson(lesson, lessons.sources(self._db, lesson.sources))
        return self._unwanted().lesson(lesson.kind, found)

    def _unwanted(self) -> "Unwanted":
        """Return the vetoes that hold at this moment: an import may have brought one."""
        from remem_core.sleep.likeness import KeptLikeness
        from remem_core.sleep.reading import View
        from remem_core.sleep.unwanted import Unwanted
        from remem_core.store import lessons

        holding = lessons.vetoes(self._db)
        if self._known is None or self._known[0] != holding:
            self._alike = self._alike or KeptLikeness(self._db, self._meanings.embedder)
            vetoed = View(self._db, "").vetoed()
            self._known = holding, Unwanted(vetoed, self._alike)
        return self._known[1]
