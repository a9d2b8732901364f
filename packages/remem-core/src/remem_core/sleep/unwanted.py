"""Vetoes by meaning: what the owner said never to, in whatever words it comes again (MEM-053)."""

from collections.abc import Sequence

from remem_core.lessons.sources import Source
from remem_core.sleep.view import Likeness, Matrix, told_as_source
from remem_protocol import Lesson, Veto


class Unwanted:
    """The vetoes that hold, each with what is left of its sources."""

    def __init__(self, vetoes: Sequence[tuple[Veto, tuple[Source, ...]]], alike: Likeness) -> None:
        self._alike = alike
        self._vetoes = [(veto, sources or _told(veto)) for veto, sources in vetoes]

    def source(self, source: Source) -> bool:
        """Tell whether a source says what was vetoed."""
        return self.lesson(source.kind, (source,)) is not None

    def lesson(self, kind: str, sources: Sequence[Source]) -> Veto | None:
        """Return the first veto whose meaning a lesson on these sources has."""
        for veto, vetoed in self._vetoes:
            if vetoed and sources and (veto.kind or kind) == kind:
                near = self._mean(sources) @ self._mean(vetoed)
                if float(near) >= self._alike.cut(kind):
                    return veto
        return None

    def _mean(self, sources: Sequence[Source]) -> Matrix:
        mean: Matrix = self._alike.vectors(sources).mean(axis=0)
        return mean

    def __bool__(self) -> bool:
        return bool(self._vetoes)


def of_lesson(lesson: Lesson, sources: Sequence[Source]) -> Sequence[Source]:
    """Return what a lesson means: its sources, or its words where they are not here."""
    return sources or (told_as_source(lesson),)


def _told(veto: Veto) -> tuple[Source, ...]:
    """Return the words of a veto as a source, for where what it rested on is not here."""
    if not veto.text:
        return ()
    kind = veto.kind or "correction"
    return (Source(veto.hash, kind, veto.at, None, None, said=veto.text, did=""),)
