"""Each pass of sleep as a pure function: sources and a clock in, changes out."""

import random
import zlib
from collections.abc import Sequence

import numpy as np
import pytest

from remem_core.lessons import verbs
from remem_core.lessons.changes import Change, lessons_of, revised
from remem_core.lessons.sources import Source
from remem_core.sleep.consolidate import consolidate
from remem_core.sleep.contradict import contradict
from remem_core.sleep.decay import Fading, decay, faded_strength
from remem_core.sleep.merge import merge, merge_over_projects
from remem_core.sleep.predict import predict
from remem_core.sleep.split import split
from remem_core.sleep.verify import verify
from remem_core.sleep.view import Block, Held, Matrix, Relation
from remem_protocol import Alias, Lesson, Prediction, content_id

NOW = "2026-05-01T03:00:00.000000Z"
NOT = {"not", "never", "no"}


def words(source: Source) -> set[str]:
    """Return a source's words without its negations."""
    return set(f"{source.said} {source.tool}".lower().replace(",", "").split()) - NOT


class SharedWords:
    """A likeness that a reader can compute, so that these stories are about the passes alone.

    Alike is who shares words; opposed, who shares them and denies; a narrowing says `here`.
    """

    def cut(self, kind: str) -> float:
        return 0.7

    def vectors(self, sources: Sequence[Source]) -> Matrix:
        """Return unit rows of the words that are there: their product is the cosine of words."""
        rows = np.zeros((len(sources), 512), np.float32)
        for row, source in zip(rows, sources, strict=True):
            row[[zlib.crc32(word.encode()) % 512 for word in words(source)]] = 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1)

    def relation(self, older: Source, newer: Source) -> Relation:
        if _jaccard(words(older), words(newer)) < 0.5:
            return "unrelated"
        if _denies(older) != _denies(newer):
            return "contradicts"
        return "refines" if "here" in newer.said else "same"


def _denies(source: Source) -> bool:
    return bool(NOT & set(source.said.lower().split()))


def _jaccard(a: set[str], b: set[str]) -> float:
    return len(a & b) / len(a | b) if a | b else 0.0


ALIKE = SharedWords()


def day(n: int) -> str:
    return f"2026-04-{n:02d}T10:00:00.000000Z"


def said(
    words: str, at: int = 1, *, kind: str = "correction", project: str | None = "p", **more: str
) -> Source:
    """Return something that was said (or failed) on a day of April, in a session of its own."""
    id_ = content_id("test/source", [words, str(at), project, kind])
    session = more.pop("session", f"s{at}")
    return Source(id_, kind, day(at), project, session, said=words, did="", **more)


def night(
    fresh: Sequence[Source], lessons: Sequence[Held] = (), *, standing: bool = True
) -> list[Change]:
    kind = (fresh or lessons[0].sources)[0].kind
    project = (fresh or lessons[0].sources)[0].project
    block = Block(
        kind,
        project,
        tuple(sorted(lessons, key=lambda h: h.lesson.id)),
        tuple(sorted(fresh, key=lambda s: s.order)),
    )
    changes = list(consolidate([block], ALIKE, lambda _: standing, NOW))
    for change in changes:
        _check(change, [*fresh, *(s for h in lessons for s in h.sources)])
    return changes


def _check(change: Change, sources: Sequence[Source]) -> None:
    """Every change that a pass makes is one that the write path would take."""
    verbs.check(change, {source.id: source for source in sources})


def held(*sources: Source) -> Held:
    """Return the lesson that a night would make of sources that belong together."""
    (change,) = night(sources)
    return Held(next(iter(lessons_of(change.after).values())), sources)


def test_one_correction_with_a_standing_wish_is_enough() -> None:
    (change,) = night([said("never push to main")])
    assert change.verb == "CREATE"
    (lesson,) = lessons_of(change.after).values()
    assert "“never push to main”" in lesson.text
    assert lesson.seen == 1
    assert lesson.strength == 1.0


def test_a_passing_remark_waits_until_it_is_said_on_another_occasion() -> None:
    assert night([said("the other file please")], standing=False) == []
    once = [said("the other file", session="s"), said("The other file", session="s")]
    assert night(once, standing=False) == []
    twice = [said("the other file", 1), said("The other file", 2)]
    assert [c.verb for c in night(twice, standing=False)] == ["CREATE"]


def test_the_same_words_mean_the_same_in_passing_too_wherever_the_cut_is(monkeypatch) -> None:
    monkeypatch.setattr(SharedWords, "cut", lambda self, kind: 0.99)
    twice = [said("the other file", 1), said("The other file", 2)]
    assert [c.verb for c in night(twice, standing=False)] == ["CREATE"]


def test_a_lesson_whose_sources_are_elsewhere_is_known_by_its_words() -> None:
    lesson = held(said("run the tests first")).lesson
    far = Held(revised(lesson, text="run the tests first", trust="candidate", strength=0.5), ())
    block = Block("correction", "p", (far,), (said("run the tests first", 2), said("use tabs", 3)))
    joined, new = consolidate([block], ALIKE, lambda _: True, NOW)
    assert (joined.verb, new.verb) == ("CORROBORATE", "CREATE")
    assert lessons_of(joined.after)[lesson.id].seen == 2
    assert list(merge([far, held(said("run the tests first", 4))], ALIKE, NOW)) == []
    (made,) = predict([far], NOW)
    assert made.verb == "PREDICT"


@pytest.mark.parametrize("kind", ["error", "surprise"])
def test_an_error_or_an_admission_must_repeat(kind: str) -> None:
    first, second = (said("fatal: no such remote", at, kind=kind, tool="Bash") for at in (1, 2))
    assert night([first]) == []
    (change,) = night([first, second])
    assert lessons_of(change.after).popitem()[1].seen == 2


def test_what_is_said_again_joins_and_changes_no_word() -> None:
    known = held(said("run the tests first"))
    (change,) = night([said("run the tests first please", 2)], [known])
    assert change.verb == "CORROBORATE"
    (after,) = lessons_of(change.after).values()
    assert after.text == known.lesson.text
    assert after.seen == 2
    assert after.strength == 1.5


def test_a_narrowing_keeps_the_old_text_and_quotes_the_new() -> None:
    known = held(said("use uv for everything"))
    (change,) = night([said("use uv for everything here", 2)], [known])
    assert change.verb == "REFINE"
    (after,) = lessons_of(change.after).values()
    assert after.text.startswith(known.lesson.text)
    assert "“use uv for everything here”" in after.text


def test_the_opposite_does_not_join_and_closes_the_older() -> None:
    known, opposite = held(said("commit after each step")), said("never commit after each step", 9)
    (created,) = night([opposite], [known])
    assert created.verb == "CREATE"
    new = Held(next(iter(lessons_of(created.after).values())), (opposite,))
    (closed,) = contradict(Block("correction", "p", (known, new)), ALIKE, NOW)
    _check(closed, [])
    assert closed.verb == "CORRECT"
    (old,) = lessons_of(closed.after).values()
    assert (old.id, old.text) == (known.lesson.id, known.lesson.text)
    assert (old.valid_until, old.superseded_by) == (day(9), new.lesson.id)


def test_an_older_opposite_closes_nothing() -> None:
    newer, older = (
        held(said("commit after each step", 9)),
        held(said("never commit after each step")),
    )
    assert [
        c.subject for c in contradict(Block("correction", "p", (newer, older)), ALIKE, NOW)
    ] == [older.lesson.id]


def test_a_lesson_that_had_faded_is_in_mind_again_when_it_is_said_again() -> None:
    known = held(said("run the tests first"))
    faded = Held(revised(known.lesson, archived=NOW), known.sources)
    (change,) = night([said("run the tests first", 2)], [faded])
    assert lessons_of(change.after)[known.lesson.id].archived is None


def test_the_order_of_what_came_in_changes_nothing() -> None:
    wishes = [
        said(f"{what} tests first", at) for at, what in enumerate("run do try the".split(), 1)
    ]
    wishes += [said("never push to main", 7), said("no push to main", 8), said("plain words", 9)]
    expected = night(wishes)
    for seed in range(20):
        random.Random(seed).shuffle(wishes)
        assert night(wishes) == expected


def test_lessons_that_mean_the_same_become_one_and_keep_their_names() -> None:
    first, second = held(said("run the tests first", 1)), held(said("run the tests first now", 2))
    old = Alias(old=content_id("test", ["old"]), new=second.lesson.id, at=NOW)
    named = Held(second.lesson, second.sources, (old,))
    (change,) = merge([first, named], ALIKE, NOW)
    _check(change, [*first.sources, *second.sources])
    (after,) = lessons_of(change.after).values()
    assert set(after.sources) == {s.id for s in (*first.sources, *second.sources)}
    names = {record.old: record.new for record in change.after if isinstance(record, Alias)}
    gone = {first.lesson.id, second.lesson.id} - {after.id}
    assert names == dict.fromkeys((*gone, old.old), after.id)


def test_opposites_are_never_one_theme() -> None:
    pair = [held(said("push to main", 1)), held(said("never push to main", 2))]
    assert list(merge(pair, ALIKE, NOW)) == []


def test_what_holds_in_two_projects_holds_everywhere() -> None:
    here, there = (held(said("run the tests first", project=name)) for name in ("p", "q"))
    (change,) = merge_over_projects([here, there], ALIKE, NOW)
    _check(change, [*here.sources, *there.sources])
    (after,) = lessons_of(change.after).values()
    assert after.project is None
    assert after.seen == 2


def test_what_names_a_projects_things_stays_there() -> None:
    pair = [held(said("leave src/api/routes.py alone", project=name)) for name in ("p", "q")]
    assert list(merge_over_projects(pair, ALIKE, NOW)) == []


def test_a_theme_falls_apart_where_its_sources_do() -> None:
    whole = held(said("run the tests first", 1), said("run the tests first please", 2))
    third = said("keep answers short", 3)
    broken = Held(
        revised(whole.lesson, sources=(*whole.lesson.sources, third.id)), (*whole.sources, third)
    )
    (change,) = split(broken, ALIKE, NOW)
    _check(change, broken.sources)
    parts = lessons_of(change.after)
    assert parts[whole.lesson.id].seen == 2
    assert sorted(part.seen for part in parts.values()) == [1, 2]
    assert list(split(whole, ALIKE, NOW)) == []


def test_strength_halves_in_forty_five_days_and_what_faded_is_archived() -> None:
    assert faded_strength(1.0, "2026-01-01T00:00:00.000000Z", "2026-02-15T00:00:00.000000Z") == 0.5
    assert faded_strength(1.0, "2026-03-01T00:00:00.000000Z", "2026-02-15T00:00:00.000000Z") == 1.0
    old, young = content_id("e", ["old"]), content_id("e", ["young"])
    fading = [
        Fading(young, 1.0, "2025-12-30T03:00:00.000000Z"),
        Fading(old, 1.0, "2025-12-28T03:00:00.000000Z"),
    ]
    (change,) = decay(fading, [], NOW)
    assert change.faded == (old,)


def test_a_lesson_fades_by_its_latest_source() -> None:
    lesson = held(said("run the tests first", 1))
    later = "2026-08-20T00:00:00.000000Z"
    assert list(decay([], [lesson], later)) == []
    (change,) = decay([], [lesson], "2026-09-10T00:00:00.000000Z")
    _check(change, [])
    assert lessons_of(change.after)[lesson.lesson.id].archived == "2026-09-10T00:00:00.000000Z"


def test_a_prediction_comes_true_by_what_happened_after_it_alone() -> None:
    lesson = held(said("run the tests first", 1))
    (made,) = predict([lesson], day(5))
    _check(made, [])
    (prediction,) = made.after
    assert isinstance(prediction, Prediction)
    assert prediction.due == day(19)
    assert list(verify([(prediction, lesson)], lambda *_: True, day(19))) == []
    again = Held(lesson.lesson, (*lesson.sources, said("run the tests first", 9)))
    (resolved,) = verify([(prediction, again)], lambda *_: True, day(19))
    _check(resolved, [])
    assert resolved.after[0].outcome == "confirmed"  # type: ignore[union-attr]
    assert lessons_of(resolved.after)[lesson.lesson.id].strength == 1.25


@pytest.mark.parametrize(("worked", "strength"), [(True, 0.8), (False, 1.0)])
def test_a_failed_prediction_weakens_unless_nobody_worked(worked: bool, strength: float) -> None:
    lesson = held(said("run the tests first", 1))
    (made,) = predict([lesson], day(5))
    (prediction,) = made.after
    assert isinstance(prediction, Prediction)
    (resolved,) = verify([(prediction, lesson)], lambda *_: worked, day(20))
    assert resolved.after[0].outcome == "failed"  # type: ignore[union-attr]
    after = lessons_of(resolved.after).get(lesson.lesson.id, lesson.lesson)
    assert after.strength == strength


def test_a_weak_lesson_predicts_nothing_but_a_candidate_does() -> None:
    lesson = held(said("run the tests first", 1))
    weak = revised(lesson.lesson, strength=0.8)
    assert list(predict([Held(weak, lesson.sources)], NOW)) == []
    candidate: Lesson = revised(weak, trust="candidate")
    assert [c.verb for c in predict([Held(candidate, lesson.sources)], NOW)] == ["PREDICT"]


def test_an_error_met_once_in_each_of_two_projects_is_one_that_repeats() -> None:
    first, second = (
        said("fatal: no such remote", at, kind="error", project=project, tool="Bash")
        for at, project in ((1, "p"), (2, "q"))
    )
    blocks = [Block("error", s.project, fresh=(s,)) for s in (first, second)]
    (change,) = consolidate(blocks, ALIKE, lambda _: True, NOW)
    _check(change, [first, second])
    (lesson,) = lessons_of(change.after).values()
    assert (lesson.project, lesson.seen) == (None, 2)


def test_what_holds_everywhere_is_joined_from_any_project() -> None:
    pair = [held(said("run the tests first", project=name)) for name in ("p", "q")]
    (merged,) = merge_over_projects(pair, ALIKE, NOW)
    (lesson,) = lessons_of(merged.after).values()
    everywhere = Held(lesson, tuple(s for h in pair for s in h.sources))
    third, fourth = (said("run the tests first", 3, project=name) for name in ("q", "r"))
    blocks = [
        Block("correction", None, (everywhere,)),
        Block("correction", "q", fresh=(third,)),
        Block("correction", "r", fresh=(fourth,)),
    ]
    (change,) = consolidate(blocks, ALIKE, lambda _: True, NOW)
    _check(change, [third, fourth])
    assert change.verb == "CORROBORATE"
    assert lessons_of(change.after)[lesson.id].seen == 4


def test_remarks_on_one_piece_of_work_are_not_one_wish_by_that() -> None:
    pair = [said("line three of the parser is off", 1), said("line four of the parser is off", 2)]
    assert len(night(pair, standing=False)) == 0
    assert len(night([pair[0], said("Line three of the parser is off", 2)], standing=False)) == 1
