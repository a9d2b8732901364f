"""Train the map and the relation's weights that linking ships, for each space of vectors.

python training/train_links.py --data ../shared/eval
python training/train_links.py --data ../shared/eval --check
"""

import argparse
import json
import os
import sys
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy: how work is split must not round

import numpy as np
from numpy.typing import NDArray

from remem_core.embed import Embedder, open_embedder
from remem_core.linking import metric, relation
from remem_core.linking.metric import Metric
from remem_core.linking.relation import RELATIONS, Weights, signs_of
from remem_core.linking.views import Item, embed_views

FOLDER = Path(metric.__file__).parent
Matrix = NDArray[np.float64]
SPACES = {"minilm": "onnx", "hashed": "hashed"}
DIRECTIONS, SHRINK, RIDGE = 100, 0.6, 30.0


def rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def learn_metric(views: Matrix, themes: list[str]) -> Metric:
    mean = views.mean(axis=0)
    _, of = np.unique(themes, return_inverse=True)
    centres = np.zeros((of.max() + 1, views.shape[1]))
    np.add.at(centres, of, views)
    counts = np.bincount(of)
    centres /= counts[:, None]
    apart = views - centres[of]
    within = apart.T @ apart / (len(views) - len(centres))
    size = len(mean)
    shrunk = (1 - SHRINK) * within + SHRINK * np.trace(within) / size * np.eye(size)
    whiten = np.linalg.cholesky(np.linalg.inv(shrunk))
    between = np.cov((centres - mean).T) - within / counts.mean()
    _, directions = np.linalg.eigh(whiten.T @ between @ whiten)
    projection = whiten @ directions[:, ::-1][:, :DIRECTIONS]
    return Metric(mean.astype(np.float32), projection.astype(np.float32))


def learn_relation(signs: Matrix, target: NDArray[np.intp]) -> Weights:
    mean, spread = signs.mean(axis=0), np.maximum(signs.std(axis=0), 1e-3)
    x = np.hstack([(signs - mean) / spread, np.ones((len(signs), 1))])
    y = np.eye(len(RELATIONS))[target]
    w = np.zeros((x.shape[1], len(RELATIONS)))
    ridge = np.diag([RIDGE] * (x.shape[1] - 1) + [0.01])
    bound = np.kron(0.5 * (np.eye(4) - 0.25), x.T @ x) + np.kron(np.eye(4), ridge)
    inverse = np.linalg.inv(bound)
    for _ in range(200):
        score = x @ w
        p = np.exp(score - score.max(axis=1, keepdims=True))
        p /= p.sum(axis=1, keepdims=True)
        slope = x.T @ (y - p) - ridge @ w
        w = w + (inverse @ slope.T.ravel()).reshape(4, -1).T
    return Weights(mean, spread, w[:-1].T, w[-1])


def train(data: Path, embedder: Embedder) -> tuple[bytes, bytes]:
    told, pairs = [], []
    for folder in sorted(path for path in (data / "themes").iterdir() if path.is_dir()):
        told += rows(folder / "themes.jsonl")
        pairs += rows(folder / "pairs.jsonl")
    items: list[Item] = [(row["text"], row["agent"]) for row in told]
    views = embed_views(items, embedder).astype(np.float64)
    learned = learn_metric(views, [row["theme"] for row in told])
    sides = [((p["a"]["text"], p["a"]["agent"]), (p["b"]["text"], p["b"]["agent"])) for p in pairs]
    both = embed_views([item for side in sides for item in side], embedder)
    signs = np.stack(
        [signs_of(a, b, both[2 * i : 2 * i + 2], learned) for i, (a, b) in enumerate(sides)]
    )
    target = np.array([RELATIONS.index(p["relation"]) for p in pairs])
    return metric.pack(learned), relation.pack(learn_relation(signs, target))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/eval"))
    parser.add_argument("--check", action="store_true", help="compare with what is shipped")
    arguments = parser.parse_args()
    stale = []
    for name, choice in SPACES.items():
        embedder = open_embedder({"REMEM_EMBED": choice})
        for file, packed in zip(
            (f"{name}.npz", f"{name}-relation.npz"), train(arguments.data, embedder), strict=True
        ):
            if not arguments.check:
                (FOLDER / file).write_bytes(packed)
            elif (FOLDER / file).read_bytes() != packed:
                stale.append(file)
    if stale:
        print("not what training gives:", ", ".join(stale))
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
