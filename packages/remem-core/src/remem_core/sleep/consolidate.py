"""The pass that turns surprises into lessons: they join the lesson that they resemble most, or
make a new one (MEM-033). One correction is enough when it carries a standing wish; an error, an
admission or a passing remark must be said again on another occasion.
"""

import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from remem_core.lessons.changes import Change, revised
from remem_core.lessons.identity import lesson_id, words_hash
from remem_core.lessons.sources import Source, names_things
from remem_core.lessons.wording import narrowed, tell
from remem_core.linking.grouping import linkage
from remem_core.sleep.numbers import CAP, JOINED, PASSING
from remem_core.sleep.view import Block, Held, Likeness, Matrix, means
from remem_protocol import Lesson

Standing = Callable[[Source], bool]
ROUNDING = 1e-4  # beyond what is lost where rows of length 1 are rounded to float32
BAND = 512  # rows of a likeness that are held at once


def consolidate(
    blocks: Sequence[Block], alike: Likeness, standing: Standing, now: str
) -> Iterator[Change]:
    """Yield the changes of one kind, given its block of each project.

    CORROBORATE and REFINE of a project's lessons and CREATE of its new ones, project by project;
    then those of lessons that hold everywhere, for what was said in any project; then what was
    not enough in one project and was met in several.
    """
    everywhere = [held for block in blocks if block.project is None for held in block.lessons]
    general: dict[str, list[Source]] = {held.lesson.id: [] for held in everywhere}
    waiting: list[Source] = []
    for block in blocks:
        known = block.lessons if block.project is None else (*block.lessons, *everywhere)
        chosen = _joining(block.kind, known, block.fresh, alike, standing)
        for held in known:
            joined = [s for s in block.fresh if chosen.get(s.id) == held.lesson.id]
            if held.lesson.id in general:
                general[held.lesson.id] += joined
            else:
                yield from _joined(held, joined, alike, now)
        rest = [s for s in block.fresh if s.id not in chosen]
        for group in _groups(block.kind, rest, alike, standing):
            if _teaches(block.kind, group, standing):
                yield _created(block.kind, block.project, group, now)
            else:
                waiting += group
    for held in everywhere:
        yield from _joined(held, general[held.lesson.id], alike, now)
    yield from _met_in_several(sorted(waiting, key=lambda s: s.order), alike, standing, now)


def _met_in_several(
    waiting: Sequence[Source], alike: Likeness, standing: Standing, now: str
) -> Iterator[Change]:
    if not waiting:
        return
    kind = waiting[0].kind
    general = [s for s in waiting if not names_things(s)]
    for group in _groups(kind, general, alike, standing):
        if len({s.project for s in group}) > 1 and _occasions(group) > 1:
            yield _created(kind, None, group, now)


def _joining(
    kind: str,
    lessons: Sequence[Held],
    fresh: Sequence[Source],
    alike: Likeness,
    standing: Standing,
) -> dict[str, str]:
    """Return source → the lesson that it resembles most, of those that reach the cut.

    Each source is judged alone against what the lessons rested on before this night, so the order
    in which they came changes nothing (MEM-036). What wants the opposite does not join.
    """
    if not lessons or not fresh:
        return {}
    cut, chosen, known = alike.cut(kind), {}, means(lessons, alike)
    for start in range(0, len(fresh), BAND):
        part = fresh[start : start + BAND]
        for source, row in zip(part, _rows(kind, part, alike, standing) @ known.T, strict=True):
            best = int(np.argmax(row))
            held = lessons[best]
            if row[best] >= cut and not _contradicts(kind, held, source, alike):
                chosen[source.id] = held.lesson.id
    return chosen


def _contradicts(kind: str, held: Held, source: Source, alike: Likeness) -> bool:
    return kind == "correction" and alike.relation(held.said, source) == "contradicts"


def _joined(held: Held, joined: list[Source], alike: Likeness, now: str) -> Iterator[Change]:
    """Yield one CORROBORATE for those that say the same, one REFINE for each that narrows it."""
    narrowing = [
        s for s in joined if s.kind == "correction" and alike.relation(held.said, s) == "refines"
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


def _rows(kind: str, sources: Sequence[Source], alike: Likeness, standing: Standing) -> Matrix:
    """Return the rows of sources, those of passing remarks shorter, so that they link less.

    Never so short that the same words would not reach the cut (MEM-094).
    """
    passing = max(PASSING, math.sqrt(alike.cut(kind)) * (1 + ROUNDING))
    trust = [1.0 if kind != "correction" or standing(s) else passing for s in sources]
    rows: Matrix = alike.vectors(sources) * np.array(trust, np.float32)[:, None]
    return rows


def _groups(
    kind: str, rest: Sequence[Source], alike: Likeness, standing: Standing
) -> Iterator[list[Source]]:
    """Yield the themes of what joined nothing, each a group by average linkage."""
    rows = _rows(kind, rest, alike, standing)
    for group in linkage(rows, [1.0] * len(rest), alike.cut(kind)):
        theme = [rest[i] for i in group]
        yield from _agreeing(theme, alike) if kind == "correction" else [theme]


def _agreeing(theme: Sequence[Source], alike: Likeness) -> list[list[Source]]:
    """Part a theme, given by time, where a later wish takes back what an earlier one said."""
    parts: list[list[Source]] = []
    for source in theme:
        fits = [p for p in parts if alike.relation(p[-1], source) != "contradicts"]
        if fits:
            fits[0].append(source)
        else:
            parts.append([source])
    return parts


def _teaches(kind: str, group: Sequence[Source], standing: Standing) -> bool:
    return _occasions(group) > 1 or (kind == "correction" and any(map(standing, group)))


def _occasions(group: Sequence[Source]) -> int:
    return len({source.session or source.id for source in group})


def _created(kind: str, project: str | None, group: Sequence[Source], now: str) -> Change:
    founder = min(group, key=lambda s: s.order)
    text = tell(kind, group)
    lesson = Lesson(
        id=lesson_id(kind, project, founder.id),
        text=text,
        kind=kind,  # type: ignore[arg-type]
        project=project,
        strength=min(CAP, 1.0 + JOINED * (len(group) - 1)),
        seen=len(group),
        sources=tuple(s.id for s in sorted(group, key=lambda s: s.order)),
        created=now,
        updated=now,
        hash=words_hash(kind, text),
    )
    return Change(verb="CREATE", subject=lesson.id, at=now, after=(lesson,), why="new")
