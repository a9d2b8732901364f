"""Train the models that answer what the rules for admissions and failures leave open.

    python training/train_verdicts.py --data ../shared/eval --date 2026-11-29
    python training/train_verdicts.py --data ../shared/eval --check

The same data gives the same bytes. `--check` trains again and compares, writing nothing.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy: how work is split must not round

import msgspec
import numpy as np
from figures import precision_recall
from kernel import Bag, Matrix, fit
from numpy.typing import NDArray
from passages import HERE, Outcome, Reply, read_outcomes, read_replies

from remem_core.surprise.failures import ends, judge_call
from remem_core.surprise.judging import Blame, CuesAlone
from remem_core.surprise.model import texts
from remem_core.surprise.model.texts import Seen, see_outcome, see_passage
from remem_core.surprise.model.verdicts import Facts, Small, pack
from remem_core.surprise.statements import find_statement
from remem_protocol import Call

WEIGHTS_VERSION = 1
# How freely a block's weights may grow; found by cross-validation. The rules were written with
# the invented sets in view, where they are right more often than elsewhere: they are held down.
BAG_SCALES = {"words": 40.0, "output": 20.0, "command": 12.0}
RULE_SCALE, SIGN_SCALE, BIAS_SCALE = 0.3, 1.0, 4.0
# Replies that admit nothing are far more than half of a session's: precision goes before recall.
LEAST_PRECISION = 0.9
# An output that no rule knows is taken for a failure only where that is far likelier (7 to 1).
FINE_THRESHOLD = -2.0
FOLDER = Path(texts.__file__).parent
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Task:
    """The texts that one model learns from: what is seen of each, its label, its fold."""

    name: str
    seen: list[Seen]
    target: Matrix
    folds: list[str]
    sources: list[str]

    def kernel(self, bags: dict[str, Bag]) -> Matrix:
        """Return the sum of the blocks' kernels, each by its scale."""
        rules = np.stack([one.rules for one in self.seen])
        signs = np.stack([one.signs for one in self.seen])
        total = RULE_SCALE * (rules @ rules.T) + SIGN_SCALE * (signs @ signs.T) + BIAS_SCALE
        for name, bag in bags.items():
            total += BAG_SCALES[name] * bag.kernel()
        return total

    def train(self, facts: Facts) -> tuple[Small, Matrix]:
        """Return the model, and the scores of models that did not see a text's fold."""
        bags = {bag: Bag([one.bags[bag] for one in self.seen]) for bag in texts.BAGS[self.name]}
        kernel = self.kernel(bags)
        dual = fit(kernel, self.target, np.ones(len(self.target)))
        small = Small(
            facts=facts,
            bags={n: BAG_SCALES[n] * bag.weights(dual, texts.BUCKETS) for n, bag in bags.items()},
            rules=RULE_SCALE * (np.stack([one.rules for one in self.seen]).T @ dual),
            signs=SIGN_SCALE * (np.stack([one.signs for one in self.seen]).T @ dual),
            bias=BIAS_SCALE * float(dual.sum()),
        )
        return small, self._out_of_fold(kernel)

    def _out_of_fold(self, kernel: Matrix) -> Matrix:
        folds = np.array(self.folds)
        scores = np.zeros(len(folds))
        for fold in sorted(set(self.folds)):
            inside, left_out = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
            part = kernel[np.ix_(inside, inside)]
            dual = fit(part, self.target[inside], np.ones(len(inside)))
            scores[left_out] = kernel[np.ix_(left_out, inside)] @ dual
        return scores


def groups(sources: Sequence[str]) -> dict[str, Mask]:
    """Return what the figures are given for."""
    own = np.array([source == HERE for source in sources])
    return {"invented": ~own, "own": own}


def train_admissions(replies: list[Reply], date: str) -> Small:
    """Train the model for admissions; its threshold is the best with the rules before it."""
    admits = np.array([reply.admits for reply in replies])
    task = Task(
        "admissions",
        [see_passage(reply.words) for reply in replies],
        admits.astype(np.float64),
        [reply.fold for reply in replies],
        [reply.source for reply in replies],
    )
    small, scores = task.train(_facts(date, task.sources))
    ruled = np.array([find_statement(reply.text) is not None for reply in replies])
    scores = np.where([_is_asked(reply) for reply in replies], scores, -np.inf)
    parts = groups(task.sources)

    def worth(at: float) -> tuple[bool, float, float]:
        found = [precision_recall(admits[m], (ruled | (scores > at))[m]) for m in parts.values()]
        return min(f[0] for f in found) >= LEAST_PRECISION, sum(f[2] for f in found), at

    threshold = max((round(at / 10, 1) for at in range(-5, 16)), key=worth)
    figures = {
        f"{group}, {how}": _rounded(precision_recall(admits[mask], found[mask]))
        for group, mask in parts.items()
        for how, found in (
            ("rules", ruled),
            ("model", scores > threshold),
            ("both", ruled | (scores > threshold)),
        )
    }
    return _finished(small, threshold, figures)


class _Asks(CuesAlone):
    """The judge that says yes: what it finds is what the model is asked about."""

    def admits(self, words: str) -> bool:
        """Say yes."""
        return True


def _is_asked(reply: Reply) -> bool:
    return find_statement(reply.text, _Asks()) is not None


def train_outcome(
    name: str, calls: list[Outcome], asks: Callable[[str], bool], threshold: float, date: str
) -> tuple[Small, dict[str, float]]:
    """Train one model for calls; also return each call's score out of fold, by its place."""
    task = Task(
        name,
        [see_outcome(one.call, ends(one.call.result.text)) for one in calls],
        np.array([float(asks(one.label)) for one in calls]),
        [one.fold for one in calls],
        [one.source for one in calls],
    )
    small, scores = task.train(_facts(date, task.sources))
    right = (scores > threshold) == (task.target > 0)
    figures = {
        group: {"accuracy": round(float(right[mask].mean()), 3)}
        for group, mask in groups(task.sources).items()
    }
    by_call = {_key(one.call): float(score) for one, score in zip(calls, scores, strict=True)}
    return _finished(small, threshold, figures), by_call


@dataclass(frozen=True)
class LeftOut(CuesAlone):
    """The judge of calls that never saw the one it is asked about."""

    blame: dict[str, float]
    fine: dict[str, float]

    def fails(self, call: Call, text: str) -> bool:
        """Answer as a model that did not see the call's fold."""
        return self.fine.get(_key(call), 0.0) <= FINE_THRESHOLD

    def blames(self, call: Call, text: str) -> Blame:
        """Answer as a model that did not see the call's fold."""
        return "error" if self.blame.get(_key(call), 1.0) > 0 else "environment"


def train_outcomes(calls: list[Outcome], date: str) -> dict[str, Small]:
    """Train whose failure it is and whether it is one; `blame` holds the figures of both."""
    failed = [one for one in calls if one.label in ("error", "environment")]
    heard = [one for one in calls if one.label != "refused"]
    blame, blamed = train_outcome("blame", failed, lambda label: label == "error", 0.0, date)
    fine, fined = train_outcome("fine", heard, lambda label: label == "ok", FINE_THRESHOLD, date)
    figures = dict(blame.facts.figures)
    for how, judge in (("rules", CuesAlone()), ("both", LeftOut(blamed, fined))):
        right = np.array([judge_call(one.call, judge) == one.label for one in calls])
        for group, mask in groups([one.source for one in calls]).items():
            figures[f"{group}, {how}"] = {"accuracy": round(float(right[mask].mean()), 3)}
    return {"blame": _finished(blame, 0.0, figures), "fine": fine}


def _facts(date: str, sources: list[str]) -> Facts:
    return Facts(WEIGHTS_VERSION, texts.VERSION, date, dict(Counter(sources)), 0.0, {})


def _finished(small: Small, threshold: float, figures: dict[str, Any]) -> Small:
    return replace(
        small, facts=msgspec.structs.replace(small.facts, threshold=threshold, figures=figures)
    )


def _rounded(found: tuple[float, float, float]) -> dict[str, float]:
    return {name: round(f, 3) for name, f in zip(("precision", "recall", "f1"), found, strict=True)}


def _key(call: Call) -> str:
    return "\0".join((call.tool, call.description, call.input, call.result.text))


def main() -> int:
    """Train every model; write them, or compare them with what is there."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/eval"))
    parser.add_argument("--date", help="the day that the weights are said to be of")
    parser.add_argument("--check", action="store_true", help="compare with the shipped weights")
    arguments = parser.parse_args()
    there = FOLDER / "blame.json"
    date = arguments.date or msgspec.json.decode(there.read_bytes(), type=Facts).trained
    models = {"admissions": train_admissions(read_replies(arguments.data), date)}
    models |= train_outcomes(read_outcomes(arguments.data), date)
    stale = []
    for name, small in models.items():
        print(name, small.facts.threshold, msgspec.json.encode(small.facts.figures).decode())
        facts: Any = msgspec.json.format(msgspec.json.encode(small.facts), indent=2)
        for file, content in {f"{name}.npz": pack(small), f"{name}.json": facts + b"\n"}.items():
            if not arguments.check:
                (FOLDER / file).write_bytes(content)
            elif not (FOLDER / file).exists() or (FOLDER / file).read_bytes() != content:
                stale.append(file)
    if stale:
        print("not what training gives:", ", ".join(stale))
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
