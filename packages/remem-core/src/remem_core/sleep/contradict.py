"""The pass that closes a lesson whose opposite was said later on the same subject (MEM-014).

Same scope only: what one project wants does not close what holds everywhere, it narrows it there.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from remem_core.lessons.changes import Change, revised
from remem_core.sleep.view import Block, Held, Likeness

# The share of the cut from which two wishes are about one subject. On the labelled pairs of themes
# that finds half of the contradictions, 0.94 of what it finds rightly, and none among 600 pairs of
# two themes: a lesson closed wrongly is worse than one that stands beside its opposite.
SUBJECT = 0.8


def contradict(block: Block, alike: Likeness, now: str) -> Iterator[Change]:
    """Yield a CORRECT for each lesson that a later one of this night took back.

    `block.lessons` are living corrections of one scope; those with `updated` = now are new.
    """
    if block.kind != "correction":
        return
    changed = [held for held in block.lessons if held.lesson.updated == now]
    closed: set[str] = set()
    for newer in sorted(changed, key=lambda held: (held.latest, held.lesson.id), reverse=True):
        if newer.lesson.id in closed:
            continue
        for older in _opposed(newer, block.lessons, alike):
            if older.lesson.id not in closed:
                closed.add(older.lesson.id)
                yield _closed(older, newer, now)


def _opposed(newer: Held, lessons: Sequence[Held], alike: Likeness) -> Iterator[Held]:
    said = newer.said
    earlier = [held for held in lessons if held.latest < said.at]
    if not earlier:
        return
    near = alike.vectors([held.said for held in earlier]) @ alike.vectors([said])[0]
    for i in np.flatnonzero(near >= SUBJECT * alike.cut("correction")):
        if alike.relation(earlier[i].said, said) == "contradicts":
            yield earlier[i]


def _closed(older: Held, newer: Held, now: str) -> Change:
    lesson = older.lesson
    after = revised(lesson, valid_until=newer.said.at, superseded_by=newer.lesson.id, updated=now)
    return Change(
        verb="CORRECT",
        subject=lesson.id,
        at=now,
        before=(lesson,),
        after=(after,),
        why=f"the person later said the opposite: {newer.said.id}",
    )
