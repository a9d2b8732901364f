"""Which lessons to put in front of an agent at a moment, and why each of the others not.

Pure: a moment, lessons, and what was learned. Silence is the default. A lesson is said only when
its score, a weighted sum of measures with names, passes a cut that was set so that most of what
passes it is right; a second lesson of one moment must pass it by more.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from remem_core.prime.features import Features, measure, why_silent
from remem_core.prime.moment import Failed, LessonView, Moment, MomentKind, ToolCall, kind_of
from remem_core.prime.scales import Group, Mode, Scale, load_facts, load_rarity

if TYPE_CHECKING:
    from remem_core.embed import Embedder
    from remem_core.prime.meaning import Meaning

MOST: dict[MomentKind, int] = {"prompt": 3, "tool": 2, "handback": 2}
_REASONS = 4
OTHER_PROGRAM = "another tool or program, and no trap in common"
_TELLING = 0.05  # log-odds below which a part of a score is no reason
# A surprise is judged by weights learned on corrections: it must be surer.
_UNLEARNED = 1.0
# Learned with six lessons at hand; the more there are, the more often one is near by chance. With
# 203 invented ones at hand this half of the logarithm keeps precision at 0.74 instead of 0.53.
_AT_HAND, _CROWD = 6, 0.5
# What the very call that failed before is given, whatever else is measured: a rule, not learned.
THE_CALL = 3.0


@dataclass(frozen=True)
class Verdict:
    """One lesson: its score above the cut in log-odds, and what made it so."""

    lesson: str
    score: float | None  # None: it can't bear on such a moment
    parts: Mapping[str, float] = field(default_factory=dict)  # log-odds, by the measure's name
    why: str = ""  # why it can't bear

    @property
    def reasons(self) -> tuple[str, ...]:
        """What weighs most."""
        if self.why:
            return (self.why,)
        telling = sorted(self.parts.items(), key=lambda part: -abs(part[1]))[:_REASONS]
        return tuple(f"{name} {part:+.2f}" for name, part in telling if abs(part) >= _TELLING)


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
        measured, silent = measure_all(moment, lessons, self._rarity, self._meaning)
        crowd = _CROWD * math.log(max(len(lessons), _AT_HAND) / _AT_HAND)
        scored = []
        for n, found in measured.items():
            scale = self._scales[group_of(moment, lessons[n])]
            verdict = _verdict(lessons[n], found, scale, crowd)
            if failed_before(moment, lessons[n]):
                verdict = _known(verdict)
            scored.append((verdict, scale))
        scored.sort(key=lambda one: (-(one[0].score or 0.0), one[0].lesson))
        chosen = _choose(scored, MOST[kind_of(moment)])
        rest = [verdict for verdict, _ in scored if verdict not in chosen]
        unable = [
            Verdict(lesson.id, None, why=silent[n])
            for n, lesson in enumerate(lessons)
            if n not in measured
        ]
        return Judgement(tuple(chosen), (*rest, *unable))


def measure_all(
    moment: Moment,
    lessons: Sequence[LessonView],
    rarity: Mapping[str, float],
    meaning: "Meaning | None",
) -> tuple[dict[int, Features], dict[int, str]]:
    """Return by place what is measured of each lesson that could bear, and why others can't."""
    silent = {n: why for n, one in enumerate(lessons) if (why := why_silent(moment, one))}
    measured: dict[int, Features] = {}
    for n, lesson in enumerate(lessons):
        if n in silent:
            continue
        if (found := measure(moment, lesson, rarity)) is None:
            silent[n] = OTHER_PROGRAM
        else:
            measured[n] = found
    # A failed call is compared by its structure alone; vectors of command lines say little.
    told = [n for n in measured if lessons[n].kind != "error"]
    if meaning is not None and told:
        compared = meaning.compare(moment, [lessons[n] for n in told])
        for n, more in zip(told, compared, strict=True):
            measured[n] |= more
    return measured, silent


def _open_meaning(embedder: "Embedder") -> "Meaning":
    from remem_core.prime.meaning import Meaning
    from remem_core.prime.weights import load_vectors

    return Meaning(embedder, load_vectors())


def _known(verdict: Verdict) -> Verdict:
    """Return a verdict lifted to what the very call that failed is given."""
    missing = THE_CALL - (verdict.score or 0.0)
    if missing <= 0:
        return verdict
    parts = {**verdict.parts, "the very call": missing}
    return replace(verdict, score=THE_CALL, parts=parts)


def failed_before(moment: Moment, lesson: LessonView) -> bool:
    """Tell whether a call is, to the letter, one that a lesson saw fail."""
    if not isinstance(moment, ToolCall) or not moment.command.strip():
        return False
    call = moment.tool, moment.command.split()
    return any(
        isinstance(source, Failed) and (source.tool, source.command.split()) == call
        for source in lesson.sources
    )


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


def _verdict(
    lesson: LessonView, measured: Mapping[str, float], scale: Scale, crowd: float
) -> Verdict:
    weights = scale.weights
    parts = {name: weights[name] * value for name, value in measured.items() if name in weights}
    score = scale.bias + sum(parts.values()) - scale.cut - crowd
    if lesson.kind == "surprise":
        score -= _UNLEARNED
    return Verdict(lesson.id, round(score, 3), parts)
