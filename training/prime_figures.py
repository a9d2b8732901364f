"""Figures of judging moments: precision, recall and silence."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from moments_file import Example

MOST = {"prompt": 3, "tool": 2, "handback": 2}


@dataclass(frozen=True)
class Scored:
    """A moment and a lesson with a score that did not see their fold."""

    example: int
    lesson: int
    score: float
    bears: bool


def figures_of(
    above: Sequence[Scored], listed: Sequence[Example], wanted: Sequence[bool], further: float
) -> dict[str, dict[str, float]]:
    """Return figures over all and by kind; a score is how far it is above the cut."""
    by_moment: dict[int, list[Scored]] = defaultdict(list)
    for one in above:
        if one.score >= 0 and wanted[one.example]:
            by_moment[one.example].append(one)
    found = {}
    for kind in ("all", *MOST):
        numbers = [n for n, e in enumerate(listed) if wanted[n] and kind in ("all", e.kind)]
        said = {n: _said(by_moment[n], listed[n].kind, further) for n in numbers}
        found[kind] = _figures(said, listed)
    return found


def _said(scored: list[Scored], kind: str, further: float) -> list[Scored]:
    best = sorted(scored, key=lambda one: -one.score)[: MOST[kind]]
    return [one for n, one in enumerate(best) if n == 0 or one.score >= further]


def _figures(said: dict[int, list[Scored]], listed: Sequence[Example]) -> dict[str, float]:
    right = sum(one.bears for chosen in said.values() for one in chosen)
    want = sum(bears is True for n in said for bears in listed[n].bears)
    quiet = [n for n in said if True not in listed[n].bears]
    return {
        "precision": round(right / max(1, sum(map(len, said.values()))), 3),
        "recall": round(right / max(1, want), 3),
        "silence": round(sum(not said[n] for n in quiet) / max(1, len(quiet)), 3),
        "moments": len(said),
    }
