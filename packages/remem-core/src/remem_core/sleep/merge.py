"""The pass that joins lessons whose sources mean the same into one theme: in a project, then over
projects, where what holds in several holds everywhere (MEM-035: the old ids stay as aliases).
"""

from collections.abc import Iterator, Sequence

from remem_core.lessons.changes import Change, Kept, revised
from remem_core.lessons.identity import lesson_id, words_hash
from remem_core.lessons.sources import names_things
from remem_core.lessons.wording import tell
from remem_core.linking.grouping import linkage
from remem_core.sleep.numbers import CAP, JOINED
from remem_core.sleep.view import Held, Likeness, means
from remem_protocol import Alias, Lesson


def merge(lessons: Sequence[Held], alike: Likeness, now: str) -> Iterator[Change]:
    """Yield a MERGE for each group of living lessons of one kind and one scope that mean the same.

    They are given by id.
    """
    for group in _themes(lessons, alike):
        yield _merged(group, group[0].lesson.project, now)


def merge_over_projects(lessons: Sequence[Held], alike: Likeness, now: str) -> Iterator[Change]:
    """Yield a MERGE into a global lesson for each group that spans projects.

    One that names a project's things stays that project's. Groups of one project alone are left
    to `merge`.
    """
    general = [
        h for h in lessons if h.lesson.project is None or not any(map(names_things, h.sources))
    ]
    for group in _themes(general, alike):
        if len({h.lesson.project for h in group}) > 1:
            yield _merged(group, None, now)


def _themes(lessons: Sequence[Held], alike: Likeness) -> Iterator[list[Held]]:
    """Yield the groups of two and more by average linkage, none with two that are opposed."""
    lessons = [held for held in lessons if held.is_whole]  # the others can't be told anew
    if len(lessons) < 2:
        return
    cut = alike.cut(lessons[0].lesson.kind)
    for group in linkage(means(lessons, alike), [len(h.shown) for h in lessons], cut):
        theme = [lessons[i] for i in group]
        if len(theme) > 1 and not _opposed(theme, alike):
            yield theme


def _opposed(theme: Sequence[Held], alike: Likeness) -> bool:
    """Tell whether a later one of a theme wants the opposite of an earlier one."""
    if theme[0].lesson.kind != "correction":
        return False
    said = sorted((held.said for held in theme), key=lambda s: s.order)
    return any(
        alike.relation(older, newer) == "contradicts"
        for i, older in enumerate(said)
        for newer in said[i + 1 :]
    )


def _merged(group: Sequence[Held], project: str | None, now: str) -> Change:
    sources = sorted((s for held in group for s in held.sources), key=lambda s: s.order)
    lessons = [held.lesson for held in group]
    kept = _survivor(lessons, project, sources[0].id)
    text = tell(kept.kind, sources) if kept.wording == "quoted" else kept.text
    after = revised(
        kept,
        text=text,
        hash=words_hash(kept.kind, text),
        sources=tuple(s.id for s in sources),
        strength=max(
            min(CAP, 1.0 + JOINED * (len(sources) - 1)), *(each.strength for each in lessons)
        ),
        updated=now,
    )
    names = [name for held in group for name in held.names]
    gone = [*(name.old for name in names), *(each.id for each in lessons)]
    before: tuple[Kept, ...] = (*lessons, *names)
    return Change(
        verb="MERGE",
        subject=after.id,
        at=now,
        before=before,
        after=(after, *(Alias(old=old, new=after.id, at=now) for old in gone if old != after.id)),
        why=_why(lessons),
    )


def _why(lessons: Sequence[Lesson]) -> str:
    projects = {lesson.project for lesson in lessons if lesson.project is not None}
    where = f", in {len(projects)} projects" if len(projects) > 1 else ""
    return f"{len(lessons)} lessons mean the same{where}"


def _survivor(lessons: Sequence[Lesson], project: str | None, founder: str) -> Lesson:
    """Return the lesson whose id stays: the strongest, then the oldest, of the scope that it gets.

    Where there is none yet – several projects become one everywhere – the strongest with a new
    id, told by its quotes.
    """
    there = [lesson for lesson in lessons if lesson.project == project]
    best = min(there or lessons, key=lambda k: (-k.strength, k.created, k.id))
    if there:
        return best
    return revised(
        best, id=lesson_id(best.kind, project, founder), project=project, wording="quoted"
    )
