"""The pass that turns surprises into lessons: they join the lesson that they resemble most, or
make a new one (MEM-033). One correction is enough when it carries a standing wish; an error, an
admission or a passing remark must be said again on another occasion.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from remem_core.lessons.changes import Change, revised
from remem_core.lessons.identity import lesson_id, words_hash
from remem_core.lessons.sources import Source
from remem_core.lessons.wording import narrowed, tell
from remem_core.sleep.grouping import BAND, average_linkage, linked_groups
from remem_core.sleep.numbers import CAP, JOINED
from remem_core.sleep.view import Block, Held, Likeness
from remem_protocol import Lesson

Standing = Callable[[Source], bool]


def consolidate(block: Block, alike: Likeness, standing: Standing, now: str) -> Iterator[Change]:
    """Yield CORROBORATE and REFINE of what is there, then CREATE of what is new."""
    chosen = _joining(block, alike)
    for held in block.lessons:
        joined = [s for s in block.fresh if chosen.get(s.id) == held.lesson.id]
        if joined:
            yield from _joined(held, joined, alike, now)
    rest = [s for s in block.fresh if s.id not in chosen]
    for group in _groups(block.kind, rest, alike):
        if _teaches(block.kind, group, standing):
            yield _created(block, group, now)


def _joining(block: Block, alike: Likeness) -> dict[str, str]:
    """Return source → the lesson that it resembles most, of those that reach the cut.

    Each source is judged alone against what the lessons rested on before this night, so the order
    in which they came changes nothing (MEM-036). What wants the opposite does not join.
    """
    if not block.lessons or not block.fresh:
        return {}
    cut, chosen = alike.cut(block.kind), {}
    shown = [held.shown for held in block.lessons]
    starts = np.cumsum([0] + [len(s) for s in shown[:-1]])
    everything = [source for part in shown for source in part]
    for start in range(0, len(block.fresh), BAND):
        part = block.fresh[start : start + BAND]
        sums = np.add.reduceat(alike.between(part, everything), starts, axis=1)
        for source, row in zip(part, sums / [len(s) for s in shown], strict=True):
            best = int(np.argmax(row))
            held = block.lessons[best]
            if row[best] >= cut and not _contradicts(block.kind, held, source, alike):
                chosen[source.id] = held.lesson.id
    return chosen


def _contradicts(kind: str, held: Held, source: Source, alike: Likeness) -> bool:
    return kind == "correction" and alike.relation(held.sources[-1], source) == "contradicts"


def _joined(held: Held, joined: list[Source], alike: Likeness, now: str) -> Iterator[Change]:
    """Yield one CORROBORATE for those that say the same, one REFINE for each that narrows it."""
    narrowing = [
        s
        for s in joined
        if s.kind == "correction" and alike.relation(held.sources[-1], s) == "refines"
    ]
    same = [s for s in joined if s not in narrowing]
    lesson = held.lesson
    if same:
        after = _stronger(lesson, same, now)
        yield _change("CORROBORATE", lesson, after, now, f"said again {len(same)}×")
        lesson = after
    for source in narrowing:
        text = narrowed(lesson.text, source)
        after = _stronger(lesson, [source], now, text=text, hash=words_hash(lesson.kind, text))
        yield _change("REFINE", lesson, after, now, f"narrowed by {source.id}")
        lesson = after


def _stronger(lesson: Lesson, sources: Sequence[Source], now: str, **told: str) -> Lesson:
    """Return a lesson that rests on more, and is in mind again if it had faded."""
    return revised(
        lesson,
        sources=(*lesson.sources, *(s.id for s in sources)),
        strength=min(CAP, lesson.strength + JOINED * len(sources)),
        updated=now,
        archived=None,
        **told,
    )


def _change(verb: str, before: Lesson, after: Lesson, now: str, why: str) -> Change:
    return Change(
        verb=verb,  # type: ignore[arg-type]
        subject=before.id,
        at=now,
        before=(before,),
        after=(after,),
        why=why,
    )


def _groups(kind: str, rest: Sequence[Source], alike: Likeness) -> Iterator[list[Source]]:
    """Yield the themes of what joined nothing, each a group by average linkage."""
    cut = alike.cut(kind)
    for rows in linked_groups(len(rest), lambda a, b: alike.between(rest[a], rest[b]), cut):
        linked = [rest[row] for row in rows]
        if len(linked) == 1:
            yield linked
            continue
        for group in average_linkage(alike.between(linked, linked), cut, [1] * len(linked)):
            yield [linked[i] for i in group]


def _teaches(kind: str, group: Sequence[Source], standing: Standing) -> bool:
    occasions = {source.session or source.id for source in group}
    if len(occasions) > 1:
        return True
    return kind == "correction" and any(map(standing, group))


def _created(block: Block, group: Sequence[Source], now: str) -> Change:
    founder = min(group, key=lambda s: s.order)
    text = tell(block.kind, group)
    lesson = Lesson(
        id=lesson_id(block.kind, block.project, founder.id),
        text=text,
        kind=block.kind,  # type: ignore[arg-type]
        project=block.project,
        strength=min(CAP, 1.0 + JOINED * (len(group) - 1)),
        seen=len(group),
        sources=tuple(s.id for s in sorted(group, key=lambda s: s.order)),
        created=now,
        updated=now,
        hash=words_hash(block.kind, text),
    )
    return Change(verb="CREATE", subject=lesson.id, at=now, after=(lesson,), why="new")
