"""Train the judge of standing wishes and write its weights beside the code that uses them.

    python training/train_standing.py --data ../shared/eval --date 2026-11-30
    python training/train_standing.py --data ../shared/eval --check
    python training/train_standing.py --data ../shared/eval --report

The same data gives the same bytes. `--check` trains again and compares, writing nothing; `--report`
judges a labelled sample that was never trained on, by the shipped weights.
"""

import argparse
import hashlib
import json
import math
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy: how work is split must not round

import msgspec
import numpy as np
from figures import average_precision, precision_recall
from kernel import Matrix, fit_line
from labelled import INVENTED, REAL, REAL_FOLDS
from numpy.typing import NDArray

from remem_core.embed import Embedder, open_embedder
from remem_core.lessons import standing, standing_signs
from remem_core.lessons.sources import Source
from remem_core.lessons.standing import Facts, Line, pack
from remem_core.lessons.standing_signs import sign_names, signs_of
from remem_core.surprise.words import own_words

WEIGHTS_VERSION = 1
# How freely a block's weights may grow, and what a real turn counts against an invented one;
# found by cross-validation over the folds below.
SIGN_SCALE, VECTOR_SCALE, BIAS_SCALE = 0.3, 1.0, 4.0
REAL_WEIGHT = 1.0
# Our own set counts less than its number: half of it are pairs of the other half.
OWN, OWN_WEIGHT, OWN_FOLDS = "own", 0.5, 2
# One text of each theme is one more wish that stands. They are of one manner and have no
# counterpart, so they count little: more, and precision falls.
THEMES, THEME_WEIGHT, AUTHORS = "themes", 0.1, ("p", "q", "r", "s", "t", "u")
# What is taken for a wish is one more likely than not, on either kind of turn. A passing remark in
# the owner's list costs a veto, a wish below the cut must be said again.
LEAST_PRECISION = 0.5
STEPS, LEAST_CURVE = 8, 1e-6
FOLDER = Path(standing.__file__).parent
LABELS = Path(__file__).parent / "labels" / "standing.jsonl"
WISHES = LABELS.parent / "wishes.txt"
REPORTED, REPORTED_LABELS = "real/dev", LABELS.parent / "standing_dev.jsonl"
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Item:
    """One labelled message: its words, where it comes from, what is left out together with it."""

    source: Source
    stands: bool
    origin: str
    fold: str
    english: bool
    corrects: bool
    weight: float


def read_items(data: Path) -> list[Item]:
    """Return the labelled turns but the unsure ones, our own set, then a text of each theme."""
    labels = _labels(LABELS)
    turns = [
        _turn(row, origin, labels[row["id"]] == "standing")
        for origin in (*INVENTED, REAL)
        for row in _rows(data / origin / "turns.jsonl")
        if labels.get(row["id"], "unsure") != "unsure"
    ]
    themes = [
        Item(_source(row, row["text"]), True, THEMES, THEMES, name != "u", True, THEME_WEIGHT)
        for name in AUTHORS
        for row in _rows(data / THEMES / name / "themes.jsonl")
        if row["id"] == row["theme"] + "a"
    ]
    return turns + list(_wishes()) + themes


def _wishes() -> Iterator[Item]:
    """Yield our own set. Both lines of a pair are in one fold."""
    lines = [line for line in WISHES.read_text("utf-8").splitlines() if line[0] in "+-"]
    for at, line in enumerate(lines):
        row = {"id": f"own{at}", "agent": ""}
        fold = f"{OWN}/{at // 2 % OWN_FOLDS}"
        source = _source(row, line[2:])
        yield Item(source, line[0] == "+", OWN, fold, line.isascii(), True, OWN_WEIGHT)


def _labels(path: Path) -> dict[str, str]:
    return {row["id"]: row["label"] for row in _rows(path)}


def _rows(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def _turn(row: dict[str, str], origin: str, stands: bool) -> Item:
    file = row.get("file", "")
    part = int(hashlib.sha256(file.encode()).hexdigest(), 16) % REAL_FOLDS
    return Item(
        source=_source(row, row["user"]),
        stands=stands,
        origin=origin,
        fold=f"{origin}/{part}" if origin == REAL else origin,
        english=row["lang"] == "en",
        corrects=row["label"] == "correction",
        weight=REAL_WEIGHT if origin == REAL else 1.0,
    )


def _source(row: dict[str, str], said: str) -> Source:
    return Source(
        id=row["id"], kind="correction", at="", project=None, session=None, said=said,
        did=row["agent"],
    )  # fmt: skip


@dataclass(frozen=True)
class Task:
    """All items as numbers: signs (n, s), vectors (n, d), centred; d is 0 without an embedder."""

    items: list[Item]
    signs: Matrix
    vectors: Matrix

    @property
    def target(self) -> Matrix:
        """1 where a wish stands."""
        return np.array([float(item.stands) for item in self.items])

    @property
    def scales(self) -> Matrix:
        """The root of each column's scale: signs, vectors, the bias."""
        parts = ((SIGN_SCALE, self.signs), (VECTOR_SCALE, self.vectors))
        columns = [np.full(rows.shape[1], math.sqrt(scale)) for scale, rows in parts]
        return np.concatenate([*columns, [math.sqrt(BIAS_SCALE)]])

    def solve(self) -> tuple[Matrix, Matrix]:
        """Return a weight a column, and scores by models that did not see an item's fold.

        Themes are left out of no fold and have no such score: theirs is 0.
        """
        rows = np.hstack([self.signs, self.vectors, np.ones((len(self.items), 1))]) * self.scales
        weight = np.array([item.weight for item in self.items])
        folds = np.array([item.fold for item in self.items])
        scores = np.zeros(len(folds))
        for fold in sorted({*folds} - {THEMES}):
            inside = folds != fold
            scores[~inside] = rows[~inside] @ fit_rows(
                rows[inside], self.target[inside], weight[inside]
            )
        return self.scales * fit_rows(rows, self.target, weight), scores


def fit_rows(rows: Matrix, target: Matrix, weight: Matrix) -> Matrix:
    """Return the weights of a logistic regression with a penalty of half their square.

    Newton's method, a fixed count of steps. What `kernel.fit` solves in its dual form; here the
    columns are the fewer.
    """
    found = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-rows @ found))
        curve = np.maximum(weight * chance * (1 - chance), LEAST_CURVE)
        bend = (rows * curve[:, None]).T @ rows + np.eye(len(found))
        found = found + np.linalg.solve(bend, rows.T @ (weight * (target - chance)) - found)
    return found


def train(task: Task) -> tuple[Line, Matrix, Matrix]:
    """Return the signs' weights, the vector's, and each item's probability out of fold."""
    columns, scores = task.solve()
    real, invented = (_where(task.items, group) for group in ("real", "invented"))
    # Both kinds count alike in what a probability means, whatever their number.
    even = np.where(real, 1 / real.sum(), 0.0) + np.where(invented, 1 / invented.sum(), 0.0)
    slope, offset = fit_line(scores, task.target, even * (real.sum() + invented.sum()) / 2)
    names = sign_names()
    line = Line(
        signs={name: _rounded(value) for name, value in zip(names, columns, strict=False)},
        bias=_rounded(columns[-1]),
        slope=_rounded(slope),
        offset=_rounded(offset),
    )
    chances = 1 / (1 + np.exp(-(slope * scores + offset)))
    return line, columns[len(names) : -1], chances


def _where(items: list[Item], group: str) -> Mask:
    """Return which items are of a group that figures are given for."""
    tests: dict[str, Callable[[Item], bool]] = {
        "invented": lambda item: item.origin in INVENTED,
        "invented, English": lambda item: item.origin in INVENTED and item.english,
        "invented, other languages": lambda item: item.origin in INVENTED and not item.english,
        "own": lambda item: item.origin == OWN,
        "real": lambda item: item.origin == REAL,
        "real, corrections": lambda item: item.origin == REAL and item.corrects,
    }
    return np.array([tests[group](item) for item in items])


GROUPS = (
    "invented", "invented, English", "invented, other languages", "own",
    "real", "real, corrections",
)  # fmt: skip


def best_cut(items: list[Item], chances: Matrix) -> float:
    """Return the lowest cut, in steps of 0.05, from which on both kinds are precise enough."""
    stands = np.array([item.stands for item in items])
    parts = [_where(items, group) for group in ("invented", "real")]
    steps = [at / 20 for at in range(6, 20)]
    good = {
        at: min(precision_recall(stands[m], chances[m] >= at)[0] for m in parts) >= LEAST_PRECISION
        for at in steps
    }
    return min(at for at in steps if all(good[later] for later in steps if at <= later <= at + 0.1))


def figures(items: list[Item], chances: Matrix, cut: float) -> dict[str, Any]:
    """Return what to expect of one set of weights, by group."""
    stands = np.array([item.stands for item in items])
    found: dict[str, Any] = {}
    for group in GROUPS:
        mask = _where(items, group)
        precision, recall, f1 = precision_recall(stands[mask], chances[mask] >= cut)
        found[group] = {
            "turns": int(mask.sum()),
            "standing": int(stands[mask].sum()),
            "average_precision": round(average_precision(stands[mask], chances[mask]), 3),
            "precision": round(precision, 3),
            "recall": round(recall, 3),
            "f1": round(f1, 3),
        }
    return found


def train_all(items: list[Item], embedder: Embedder, date: str) -> tuple[Facts, bytes, float]:
    """Train both sets; return the facts, the packed weights of vectors, and the cut."""
    signs = np.stack([signs_of(item.source) for item in items])
    vectors = embedder.embed([own_words(item.source.said) for item in items]).astype(np.float64)
    turns = np.array([item.origin != THEMES for item in items])
    mean = vectors[turns].mean(axis=0)
    alone, _, alone_chances = train(Task(items, signs, np.zeros((len(items), 0))))
    joined, vector, chances = train(Task(items, signs, vectors - mean))
    cut = best_cut(items, chances)
    facts = Facts(
        version=WEIGHTS_VERSION,
        features=standing_signs.VERSION,
        trained=date,
        space=embedder.space,
        data=dict(Counter(item.origin for item in items)),
        alone=alone,
        joined=joined,
        figures={
            "cut": cut,
            "alone": figures(items, alone_chances, cut),
            "joined": figures(items, chances, cut),
        },
    )
    return facts, pack(mean, vector), cut


def report(data: Path, embedder: Embedder) -> dict[str, Any]:
    """Return the shipped judge's figures on the labelled sample of the reporting set."""
    labels = _labels(REPORTED_LABELS)
    sure = [row for row in _rows(data / REPORTED / "turns.jsonl") if row["id"] in labels]
    sure = [row for row in sure if labels[row["id"]] != "unsure"]
    stands = np.array([labels[row["id"]] == "standing" for row in sure])
    sources = [_source(row, row["user"]) for row in sure]
    vectors = embedder.embed([own_words(source.said) for source in sources])
    found: dict[str, Any] = {}
    for how, given in (("alone", [None] * len(sure)), ("joined", list(vectors))):
        chances = np.array([standing.standing(*pair) for pair in zip(sources, given, strict=True)])
        said = chances >= standing.CUT
        found[how] = {
            "corrections": len(sure),
            "standing": int(stands.sum()),
            "said": int(said.sum()),
            "right": int((said & stands).sum()),
            "average_precision": round(average_precision(stands, chances), 3),
        }
    return found


def _rounded(value: float) -> float:
    return round(float(value), 4)


def main() -> int:
    """Train both sets; write them, or compare them with what is there."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/eval"))
    parser.add_argument("--date", help="the day that the weights are said to be of")
    parser.add_argument("--check", action="store_true", help="compare with the shipped weights")
    parser.add_argument("--report", action="store_true", help="judge the sample to report on")
    arguments = parser.parse_args()
    if arguments.report:
        print(report(arguments.data, open_embedder({})))
        return 0
    there = FOLDER / "standing.json"
    date = arguments.date or msgspec.json.decode(there.read_bytes(), type=Facts).trained
    facts, packed, cut = train_all(read_items(arguments.data), open_embedder({}), date)
    for how in ("alone", "joined"):
        for group, found in facts.figures[how].items():
            print(how, group, found)
    print("cut", cut)
    written: Any = msgspec.json.format(msgspec.json.encode(facts), indent=2)
    stale = ["CUT"] if cut != standing.CUT else []
    for file, content in {"standing.npz": packed, "standing.json": written + b"\n"}.items():
        if not arguments.check:
            (FOLDER / file).write_bytes(content)
        elif not (FOLDER / file).exists() or (FOLDER / file).read_bytes() != content:
            stale.append(file)
    if stale:
        print("not what training gives:", ", ".join(stale))
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
