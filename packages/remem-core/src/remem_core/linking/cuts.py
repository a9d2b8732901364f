"""From which score on two items are linked: a cut for each kind, in each space of vectors.

A cut stands for the precision that it had: of the pairs that it links, how many belong together.
A wrong merge is worse than a missed one, so cuts are high.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Cut:
    """A cut and where it came from."""

    score: float
    source: str


_LEARNED = "pair precision 0.85 among 40 wishes, authors left out; training/train_links.py"
_CAREFUL = "nothing labelled to learn from: the correction's cut and a margin"
_NONE = "no score is precise enough, authors left out: hardly more than equal items are linked"

CUTS: dict[str, dict[str, Cut]] = {
    "minilm": {
        "correction": Cut(0.70, _LEARNED),
        "error": Cut(0.75, _CAREFUL),
        "surprise": Cut(0.75, _CAREFUL),
    },
    "hashed": {
        "correction": Cut(0.95, _NONE),
        "error": Cut(0.95, _NONE),
        "surprise": Cut(0.95, _NONE),
    },
}
