"""The pass that takes a theme apart whose sources no longer belong together."""

from collections.abc import Iterator, Sequence

from remem_core.lessons.changes import Change, revised
from remem_core.lessons.identity import lesson_id, words_hash
from remem_core.lessons.sources import Source
from remem_core.lessons.wording import tell
from remem_core.linking.grouping import linkage
from remem_core.sleep.numbers import APART, CAP, JOINED
from remem_core.sleep.view import Held, Likeness
from remem_protocol import Lesson


def split(held: Held, alike: Likeness, now: str) -> Iterator[Change]:
    """Yield a SPLIT when the sources fall into parts; the largest, then earliest, keeps the id.

    Words that the owner or a model put are left as they are.
    """
    lesson, sources = held.lesson, held.sources
    fewest = 1 if lesson.kind == "correction" else 2  # one error is no lesson (MEM-033)
    if len(sources) < 2 * fewest or lesson.wording != "quoted":
        return
    cut = APART * alike.cut(lesson.kind)
    groups = linkage(alike.vectors(sources), [1.0] * len(sources), cut)
    if len(groups) == 1 or min(map(len, groups)) < fewest:
        return
    groups.sort(key=lambda group: (-len(group), group))
    parts = [[sources[i] for i in group] for group in groups]
    made = [_part(lesson, part, i == 0, now) for i, part in enumerate(parts)]
    taken = {part.id for part in made}  # an old name of it that is a lesson again
    yield Change(
        verb="SPLIT",
        subject=lesson.id,
        at=now,
        before=(lesson, *(name for name in held.names if name.old in taken)),
        after=tuple(made),
        why=f"its sources say {len(parts)} things",
    )


def _part(lesson: Lesson, part: Sequence[Source], keeps: bool, now: str) -> Lesson:
    text = tell(lesson.kind, part)
    return revised(
        lesson,
        id=lesson.id if keeps else lesson_id(lesson.kind, lesson.project, part[0].id),
        text=text,
        hash=words_hash(lesson.kind, text),
        sources=tuple(s.id for s in part),
        strength=min(CAP, lesson.strength, 1.0 + JOINED * (len(part) - 1)),
        updated=now,
    )
