"""From which score on two items of a kind (correction, error, surprise) are linked, a space of vectors at a time.

A cut stands for the precision that it had: of the pairs that it links, how many belong together.
A wrong merge is worse than a missed one, so cuts are high.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cut:
    """A cut and where it came from."""

    score: float
    source: str


_LEARNED = "pair precision 0.85, cross-validated over training/train_links.py's folds"
_CAREFUL = "nothing labelled to learn from; the correction's cut and a margin of 0.05"

CUTS: dict[str, dict[str, Cut]] = {
    "minilm": {
        "correction": Cut(0.72, _LEARNED),
        "error": Cut(0.77, _CAREFUL),
        "surprise": Cut(0.77, _CAREFUL),
    },
    "hashed": {
        "correction": Cut(0.72, _LEARNED),
        "error": Cut(0.77, _CAREFUL),
        "surprise": Cut(0.77, _CAREFUL),
    },
}
