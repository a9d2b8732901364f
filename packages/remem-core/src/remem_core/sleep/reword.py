"""The pass that tells lessons anew: by a model, where the owner named one, or by their quotes."""

from collections.abc import Callable, Iterator, Sequence

from remem_core.lessons.changes import Change, revised
from remem_core.lessons.identity import words_hash
from remem_core.lessons.sources import Source
from remem_core.lessons.wording import tell
from remem_core.sleep.view import Held
from remem_protocol import Lesson

# A checked sentence for a lesson on its sources; None when its quotes are to stand.
Word = Callable[[Lesson, Sequence[Source]], str | None]


def reword(held: Held, word: Word | None, now: str, *, retell: bool) -> Iterator[Change]:
    """Yield a REWORD when a lesson is to be told otherwise.

    A model is asked for what is quoted and changed this night; with `retell` for each again, and
    what has no model's words is quoted anew. What the owner worded is left alone.
    """
    lesson = held.lesson
    if lesson.wording == "owner" or len(held.sources) < len(lesson.sources):
        return
    text, wording = lesson.text, lesson.wording
    if retell:
        text, wording = tell(lesson.kind, held.sources), "quoted"
    if word is not None and (retell or (lesson.wording == "quoted" and lesson.updated == now)):
        said = word(lesson, held.sources)
        text, wording = (text, wording) if said is None else (said, "model")
    if (text, wording) != (lesson.text, lesson.wording):
        after = revised(
            lesson, text=text, wording=wording, hash=words_hash(lesson.kind, text), updated=now
        )
        yield Change(
            verb="REWORD",
            subject=lesson.id,
            at=now,
            before=(lesson,),
            after=(after,),
            why=f"told by {'a model' if wording == 'model' else 'its quotes'}",
        )
