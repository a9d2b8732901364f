"""Training what reads stances: what a person wants of replies, and what a reply does about it."""

from dataclasses import dataclass

import numpy as np
from logistic import fit
from moments_file import Written
from moments_given import Themes

from remem_core.embed import Embedder
from remem_core.prime.meaning import lesson_inputs, reply_inputs
from remem_core.prime.moment import Corrected, Handback
from remem_core.prime.signs import STANCES, ending_of, tail_of
from remem_core.prime.weights import Matrix, Stance

KEPT = 96  # directions in which the texts differ most; the others are noise for so few
STRETCH, RIDGE = 4.0, 3.0
THEME = 0.3  # what a theme's text counts beside one that was written for this
THEMES = "themes"


@dataclass(frozen=True)
class Labelled:
    """Texts, what is read from them, the stance of each (-1: none), the fold, and the count."""

    inputs: Matrix
    stance: list[int]
    fold: list[str]

    @property
    def counts(self) -> Matrix:
        """How much each counts."""
        return np.array([THEME if fold == THEMES else 1.0 for fold in self.fold])


def train_stances(
    trades: dict[str, list[Written]], themes: Themes, families: dict[str, str], embedder: Embedder
) -> dict[str, tuple[Stance, Stance]]:
    """Return both readings, trained without each trade; under "" trained on everything."""
    wants = _wants(trades, themes, families, embedder)
    does = _does(trades, themes, families, embedder)
    bases = _basis(wants.inputs), _basis(does.inputs)
    return {
        fold: (_fit(wants, bases[0], fold), _fit(does, bases[1], fold)) for fold in ("", *trades)
    }


def _wants(
    trades: dict[str, list[Written]], themes: Themes, families: dict[str, str], embedder: Embedder
) -> Labelled:
    rows = [
        (source.said, ending_of(source.agent_did) or source.agent_did, _family(lesson), trade)
        for trade, lessons in trades.items()
        for lesson in lessons
        for source in lesson.sources
        if isinstance(source, Corrected)
    ]
    rows += [
        (said, did, _index(families.get(theme, "")), THEMES)
        for theme, texts in themes.items()
        for said, did in texts
    ]
    said, did, stance, fold = (list(column) for column in zip(*rows, strict=True))
    vectors = embedder.embed(said).astype(np.float64), embedder.embed(did).astype(np.float64)
    return Labelled(lesson_inputs(*vectors, said), stance, fold)


def _does(
    trades: dict[str, list[Written]], themes: Themes, families: dict[str, str], embedder: Embedder
) -> Labelled:
    rows = [
        (moment.reply, _family(lesson) if bears else -1, trade)
        for trade, lessons in trades.items()
        for lesson in lessons
        for moment, bears in lesson.moments
        if isinstance(moment, Handback)
    ]
    rows += [
        (did, _index(families.get(theme, "")), THEMES)
        for theme, texts in themes.items()
        for _, did in texts
    ]
    replies, stance, fold = (list(column) for column in zip(*rows, strict=True))
    tails = embedder.embed([tail_of(reply) for reply in replies]).astype(np.float64)
    return Labelled(reply_inputs(tails, replies), stance, fold)


def _family(lesson: Written) -> int:
    """Return a lesson's stance; what is told of replies alone and has none is about manner."""
    if lesson.family:
        return _index(lesson.family)
    told = any(ending_of(s.agent_did) for s in lesson.sources if isinstance(s, Corrected))
    replies = all(isinstance(moment, Handback) for moment, _ in lesson.moments)
    return STANCES.index("manner") if told and replies else -1


def _index(family: str) -> int:
    return STANCES.index(family) if family in STANCES else -1


def _basis(inputs: Matrix) -> tuple[Matrix, Matrix]:
    middle = inputs.mean(axis=0)
    _, vectors = np.linalg.eigh((inputs - middle).T @ (inputs - middle))
    return middle, vectors[:, ::-1][:, :KEPT]


def _fit(labelled: Labelled, basis: tuple[Matrix, Matrix], left_out: str) -> Stance:
    middle, directions = basis
    rows = (labelled.inputs - middle) @ directions * STRETCH
    seen = np.array([fold != left_out for fold in labelled.fold])
    stance, counts = np.array(labelled.stance), labelled.counts
    fitted = [
        fit(rows[seen], (stance[seen] == n).astype(np.float64), counts[seen], RIDGE)
        for n in range(len(STANCES))
    ]
    weights = STRETCH * directions @ np.stack([one[:-1] for one in fitted]).T
    return Stance(weights, np.array([one[-1] for one in fitted]) - middle @ weights)
