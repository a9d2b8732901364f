"""Train the judgement of which lessons bear on a moment.

    python training/train_prime.py --data ../shared/eval --date 2026-11-30
    python training/train_prime.py --data ../shared/eval --check

The same data gives the same bytes. `--check` trains again and compares, writing nothing. With
`--report` the cross-validated figures are printed.
"""

import argparse
import math
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy: how work is split must not round

import msgspec
import numpy as np
from logistic import fit
from moments_file import Example, Written, at_hand, examples, read_trades
from moments_given import Themes, read_families, read_scenes, read_themes
from numpy.typing import NDArray
from prime_figures import Scored, figures_of
from prime_stances import train_stances

from remem_core.embed import Embedder, open_embedder
from remem_core.prime import scales as shipped
from remem_core.prime.features import Features
from remem_core.prime.judge import group_of, measure_all
from remem_core.prime.meaning import Meaning, lesson_parts
from remem_core.prime.moment import Corrected
from remem_core.prime.scales import Facts, Group, Mode, Scale
from remem_core.prime.weights import Matrix, Vectors, pack
from remem_core.prime.wording import stems

VERSION = 1
FOLDER = Path(shipped.__file__).parent / shipped.FOLDER
AT_HAND, DRAWS = 6, 2  # lessons at hand with an invented moment, and how often they are drawn
INVENTED = 0.5  # what an invented moment counts beside a given one: it is drawn twice
SCENES = "scene"
# How little a weight may grow: found by cross-validation, the same for all that reads words.
RIDGE: dict[Group, float] = {"prompt": 200.0, "tool": 100.0, "handback": 100.0, "error": 20.0}
CALM = 1e-3
# Which of the vectors' measures a group uses; the structure is always used.
NEAR = ("near said 0", "near did 0", "near both 0", "ahead said 0", "ahead did 0", "ahead both 0")
WHOLE = tuple(name.replace(" 0", " 1") for name in NEAR)
STANCED = ("crosses", "wants")
# How sure one must be to say a lesson: about where precision out of fold reaches what recall
# pays for. By words alone it is the fallback of a hook that has no time: surer.
SURE: dict[Mode, float] = {"vectors": 0.6, "words": 0.75}
FURTHER = 1.0  # log-odds that a second lesson of a moment needs beyond the cut
BACKGROUND = 4  # every fourth theme


class Remembered:
    """An embedder that keeps what it has embedded: folds ask for the same texts."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, NDArray[np.float32]] = {}
        self.space = embedder.space
        self.dimensions = embedder.dimensions

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector a text."""
        missing = sorted({t for t in texts if t not in self._known}, key=lambda t: (len(t), t))
        for start in range(0, len(missing), 16):
            part = missing[start : start + 16]
            self._known.update(zip(part, self._embedder.embed(part), strict=True))
        return np.stack([self._known[text] for text in texts])


@dataclass(frozen=True)
class Pair:
    """A moment and a lesson, measured."""

    example: int
    lesson: int
    group: Group
    fold: str
    bears: bool
    measured: Features


def rarity_of(trades: dict[str, list[Written]], themes: Themes) -> dict[str, float]:
    """Return how rare each word is among corrections that were invented."""
    texts = [f"{said} {did}" for theme in themes.values() for said, did in theme]
    for lesson in (one for written in trades.values() for one in written):
        texts += [f"{s.said} {s.agent_did}" for s in lesson.sources if isinstance(s, Corrected)]
    counts: dict[str, int] = {}
    for text in texts:
        for word in stems(text):
            counts[word] = counts.get(word, 0) + 1
    return {
        word: round(float(np.log((len(texts) + 1) / (count + 1))), 1)
        for word, count in sorted(counts.items())
        if count > 1
    }


def background_of(themes: Themes, embedder: Embedder) -> Matrix:
    """Return the vectors of some corrections in all their parts: shape (parts, n, d)."""
    rows = [lesson_parts(*theme[0]) for theme in list(themes.values())[::BACKGROUND]]
    parts = [embedder.embed([row[part] for row in rows]) for part in range(3)]
    return np.stack(parts).astype(np.float64)


def measure_listed(
    listed: list[Example], vectors: dict[str, Vectors], embedder: Embedder, rare: dict[str, float]
) -> list[Pair]:
    """Measure every moment with each of its lessons; what is unknown is left out."""
    meanings = {fold: Meaning(embedder, one) for fold, one in vectors.items()}
    found = []
    for number, example in enumerate(listed):
        meaning = meanings.get(example.trade, meanings[""])
        measured, _ = measure_all(example.moment, example.lessons, rare, meaning)
        for n, found_of_it in measured.items():
            bears = example.bears[n]
            if bears is not None:
                group = group_of(example.moment, example.lessons[n])
                found.append(Pair(number, n, group, example.trade, bears, found_of_it))
    return found


def names_of(pairs: list[Pair], group: Group, mode: Mode) -> list[str]:
    """Return the measures that a group's weighted sum uses, in the order of the alphabet."""
    names = set().union(*(pair.measured for pair in pairs if pair.group == group))
    vectors = {n for n in names if n.split()[0] in ("near", "ahead", "wants", "crosses")}
    wanted: set[str] = set()
    if mode == "vectors" and group != "error":
        wanted = vectors & {*NEAR, *(WHOLE if group == "handback" else ())}
        if group == "handback":
            wanted |= {n for n in vectors if n.split()[0] in STANCED}
    return sorted((names - vectors) | wanted)


def train_group(
    pairs: list[Pair], group: Group, mode: Mode
) -> tuple[dict[str, float], float, list[Scored]]:
    """Return a group's weights and bias, and every pair scored by what did not see its fold."""
    mine = [pair for pair in pairs if pair.group == group]
    names = names_of(pairs, group, mode)
    raw = np.array([[pair.measured.get(name, 0.0) for name in names] for pair in mine])
    middle, spread = raw.mean(axis=0), raw.std(axis=0) + 1e-6
    inputs = (raw - middle) / spread
    target = np.array([float(pair.bears) for pair in mine])
    counts = np.array([1.0 if pair.fold.startswith(SCENES) else INVENTED for pair in mine])
    folds = np.array([pair.fold for pair in mine])
    scores = np.zeros(len(mine))
    for fold in sorted(set(folds)):
        seen, left_out = folds != fold, folds == fold
        part = fit(inputs[seen], target[seen], counts[seen], RIDGE[group])
        scores[left_out] = inputs[left_out] @ part[:-1] + part[-1]
    # Ridge holds scores back: what did not see a fold says by how much they may be stretched.
    slope, offset = fit(scores[:, None], target, counts, CALM)
    scores = slope * scores + offset
    final = slope * fit(inputs, target, counts, RIDGE[group])
    weights = {n: float(w) for n, w in zip(names, final[:-1] / spread, strict=True)}
    bias = float(final[-1] - (final[:-1] / spread) @ middle + offset)
    scored = [
        Scored(p.example, p.lesson, float(s), p.bears) for p, s in zip(mine, scores, strict=True)
    ]
    return weights, bias, scored


def train_mode(
    pairs: list[Pair], listed: list[Example], mode: Mode
) -> tuple[dict[Group, Scale], dict[str, Any]]:
    """Return the weighted sums of a mode and their cross-validated figures."""
    scales: dict[Group, Scale] = {}
    above: list[Scored] = []
    for group in RIDGE:
        weights, bias, scored = train_group(pairs, group, mode)
        cut = math.log(SURE[mode] / (1.0 - SURE[mode]))
        rounded = {name: round(weight, 4) for name, weight in weights.items()}
        scales[group] = Scale(rounded, round(bias, 4), round(cut, 3), FURTHER)
        above += [Scored(s.example, s.lesson, s.score - cut, s.bears) for s in scored]
    given = [e.trade.startswith(SCENES) for e in listed]
    return scales, {
        "given": figures_of(above, listed, given, FURTHER),
        "invented": figures_of(above, listed, [not one for one in given], FURTHER),
    }


def train(data: Path, date: str) -> dict[str, bytes]:
    """Return the files of the weights."""
    embedder = Remembered(open_embedder({}))
    trades, themes = read_trades(), read_themes(data)
    scenes = read_scenes(data)
    written = [e for lessons in trades.values() for e in examples(lessons)]
    listed = [at_hand(e, AT_HAND, seed) for e in written for seed in range(DRAWS)] + scenes
    rare = rarity_of(trades, themes)
    background = background_of(themes, embedder)
    stances = train_stances(trades, themes, read_families(), embedder)
    vectors = {fold: Vectors(background, *pair) for fold, pair in stances.items()}
    pairs = measure_listed(listed, vectors, embedder, rare)
    trained = {mode: train_mode(pairs, listed, mode) for mode in SURE}
    facts = Facts(
        version=VERSION,
        space=embedder.space,
        trained=date,
        data={
            "invented moments": len(written),
            "given moments": len(scenes),
            "themes": len(themes),
        },
        scales={mode: scales for mode, (scales, _) in trained.items()},
        figures={mode: figures for mode, (_, figures) in trained.items()},
    )
    return {
        "prime.json": msgspec.json.format(msgspec.json.encode(facts), indent=1) + b"\n",
        "prime.npz": pack(vectors[""]),
        "rarity.json": msgspec.json.encode(rare) + b"\n",
    }


def main() -> int:
    """Train and write, or train and compare."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--date", default="")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--report", action="store_true")
    arguments = parser.parse_args()
    there = FOLDER / "prime.json"
    date = arguments.date or msgspec.json.decode(there.read_bytes(), type=Facts).trained
    made = train(arguments.data, date)
    if arguments.report:
        print(
            msgspec.json.format(
                msgspec.json.encode(msgspec.json.decode(made["prime.json"])["figures"])
            ).decode()
        )
    if arguments.check:
        stale = [name for name, held in made.items() if (FOLDER / name).read_bytes() != held]
        print(f"differs: {', '.join(stale)}" if stale else "the weights are what the data gives")
        return 1 if stale else 0
    for name, held in made.items():
        (FOLDER / name).write_bytes(held)
    return 0


if __name__ == "__main__":
    sys.exit(main())
