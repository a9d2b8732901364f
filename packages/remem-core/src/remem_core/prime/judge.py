"""Which lessons to put in front of an agent at a moment, and why each of the others not.

Pure: a moment, lessons, and what was learned. Silence is the default. A lesson is said only when
its score, a weighted sum of measures with names, passes a cut that was set so that most of what
passes it is right; a second lesson of one moment must pass it by more.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from remem_core.prime.features import Features, measure, why_silent
from remem_core.prime.moment import LessonView, Moment, MomentKind, kind_of
from remem_core.prime.scales import Group, Mode, Scale, load_facts, load_rarity

if TYPE_CHECKING:
    from remem_core.embed import Embedder
    from remem_core.prime.meaning import Meaning

MOST: dict[MomentKind, int] = {"prompt": 3, "tool": 2, "handback": 2}
_REASONS = 4
_OTHER_PROGRAM = "another tool or program, and no trap in common"
_TELLING = 0.05  # log-odds below which a part of a score is no reason
# A surprise is judged by weights learned on corrections: it must be surer.
_UNLEARNED = 1.0


@dataclass(frozen=True)
class Verdict:
    """One lesson: its score above the cut in log-odds, and what made it so."""

    lesson: str
    score: float | None  # None: it can't bear on such a moment
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Judgement:
    """What to say, best first, and what not."""

    chosen: tuple[Verdict, ...]
    rejected: tuple[Verdict, ...]

    @property
    def ids(self) -> list[str]:
        """The chosen lessons' ids, best first."""
        return [verdict.lesson for verdict in self.chosen]


class Judge:
    """Judges moments; keeps the vectors of lessons between them.

    Without an embedder, or with one of a space for which nothing was learned, it goes by words and
    structure alone, with a higher cut: the fallback of a hook that has no time to load a model.
    """

    def __init__(self, embedder: "Embedder | None" = None) -> None:
        facts = load_facts()
        self._meaning: Meaning | None = None
        if embedder is not None and embedder.space == facts.space:
            self._meaning = _open_meaning(embedder)
        self.mode: Mode = "words" if self._meaning is None else "vectors"
        self._scales = facts.scales[self.mode]
        self._rarity = load_rarity()

    def judge(self, moment: Moment, lessons: Sequence[LessonView]) -> Judgement:
        """Judge each lesson, and choose."""
        silent = {n: why for n, one in enumerate(lessons) if (why := why_silent(moment, one))}
        measured = {
            n: found
            for n, lesson in enumerate(lessons)
            if n not in silent and (found := measure(moment, lesson, self._rarity)) is not None
        }
        compared = self._compare(moment, [lessons[n] for n in measured])
        scored = []
        for (n, found), more in zip(measured.items(), compared, strict=True):
            scale = self._scales[group_of(moment, lessons[n])]
            scored.append((_verdict(lessons[n], found | more, scale), scale))
        scored.sort(key=lambda one: (-(one[0].score or 0.0), one[0].lesson))
        chosen = _choose(scored, MOST[kind_of(moment)])
        rest = [verdict for verdict, _ in scored if verdict not in chosen]
        unable = [
            Verdict(lesson.id, None, (silent.get(n, _OTHER_PROGRAM),))
            for n, lesson in enumerate(lessons)
            if n not in measured
        ]
        return Judgement(tuple(chosen), (*rest, *unable))

    def _compare(self, moment: Moment, lessons: list[LessonView]) -> list[Features]:
        if self._meaning is None or not lessons:
            return [{} for _ in lessons]
        return self._meaning.compare(moment, lessons)


def _open_meaning(embedder: "Embedder") -> "Meaning":
    from remem_core.prime.meaning import Meaning
    from remem_core.prime.weights import load_vectors

    return Meaning(embedder, load_vectors())


def group_of(moment: Moment, lesson: LessonView) -> Group:
    """Return which weighted sum judges a lesson at a moment."""
    return "error" if lesson.kind == "error" else kind_of(moment)


def _choose(scored: Sequence[tuple[Verdict, Scale]], most: int) -> list[Verdict]:
    chosen: list[Verdict] = []
    for verdict, scale in scored[:most]:
        needed = scale.further if chosen else 0.0
        if verdict.score is not None and verdict.score >= needed:
            chosen.append(verdict)
    return chosen


def _verdict(lesson: LessonView, measured: Mapping[str, float], scale: Scale) -> Verdict:
    parts = {
        name: weight * measured[name]
        for name, weight in scale.weights.items()
        if measured.get(name)
    }
    score = scale.bias + sum(parts.values()) - scale.cut
    if lesson.kind == "surprise":
        score -= _UNLEARNED
    telling = sorted(parts.items(), key=lambda part: -abs(part[1]))[:_REASONS]
    return Verdict(
        lesson.id,
        round(score, 3),
        tuple(f"{name} {part:+.2f}" for name, part in telling if abs(part) >= _TELLING),
    )
