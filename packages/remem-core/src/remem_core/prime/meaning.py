"""What vectors say of a moment and lessons: how near they are, beyond what is near to everything.

A plain cosine says mostly that two texts are of one trade. So each is held against how near the
moment is to texts that have nothing to do with it, and against the other lessons at hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from remem_core.embed import Embedder
from remem_core.prime.features import Features
from remem_core.prime.moment import (
    Corrected,
    Failed,
    Handback,
    LessonView,
    Moment,
    Prompt,
    Source,
    Stated,
    ToolCall,
)  # fmt: skip
from remem_core.prime.signs import STANCES, Table, ending_of, names, signs, tail_of
from remem_core.prime.weights import Matrix, Vectors

PARTS = ("said", "did", "both")
# Beside vectors of length 1, a sign counts for a part; found by cross-validation, as is `DID`.
SIGN, DID = 0.15, 0.6
_SPREAD, _SCALE = 0.03, 3.0  # keeps a narrow background from exaggerating; brings it near 1
_CLIP = 700
_KEPT = 20_000  # vectors: 30 MB
_WANTS = tuple(f"wants {name}" for name in STANCES)
_CROSSES = tuple(f"crosses {name}" for name in STANCES)
_BLOCKS = 8  # sets of lessons: a project's, for each kind of moment


@dataclass(frozen=True)
class _Block:
    """The vectors of a set of lessons: a row a source."""

    parts: list[Matrix]
    owner: NDArray[np.intp]  # whose source a row is
    wants: Matrix  # (lessons, stances)
    count: int


class Meaning:
    """Compares by vectors, and keeps the vectors of texts that come again: those of lessons."""

    def __init__(self, embedder: Embedder, vectors: Vectors) -> None:
        self._embedder = embedder
        self._vectors = vectors
        self._known: dict[str, NDArray[np.float32]] = {}
        self._blocks: dict[tuple[LessonView, ...], _Block] = {}

    def compare(self, moment: Moment, lessons: Sequence[LessonView]) -> list[Features]:
        """Return what vectors say of each lesson, by the names that the weights use."""
        if not lessons:
            return []
        block = self._block(tuple(lessons))
        here = self._embed(views(moment))
        found = self._nearness(here, block)
        does = self._does(moment, here)
        columns = {name: values.tolist() for name, values in found.items()}
        return [
            {name: values[n] for name, values in columns.items()} | _stances(block.wants[n], does)
            for n in range(len(lessons))
        ]

    def _block(self, lessons: tuple[LessonView, ...]) -> "_Block":
        """Return the lessons' vectors; those of the last few sets of lessons are kept."""
        if (block := self._blocks.pop(lessons, None)) is None:
            block = self._build(lessons)
        self._blocks[lessons] = block
        if len(self._blocks) > _BLOCKS:
            self._blocks.pop(next(iter(self._blocks)))
        return block

    def _build(self, lessons: tuple[LessonView, ...]) -> "_Block":
        texts = [[_parts(source) for source in lesson.sources] for lesson in lessons]
        rows = [row for lesson in texts for row in lesson]
        owner = np.repeat(np.arange(len(lessons)), [len(lesson) for lesson in texts])
        parts = [self._embed([row[part] for row in rows]) for part in range(len(PARTS))]
        read = self._vectors.wants.read(lesson_inputs(parts[0], parts[1], [row[0] for row in rows]))
        wants = np.zeros((len(lessons), read.shape[1]))
        np.maximum.at(wants, owner, read)
        return _Block(parts, owner, wants, len(lessons))

    def _nearness(self, here: Matrix, block: "_Block") -> dict[str, Matrix]:
        found: dict[str, Matrix] = {}
        for name, vectors, background in zip(
            PARTS, block.parts, self._vectors.background, strict=True
        ):
            usual = background @ here.T
            spread = usual.std(axis=0) + _SPREAD
            near = (vectors @ here.T - usual.mean(axis=0)) / spread / _SCALE
            for view in range(len(here)):
                best = np.full(block.count, -np.inf)
                np.maximum.at(best, block.owner, near[:, view])
                found[f"near {name} {view}"] = best
                found[f"ahead {name} {view}"] = _ahead(best)
        return found

    def _does(self, moment: Moment, here: Matrix) -> Matrix | None:
        if not isinstance(moment, Handback):
            return None
        return np.asarray(self._vectors.does.read(reply_inputs(here[:1], [moment.reply]))[0])

    def _embed(self, texts: Sequence[str]) -> Matrix:
        missing = sorted({t for t in texts if t not in self._known}, key=lambda t: (len(t), t))
        if missing:
            if len(self._known) > _KEPT:
                self._known.clear()
            for text, vector in zip(missing, self._embedder.embed(missing), strict=True):
                self._known[text] = vector
        return np.stack([self._known[text] for text in texts]).astype(np.float64)


def views(moment: Moment) -> list[str]:
    """Return the texts in which a moment is compared, the telling one first."""
    match moment:
        case Prompt():
            return [moment.prompt[:_CLIP]]
        case ToolCall():
            return [f"{moment.description}: {moment.command}"[:_CLIP]]
        case Handback():
            return [tail_of(moment.reply), moment.reply[-_CLIP:]]


def lesson_inputs(said: Matrix, did: Matrix, words: Sequence[str]) -> Matrix:
    """Return what a lesson's stance is read from: vectors (n, d) of both, and the words' signs."""
    return np.hstack([said, DID * did, SIGN * _signs("stance", words)])


def reply_inputs(tail: Matrix, replies: Sequence[str]) -> Matrix:
    """Return what a reply's doing is read from: the vector of its end, and its signs."""
    return np.hstack([tail, SIGN * _signs("reply", replies)])


def lesson_parts(said: str, did: str) -> tuple[str, str, str]:
    """Return the texts in which a correction is compared, in the order of PARTS."""
    told = ending_of(did) or did
    return said[:_CLIP], told[:_CLIP], f"{told} {said}"[:_CLIP]


def _parts(source: Source) -> tuple[str, str, str]:
    match source:
        case Corrected():
            return lesson_parts(source.said, source.agent_did)
        case Failed():
            call = f"{source.description}: {source.command}"
            return source.failure[:_CLIP], call[:_CLIP], f"{call} {source.failure}"[:_CLIP]
        case Stated():
            return (source.statement[:_CLIP],) * 3


def _signs(table: Table, texts: Sequence[str]) -> Matrix:
    order = names(table)
    shown = [signs(table, text) for text in texts]
    return np.array([[float(name in one) for name in order] for one in shown])


def _ahead(values: Matrix) -> Matrix:
    """Return how far each is ahead of the best of the others; 0 where there is no other."""
    if len(values) < 2:
        return np.zeros_like(values)
    first, second = np.sort(values)[-1], np.sort(values)[-2]
    return np.asarray(np.where(values == first, first - second, values - first))


def _stances(wants: Matrix, does: Matrix | None) -> Features:
    if does is None:
        return {}
    both = wants * does
    found = dict(zip(_WANTS, wants.tolist(), strict=True))
    found |= zip(_CROSSES, np.sqrt(both).tolist(), strict=True)
    return found | {"crosses": float(both.sum()), "crosses most": float(np.sqrt(both.max()))}
