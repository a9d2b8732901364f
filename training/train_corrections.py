"""Train the model for corrections and write its weights beside the code that uses them.

    python training/train_corrections.py --data ../shared/eval --date 2026-11-29
    python training/train_corrections.py --data ../shared/eval --check

The same data gives the same bytes. `--check` trains again and compares, writing nothing.
"""

import argparse
import math
import os
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy: how work is split must not round

import msgspec
import numpy as np
from figures import best_threshold, summary
from kernel import Bag, Matrix, fit, fit_line
from labelled import INVENTED, REAL, Labelled, read_turns
from numpy.typing import NDArray

from remem_core.embed import Embedder, open_embedder
from remem_core.surprise.model import features
from remem_core.surprise.model.linear import pair
from remem_core.surprise.model.weights import Facts, Name, Weights, pack

WEIGHTS_VERSION = 1
# How freely a block's weights may grow; found by cross-validation over the folds below.
BAG_SCALES = {"characters": 8.0, "words": 8.0, "reply": 1.0, "answer": 6.0}
SIGN_SCALE, CUE_SCALE, BIAS_SCALE = 1.0, 0.3, 4.0
PAIR_SCALES, COSINE_SCALE = (1.0, 0.5, 0.3), 4.0
# A real turn counts as two invented ones; one whose reader was not sure, for less.
REAL_WEIGHT, DOUBTFUL_WEIGHT = 2.0, 0.4
# A candidate is what is more likely than not to be a correction that was missed than chance
# would have it: half of the threshold.
CANDIDATE_PART = 0.5
# Shares of corrections among refusals with words (0.8) and comments on approvals (a third), read
# off 1,300 labelled turns, against prompts (about 0.16): no training turn has these channels.
PROMPT_SHARE, CHANNEL_SHARES = 0.16, {"refusal": 0.8, "comment": 0.33}
FOLDER = Path(features.__file__).parent


@dataclass(frozen=True)
class Blocks:
    """The features of all turns, and the products of their rows."""

    bags: dict[str, Bag]
    signs: Matrix
    scales: Matrix  # of the signs
    means: Matrix
    pairs: Matrix  # (3, n, d); d is 0 without vectors
    cosine: Matrix

    def kernel(self) -> Matrix:
        """Return the sum of the blocks' kernels, each by its scale."""
        total = (self.signs * self.scales) @ self.signs.T + BIAS_SCALE
        for name, bag in self.bags.items():
            total += BAG_SCALES[name] * bag.kernel()
        for scale, rows in zip(PAIR_SCALES, self.pairs, strict=True):
            total += scale * (rows @ rows.T)
        return total + COSINE_SCALE * np.outer(self.cosine, self.cosine)

    def weights(self, dual: Matrix, facts: Facts) -> Weights:
        """Return the weights that a dual solution stands for."""
        return Weights(
            facts=facts,
            bags={
                name: BAG_SCALES[name] * bag.weights(dual, features.BUCKETS)
                for name, bag in self.bags.items()
            },
            signs=self.scales * (self.signs.T @ dual),
            bias=BIAS_SCALE * float(dual.sum()),
            means=self.means,
            pairs=np.stack(
                [s * (rows.T @ dual) for s, rows in zip(PAIR_SCALES, self.pairs, strict=True)]
            ),
            cosine=COSINE_SCALE * float(self.cosine @ dual),
        )


def blocks_of(turns: list[Labelled], embedder: Embedder | None) -> Blocks:
    """Compute the features of turns, with vectors when there is an embedder."""
    seen = [features.features_of(turn.heard) for turn in turns]
    said, closing = np.zeros((len(turns), 0)), np.zeros((len(turns), 0))
    if embedder is not None:
        said = embedder.embed([one.said for one in seen]).astype(np.float64)
        closing = embedder.embed([one.closing for one in seen]).astype(np.float64)
    # Rounded as they are shipped, so that what is trained is what runs.
    means = np.stack([said.mean(axis=0), closing.mean(axis=0)]).astype(np.float16)
    pairs, cosine = pair(said, closing, means.astype(np.float64))
    names = features.sign_names()
    return Blocks(
        bags={name: Bag([one.bags[name] for one in seen]) for name in features.BAGS},
        signs=np.stack([one.signs for one in seen]),
        scales=np.array([CUE_SCALE if n in features.CUE_SIGNS else SIGN_SCALE for n in names]),
        means=means.astype(np.float64),
        pairs=pairs,
        cosine=cosine,
    )


def out_of_fold(kernel: Matrix, turns: list[Labelled], target: Matrix, weight: Matrix) -> Matrix:
    """Score each turn by a model that saw neither its author nor its session."""
    folds = np.array([turn.fold for turn in turns])
    scores = np.zeros(len(turns))
    for fold in sorted(set(folds)):
        inside = np.flatnonzero(folds != fold)
        left_out = np.flatnonzero(folds == fold)
        dual = fit(kernel[np.ix_(inside, inside)], target[inside], weight[inside])
        scores[left_out] = kernel[np.ix_(left_out, inside)] @ dual
    return scores


def train(name: Name, turns: list[Labelled], date: str, embedder: Embedder | None) -> Weights:
    """Train one set of weights; its facts hold what cross-validation says of it."""
    target = np.array([float(turn.corrects) for turn in turns])
    weight = np.array([_weight(turn) for turn in turns])
    blocks = blocks_of(turns, embedder)
    kernel = blocks.kernel()
    scores = out_of_fold(kernel, turns, target, weight)
    slope, offset = fit_line(scores, target, weight)
    percent = np.rint(100 / (1 + np.exp(-(slope * scores + offset))))
    groups = _groups(turns)
    threshold = best_threshold(target > 0, percent, [groups["invented"], groups["real"]])
    facts = Facts(
        version=WEIGHTS_VERSION,
        features=features.VERSION,
        space=None if embedder is None else embedder.space,
        trained=date,
        data=dict(Counter(turn.source for turn in turns)),
        slope=round(slope, 6),
        offset=round(offset, 6),
        threshold=threshold,
        candidate=round(threshold * CANDIDATE_PART),
        channels=_channels(),
        figures={
            group: summary(target[mask] > 0, percent[mask], threshold)
            for group, mask in groups.items()
        },
    )
    print(name, msgspec.json.encode(facts.figures).decode())
    return blocks.weights(fit(kernel, target, weight), facts)


def _weight(turn: Labelled) -> float:
    if turn.source != REAL:
        return 1.0
    return REAL_WEIGHT * (DOUBTFUL_WEIGHT if turn.doubtful else 1.0)


def _groups(turns: list[Labelled]) -> dict[str, NDArray[np.bool_]]:
    """Return what the figures are given for; doubtful labels are no measure."""
    invented = np.array([turn.source in INVENTED for turn in turns])
    english = np.array([turn.english for turn in turns])
    real = np.array([turn.source == REAL and not turn.doubtful for turn in turns])
    return {
        "invented": invented,
        "invented, English": invented & english,
        "invented, other languages": invented & ~english,
        "real": real,
    }


def _channels() -> dict[str, float]:
    def odds(share: float) -> float:
        return math.log(share / (1 - share))

    return {k: round(odds(v) - odds(PROMPT_SHARE), 2) for k, v in CHANNEL_SHARES.items()}


def files_of(name: Name, weights: Weights) -> dict[str, bytes]:
    """Return the two files of a set of weights."""
    facts: Any = msgspec.json.format(msgspec.json.encode(weights.facts), indent=2)
    return {f"{name}.npz": pack(weights), f"{name}.json": facts + b"\n"}


def main() -> int:
    """Train both sets; write them, or compare them with what is there."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/eval"))
    parser.add_argument("--date", help="the day that the weights are said to be of")
    parser.add_argument("--check", action="store_true", help="compare with the shipped weights")
    arguments = parser.parse_args()
    there = FOLDER / "words.json"
    date = arguments.date or msgspec.json.decode(there.read_bytes(), type=Facts).trained
    turns = read_turns(arguments.data)
    names: dict[Name, Embedder | None] = {"words": None, "vectors": open_embedder()}
    stale = []
    for name, embedder in names.items():
        for file, content in files_of(name, train(name, turns, date, embedder)).items():
            if not arguments.check:
                (FOLDER / file).write_bytes(content)
            elif not (FOLDER / file).exists() or (FOLDER / file).read_bytes() != content:
                stale.append(file)
    if stale:
        print("not what training gives:", ", ".join(stale))
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
