"""What out-of-fold scores say of a model, and which thresholds they suggest."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
Mask = NDArray[np.bool_]


def precision_recall(corrects: Mask, said: Mask) -> tuple[float, float, float]:
    """Return precision, recall and F1."""
    hits, all_said = float((corrects & said).sum()), float(said.sum())
    precision, recall = hits / max(1.0, all_said), hits / max(1.0, float(corrects.sum()))
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def average_precision(corrects: Mask, score: Values) -> float:
    """Return the area under precision and recall, ties in the order of the rows."""
    ranked = corrects[np.argsort(-score, kind="stable")]
    precision = np.cumsum(ranked) / np.arange(1, len(ranked) + 1)
    return float(precision[ranked].sum() / max(1, ranked.sum()))


def best_threshold(corrects: Mask, percent: Values, groups: Sequence[Mask]) -> int:
    """Return the percent at which the groups' mean F1 is highest, the higher one of equals."""
    means = {
        at: round(
            sum(precision_recall(corrects[g], percent[g] >= at)[2] for g in groups) / len(groups), 4
        )
        for at in range(20, 70)
    }
    return max(means, key=lambda at: (means[at], at))


def summary(corrects: Mask, percent: Values, threshold: int) -> dict[str, float | int]:
    """Return one group's figures, rounded."""
    precision, recall, f1 = precision_recall(corrects, percent >= threshold)
    return {
        "turns": len(corrects),
        "corrections": int(corrects.sum()),
        "average_precision": round(average_precision(corrects, percent), 3),
        "precision": round(precision, 3),
        "recall": round(recall, 3),
        "f1": round(f1, 3),
    }
