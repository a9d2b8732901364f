"""Which pass looks at what: the passes in their order, each a view and a clock in, changes out."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from remem_core.lessons.changes import Change
from remem_core.lessons.sources import Source
from remem_core.sleep.consolidate import consolidate
from remem_core.sleep.contradict import contradict
from remem_core.sleep.decay import decay
from remem_core.sleep.merge import merge, merge_over_projects
from remem_core.sleep.predict import predict
from remem_core.sleep.reading import LESSON_KINDS, View
from remem_core.sleep.reword import Word, reword
from remem_core.sleep.split import split
from remem_core.sleep.unwanted import Unwanted
from remem_core.sleep.verify import verify
from remem_core.sleep.view import Block, Likeness


@dataclass(frozen=True)
class Judges:
    """What the passes ask beside the view: how alike things are, what stands, what is vetoed."""

    alike: Likeness
    standing: Callable[[Source], bool]
    unwanted: Unwanted
    word: Word | None = None
    retell: bool = False


Decide = Callable[[View, Judges], Iterator[Change]]


def _decay(view: View, _: Judges) -> Iterator[Change]:
    yield from decay(view.fading(), view.living(), view.now)


def _consolidate(view: View, judges: Judges) -> Iterator[Change]:
    for kind in LESSON_KINDS:
        blocks = [_wanted(view.block(kind, project), judges) for project in view.projects(kind)]
        yield from consolidate(blocks, judges.alike, judges.standing, view.now)


def _wanted(block: Block, judges: Judges) -> Block:
    """Leave out what says again what the owner vetoed: it is not learned in other words."""
    if not judges.unwanted:
        return block
    return replace(block, fresh=tuple(s for s in block.fresh if not judges.unwanted.source(s)))


def _contradict(view: View, judges: Judges) -> Iterator[Change]:
    for project in view.projects("correction"):
        block = view.block("correction", project, fresh=False)
        yield from contradict(block, judges.alike, view.now)


def _merge(view: View, judges: Judges) -> Iterator[Change]:
    for kind in LESSON_KINDS:
        for project in view.projects(kind):
            block = view.block(kind, project, fresh=False)
            yield from merge(block.lessons, judges.alike, view.now)


def _merge_over_projects(view: View, judges: Judges) -> Iterator[Change]:
    for kind in LESSON_KINDS:
        yield from merge_over_projects(view.living(kind), judges.alike, view.now)


def _split(view: View, judges: Judges) -> Iterator[Change]:
    for held in view.living():
        yield from split(held, judges.alike, view.now)


def _reword(view: View, judges: Judges) -> Iterator[Change]:
    if judges.word is not None or judges.retell:
        for held in view.living():
            yield from reword(held, judges.word, view.now, retell=judges.retell)


def _verify(view: View, _: Judges) -> Iterator[Change]:
    yield from verify(view.unresolved(), view.worked, view.now)


def _predict(view: View, _: Judges) -> Iterator[Change]:
    open_ = {held.lesson.id for _, held in view.unresolved() if held is not None}
    yield from predict((h for h in view.living() if h.lesson.id not in open_), view.now)


PASSES: dict[str, Decide] = {
    "decay": _decay,
    "consolidate": _consolidate,
    "contradict": _contradict,
    "merge": _merge,
    "merge over projects": _merge_over_projects,
    "split": _split,
    "reword": _reword,
    "verify": _verify,
    "predict": _predict,
}
