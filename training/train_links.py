"""Train the map and the relation's weights that linking ships, for each space of vectors.

    python training/train_links.py --data ../shared/eval --date 2026-11-30
    python training/train_links.py --data ../shared/eval --check

The same data gives the same bytes. `--check` trains again and compares, writing nothing.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy: how work is split must not round

import discriminant
import numpy as np
import relations
from discriminant import Told
from figures import average_precision
from numpy.typing import NDArray

from remem_core.embed import Embedder, open_embedder
from remem_core.linking import metric, relation
from remem_core.linking.grouping import group
from remem_core.linking.metric import Metric
from remem_core.linking.tongues import TONGUES
from remem_core.linking.views import Item, Vectors, embed_views

FOLDER = Path(metric.__file__).parent
SPACES = {"minilm": "onnx", "hashed": "hashed"}
# Two authors' folders are left out together. Each author has 90 wishes; a person has some dozens,
# so wrong pairs count as if there were WISHES.
FOLDS = ("pq", "rs", "tu")
WISHES = 40
LEAST_PRECISION = 0.85
# From how many linked pairs on a precision is believed, and the length of a row where none is.
LEAST_PAIRS, DISTRUST = 20, 0.5
EQUAL = 0.95  # the cut where none is precise: hardly more than equal texts are linked
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Labelled:
    """All that is learned from; the folder of each item and pair is its author."""

    items: list[Item]
    themes: list[str]
    authors: NDArray[np.str_]
    sides: list[tuple[Item, Item]]
    relations: list[str]
    pair_authors: NDArray[np.str_]


def read(data: Path) -> Labelled:
    """Read the themes and pairs; each pair a second time without what the agent did."""
    told: list[tuple[str, dict[str, Any]]] = []
    pairs: list[tuple[str, dict[str, Any]]] = []
    for folder in sorted(path for path in (data / "themes").iterdir() if path.is_dir()):
        told += [(folder.name, row) for row in _rows(folder / "themes.jsonl")]
        pairs += [(folder.name, row) for row in _rows(folder / "pairs.jsonl")]
    full = [((_item(p["a"])), _item(p["b"])) for _, p in pairs]
    bare = [((a[0], ""), (b[0], "")) for a, b in full]
    return Labelled(
        [_item(row) for _, row in told],
        [row["theme"] for _, row in told],
        np.array([author for author, _ in told]),
        full + bare,
        [p["relation"] for _, p in pairs] * 2,
        np.array([author for author, _ in pairs] * 2),
    )


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    yield from (json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip())


def _item(row: dict[str, str]) -> Item:
    return row["text"], row["agent"]


@dataclass(frozen=True)
class Pairs:
    """Pairs of one author's items: scores, whether they are of one theme, their tongue or -1."""

    score: NDArray[np.float64]
    same: Mask
    tongue: NDArray[np.intp]


def pairs_of(told: Told, authors: NDArray[np.str_], rows: Vectors) -> Pairs:
    """Return all pairs within an author."""
    parts = []
    for author in sorted(set(authors)):
        own = np.flatnonzero(authors == author)
        left, right = np.triu_indices(len(own), 1)
        tongues, themes = told.tongues[own], told.themes[own]
        scores = (rows[own] @ rows[own].T)[left, right].astype(np.float64)
        alike = np.where(tongues[left] == tongues[right], tongues[left], -1)
        parts.append((scores, themes[left] == themes[right], alike))
    return Pairs(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def cut_of(pairs: Pairs, mask: Mask, precision: float = LEAST_PRECISION) -> float | None:
    """Return the lowest score from which on pairs are that precise, None when there is none."""
    order = np.flatnonzero(mask)[np.argsort(-pairs.score[mask], kind="stable")]
    hits = np.cumsum(pairs.same[order])
    wrong = np.arange(1, len(order) + 1) - hits
    precise = hits / np.maximum(hits + wrong * (WISHES - 1) / 89, 1e-9) >= precision
    good = np.flatnonzero(precise & (np.arange(1, len(order) + 1) >= LEAST_PAIRS))
    return float(pairs.score[order[good[-1]]]) if len(good) else None


def trusts(pairs: Pairs) -> tuple[NDArray[np.float32], float]:
    """Return the length of each tongue's rows, so that English's cut means the same for all."""
    english = cut_of(pairs, pairs.tongue == 0)
    if english is None:
        return np.ones(len(TONGUES), dtype=np.float32), EQUAL
    out = np.full(len(TONGUES), DISTRUST, dtype=np.float32)
    out[0] = 1
    for at in range(1, len(TONGUES)):
        own = cut_of(pairs, pairs.tongue == at)
        if own is not None:
            out[at] = min(1.0, float(np.sqrt(english / own)))
    return out, english


def train(
    labelled: Labelled, embedder: Embedder
) -> tuple[Metric, relation.Weights, dict[str, Any]]:
    """Train one space's map and weights; also return what cross-validation says of them."""
    views = embed_views(labelled.items, embedder).astype(np.float64)
    told = discriminant.see(labelled.items, views, labelled.themes)
    sides = embed_views([item for side in labelled.sides for item in side], embedder)
    rows = np.zeros((len(views), discriminant.DIRECTIONS), dtype=np.float32)
    answers = [""] * len(labelled.sides)
    for fold in FOLDS:
        out = np.isin(labelled.authors, list(fold))
        learned = discriminant.learn(told.part(~out))
        own = [item for item, is_out in zip(labelled.items, out, strict=True) if is_out]
        # What was learned alone: the words as they stand only fill what trust leaves.
        mapped = learned.map(own, views[out].astype(np.float32))
        rows[out] = mapped[:, : discriminant.DIRECTIONS]
        signs, words = relations.see(labelled.sides, sides, learned)
        left = np.isin(labelled.pair_authors, list(fold))
        known = [r for r, is_out in zip(labelled.relations, left, strict=True) if not is_out]
        weights = relations.learn(signs[~left], words[~left], known)
        got = relations.answers(signs[left], words[left], weights)
        for at, answer in zip(np.flatnonzero(left), got, strict=True):
            answers[at] = answer
        print(fold, flush=True)
    trust, cut = trusts(pairs_of(told, labelled.authors, rows))
    rows *= trust[told.tongues][:, None]
    shipped = replace(discriminant.learn(told), trust=trust)
    signs, words = relations.see(labelled.sides, sides, shipped)
    figures = summary(labelled, told, rows, cut) | relation_figures(labelled, answers)
    return shipped, relations.learn(signs, words, labelled.relations), figures


def summary(labelled: Labelled, told: Told, rows: Vectors, cut: float) -> dict[str, Any]:
    """Return what the scores of models that didn't see an item's author are worth."""
    pairs = pairs_of(told, labelled.authors, rows)
    linked = pairs.score >= cut
    hits = float((pairs.same & linked).sum())
    wrong = float(linked.sum()) - hits
    out: dict[str, Any] = {
        "cut": round(cut, 4),
        "precision among 90 wishes": round(hits / max(1.0, hits + wrong), 3),
        f"precision among {WISHES}": round(hits / max(1.0, hits + wrong * (WISHES - 1) / 89), 3),
        "recall": round(hits / float(pairs.same.sum()), 3),
        "ap": {},
        "b3": {},
    }
    for author in sorted(set(labelled.authors)):
        own = np.flatnonzero(labelled.authors == author)
        one = pairs_of(told.part(labelled.authors == author), labelled.authors[own], rows[own])
        groups = group([labelled.items[at] for at in own], rows[own], cut)
        out["ap"][author] = round(average_precision(one.same, one.score), 3)
        out["b3"][author] = b_cubed(told.themes[own], groups)
    return out


def b_cubed(themes: NDArray[np.str_], groups: list[list[int]]) -> dict[str, float]:
    """Return B-cubed precision, recall and F1."""
    precision, recall = [], []
    for members in groups:
        for at in members:
            shared = float((themes[members] == themes[at]).sum())
            precision.append(shared / len(members))
            recall.append(shared / float((themes == themes[at]).sum()))
    p, r = float(np.mean(precision)), float(np.mean(recall))
    return {"precision": round(p, 3), "recall": round(r, 3), "f1": round(2 * p * r / (p + r), 3)}


def relation_figures(labelled: Labelled, answers: Sequence[str]) -> dict[str, Any]:
    """Return F1 by relation, with what the agent did and without."""
    half = len(answers) // 2
    parts = {"relations": slice(0, half), "relations, words alone": slice(half, None)}
    return {
        name: {
            key: round(value, 3)
            for key, value in relations.f1_by_relation(
                labelled.relations[part], answers[part]
            ).items()
        }
        for name, part in parts.items()
    }


def main() -> int:
    """Train every space; write, or compare with what is there."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/eval"))
    parser.add_argument("--check", action="store_true", help="compare with what is shipped")
    parser.add_argument("--date", default="", help="the day that the map is said to be of")
    parser.add_argument("--space", choices=SPACES, action="append", help="one only; default all")
    arguments = parser.parse_args()
    labelled, stale = read(arguments.data), []
    for name in arguments.space or SPACES:
        there = FOLDER / f"{name}.json"
        date = arguments.date or json.loads(there.read_text("utf-8"))["trained"]
        learned, weights, figures = train(labelled, open_embedder({"REMEM_EMBED": SPACES[name]}))
        told = json.dumps({"trained": date, **figures}, indent=1) + "\n"
        print(name, told)
        made = {
            f"{name}.npz": metric.pack(learned),
            f"{name}-relation.npz": relation.pack(weights),
            f"{name}.json": told.encode(),
        }
        for file, content in made.items():
            if not arguments.check:
                (FOLDER / file).write_bytes(content)
            elif not (FOLDER / file).exists() or (FOLDER / file).read_bytes() != content:
                stale.append(file)
    if stale:
        print("not what training gives:", ", ".join(stale))
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
