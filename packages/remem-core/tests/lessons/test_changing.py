"""Each verb does what it may, and nothing else; what is refused leaves nothing behind."""

import itertools
import json
from collections.abc import Callable

import msgspec
import pytest
from lesson_records import (
    DUE,
    LATER,
    NEXT,
    NIGHT,
    A,
    B,
    apply,
    archiving,
    changing_to,
    correct,
    correcting,
    corroborating,
    creating,
    fail,
    lesson_on,
    merging,
    predicting,
    refining,
    resolving,
    splitting,
)

from remem_core.errors import StaleChangeError
from remem_core.lessons.changes import Change, revised
from remem_core.lessons.identity import lesson_id, words_hash
from remem_core.store import ledger, lessons
from remem_core.store.connection import Connection
from remem_protocol import (
    Alias,
    InvalidRecordError,
    Lesson,
    OutOfScopeError,
    Prediction,
    RememError,
    SecretError,
    Veto,
)


def all_of(db: Connection, **more: bool) -> list[Lesson]:
    return lessons.lessons(db, at=LATER, project=lessons.ALL, **more)


def refused(db: Connection, change: Change, error: type[RememError] = InvalidRecordError) -> str:
    """Return why a change is refused; nothing of the store is another than it was."""
    before = list(db.iterdump())
    with pytest.raises(error) as raised:
        apply(db, change)
    assert list(db.iterdump()) == before
    assert type(raised.value).code == error.code
    return raised.value.message


@pytest.fixture
def learned(db: Connection) -> Callable[..., Lesson]:
    """Make a lesson of corrections that are stored for it."""
    minutes = itertools.count()

    def learn(*said: str, project: str | None = A, of: str | None = "own") -> Lesson:
        place = project if of == "own" else of
        sources = [correct(db, words, next(minutes), place) for words in said]
        change = creating(*sources, project=project)
        apply(db, change)
        return change.after[0]  # type: ignore[return-value]

    return learn


Learned = Callable[..., Lesson]


def test_create_makes_a_lesson_and_one_row_of_the_ledger(db: Connection) -> None:
    source = correct(db, "We use uv here, not pip.")
    made = creating(source)
    assert apply(db, made) == 1
    assert all_of(db) == list(made.after)
    (entry,) = ledger.entries(db)
    assert (entry.verb, entry.subject, entry.at) == ("CREATE", made.subject, NIGHT)
    assert (entry.before, json.loads(entry.after or "")[0]["id"]) == (None, made.subject)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"text": "Always use uv.", "hash": words_hash("correction", "Always use uv.")}, "quote"),
        ({"hash": "a" * 32}, "hash"),
        ({"id": "a" * 32}, "not the id"),
        ({"seen": 2}, "seen"),
        ({"wording": "owner"}, "did not word"),
        ({"trust": "confirmed"}, "of this memory"),
        ({"archived": NIGHT}, "put aside"),
        ({"sources": (), "seen": 0}, "rests on nothing"),
        ({"kind": "error"}, "kind"),
    ],
)
def test_create_refuses_a_lesson_that_its_sources_do_not_make(
    db: Connection, fields: dict[str, object], why: str
) -> None:
    source = correct(db, "We use uv here, not pip.")
    if fields.get("kind"):
        fields = fields | {"hash": words_hash("error", creating(source).after[0].text)}  # type: ignore[union-attr]
    assert why in refused(db, creating(source, **fields))
    apply(db, creating(source))


def test_create_never_words_a_correction_by_a_model(db: Connection) -> None:
    source, text = correct(db, "No, uv."), "The person prefers uv to pip."
    words = {"text": text, "hash": words_hash("correction", text), "wording": "model"}
    refused(db, creating(source, **words))  # MEM-032


def test_create_refuses_sources_of_another_project_unless_it_is_everyones(db: Connection) -> None:
    sources = [correct(db, "Use uv.", 0, A), correct(db, "Use uv, please.", 1, B)]
    refused(db, creating(*sources, project=A), OutOfScopeError)
    refused(db, creating(sources[1], project=A), OutOfScopeError)
    apply(db, creating(*sources, project=None))
    assert all_of(db)[0].project is None


def test_create_refuses_a_source_that_is_not_there(db: Connection) -> None:
    source = correct(db, "Use uv.")
    ghost = msgspec.structs.replace(lesson_on(source), sources=("a" * 32,))
    change = Change(verb="CREATE", subject=ghost.id, at=NIGHT, after=(ghost,))
    assert "not there" in refused(db, change)


def test_one_error_is_no_lesson_and_two_are(db: Connection) -> None:
    one, two = fail(db, "make: no rule", 0), fail(db, "make: no rule to make target", 1)
    assert "not enough" in refused(db, creating(one))
    apply(db, creating(one, two))


def test_a_change_with_a_secret_is_refused(db: Connection, learned: Learned) -> None:
    old = learned("Use the other key.")
    more = corroborating(old, correct(db, "Use the other key!", 30))
    refused(db, msgspec.structs.replace(more, why="the key is AKIAIOSFODNN7EXAMPLE"), SecretError)


def test_what_was_decided_on_an_older_state_is_stale(db: Connection, learned: Learned) -> None:
    old = learned("Use uv.")
    new = correct(db, "Use uv!", 30)
    apply(db, corroborating(old, new))
    refused(db, corroborating(old, correct(db, "uv, I said.", 31)), StaleChangeError)
    refused(
        db,
        Change(verb="CREATE", subject=old.id, at=NIGHT, after=(old,)),
        StaleChangeError,
    )


def test_corroborate_adds_sources_and_no_other_text(db: Connection, learned: Learned) -> None:
    old, new = learned("Use uv."), correct(db, "Use uv, not pip.", 30)
    for fields in (
        {"text": "Use uv!", "hash": words_hash("correction", "Use uv!")},
        {"project": None},
        {"created": NEXT},
        {"wording": "model"},
        {"valid_until": NEXT},
        {"strength": 0.2},
        {"archived": NEXT},
        {"sources": (new.id,), "seen": 1},
        {"sources": old.sources, "seen": 1},
    ):
        refused(db, corroborating(old, new, **fields))
    refused(db, corroborating(old, correct(db, "Use uv.", 31, B)), OutOfScopeError)
    apply(db, corroborating(old, new))
    (now,) = all_of(db)
    assert (now.text, now.sources, now.seen) == (old.text, (*old.sources, new.id), 2)


def test_corroborate_wakes_what_was_put_aside(db: Connection, learned: Learned) -> None:
    old, new = learned("Use uv."), correct(db, "Use uv, not pip.", 30)
    apply(db, archiving(old))
    assert all_of(db) == []
    (aside,) = all_of(db, archived=True)
    apply(db, corroborating(aside, new, archived=None))
    assert [lesson.id for lesson in all_of(db)] == [old.id]


def test_refine_keeps_the_text_and_says_what_was_narrowed(db: Connection, learned: Learned) -> None:
    old, new = learned("Use uv."), correct(db, "In this repo pip is right.", 30)
    for text in ("In this repo pip is right.", f"{old.text}\nbut never on Fridays"):
        refused(db, refining(old, new, text=text, hash=words_hash("correction", text)))
    refused(db, refining(old, new, sources=(new.id,), seen=1))
    refused(db, msgspec.structs.replace(refining(old, new), why=""))
    apply(db, refining(old, new))
    (now,) = all_of(db)
    assert now.text.startswith(old.text)
    assert "In this repo pip is right." in now.text


def test_correct_closes_the_older_lesson_and_keeps_its_words(
    db: Connection, learned: Learned
) -> None:
    old, new = learned("Use pip."), learned("Use uv from now on.")
    refused(db, correcting(old, old))
    refused(db, correcting(old, new, superseded_by="a" * 32))
    refused(db, correcting(old, new, valid_until=None))
    refused(db, correcting(old, new, text=new.text, hash=new.hash))
    apply(db, correcting(old, new))
    assert [lesson.id for lesson in all_of(db)] == [new.id]
    closed = lessons.lesson(db, old.id)
    assert (closed.text, closed.sources, closed.superseded_by) == (old.text, old.sources, new.id)
    refused(db, correcting(closed, new, valid_until=LATER))


def test_merge_keeps_every_source_and_every_name(db: Connection, learned: Learned) -> None:
    one, two, three = learned("Use uv."), learned("Not pip, uv."), learned("uv, please.")
    both = lesson_on(*lessons.sources(db, one.sources + two.sources))
    assert both.id == one.id
    lost = msgspec.structs.replace(both, sources=one.sources, seen=1)
    refused(db, merging([one, two], lost))
    refused(db, merging([one, two], msgspec.structs.replace(both, text=two.text, hash=two.hash)))
    refused(db, merging([one, two], both, aliases=[Alias(old="a" * 32, new=both.id, at=NEXT)]))
    refused(db, Change(verb="MERGE", subject=one.id, at=NEXT, before=(one, two), after=(both,)))
    refused(db, merging([one], lesson_on(*lessons.sources(db, one.sources), strength=2.0)))
    apply(db, merging([one, two], both))
    assert lessons.lesson(db, two.id[:12]) == both
    every = lesson_on(*lessons.sources(db, both.sources + three.sources))
    apply(db, merging([both, three], every))
    assert {lessons.lesson(db, old.id).id for old in (one, two, three)} == {every.id}


def test_merge_of_projects_is_everyones_and_moves_older_names(
    db: Connection, learned: Learned
) -> None:
    one, two = learned("Use uv."), learned("Not pip, uv.")
    there = learned("Use uv here too.", project=B)
    both = lesson_on(*lessons.sources(db, one.sources + two.sources))
    apply(db, merging([one, two], both))
    sources = lessons.sources(db, both.sources + there.sources)
    refused(db, merging([both, there], lesson_on(*sources, project=A)), OutOfScopeError)
    everyones = lesson_on(*sources, project=None)
    moved = [Alias(old=two.id, new=both.id, at=NEXT)]
    assert "old name" in refused(db, merging([both, there], everyones))
    apply(db, merging([both, there], everyones, moved=moved))
    assert {lessons.lesson(db, x.id).id for x in (one, two, there)} == {everyones.id}
    assert [lesson.id for lesson in lessons.lessons(db, at=LATER, project="other")] == [
        everyones.id
    ]


def test_merge_keeps_the_owners_own_words(db: Connection, learned: Learned) -> None:
    one, two = learned("Use uv."), learned("Not pip, uv.")
    text = "uv it is."
    db.execute(
        "update lessons set text = ?, hash = ?, wording = 'owner' where id = ?",
        (text, words_hash("correction", text), one.id),
    )
    mine = lessons.lesson(db, one.id)
    union = sorted(one.sources + two.sources)
    both = revised(mine, sources=tuple(union))
    told = lesson_on(*lessons.sources(db, union))
    refused(db, merging([mine, two], told))
    apply(db, merging([mine, two], both))
    assert lessons.lesson(db, two.id).text == text


def test_split_gives_each_source_to_one_part(db: Connection, learned: Learned) -> None:
    whole = learned("Use uv.", "Write tests first.", "Not pip.")
    uv, tests, pip = lessons.sources(db, whole.sources)
    first, second = lesson_on(uv, pip), lesson_on(tests)
    assert first.id == whole.id
    refused(db, splitting(whole, first, lesson_on(tests, pip)))
    refused(db, splitting(whole, lesson_on(uv), second))
    refused(db, splitting(whole, lesson_on(uv, tests, pip, strength=3.0)))
    refused(db, splitting(whole, first, lesson_on(tests, project=B)), OutOfScopeError)
    apply(db, splitting(whole, first, second))
    assert {lesson.id for lesson in all_of(db)} == {first.id, second.id}


def test_split_of_what_was_merged_gives_the_old_ids_back(db: Connection, learned: Learned) -> None:
    here, there = learned("Use uv."), learned("Write tests first.", project=B)
    both = lesson_on(*lessons.sources(db, here.sources + there.sources), project=None)
    merge = merging([here, there], both)
    apply(db, merge)
    aliases = tuple(r for r in merge.after if isinstance(r, Alias))
    back = Change(
        verb="SPLIT",
        subject=both.id,
        at=LATER,
        before=(both, *aliases),
        after=(here, there, Alias(old=both.id, new=here.id, at=LATER)),
    )
    refused(db, msgspec.structs.replace(back, after=(here, there)))
    apply(db, back)
    assert lessons.lesson(db, both.id) == here
    assert lessons.lesson(db, there.id) == there


def test_archive_puts_aside_and_changes_nothing_else(db: Connection, learned: Learned) -> None:
    old = learned("Use uv.")
    refused(db, changing_to("ARCHIVE", old, revised(old, archived=NEXT, strength=0.1)))
    refused(db, changing_to("ARCHIVE", old, revised(old, updated=NEXT)))
    apply(db, archiving(old))
    assert all_of(db) == []
    assert lessons.lesson(db, old.id).archived == NEXT


def test_archive_of_episodes_names_them_in_the_ledger(db: Connection) -> None:
    one, two = correct(db, "Use uv.", 0), correct(db, "Not pip.", 1)
    fading = Change(verb="ARCHIVE", subject="", at=NEXT, faded=(one.id,), why="faded")
    refused(db, msgspec.structs.replace(fading, faded=("a" * 32,)), StaleChangeError)
    refused(db, msgspec.structs.replace(fading, verb="CORROBORATE"))
    apply(db, fading)
    archived = dict(db.execute("select id, archived from episodes"))
    assert archived == {one.id: NEXT, two.id: None}
    assert json.loads(ledger.entries(db)[0].after or "") == {"faded": [one.id]}
    assert [source.id for source in lessons.uncovered(db, "correction", A)] == [two.id]
    refused(db, fading, StaleChangeError)


def test_predict_makes_one_at_a_time(db: Connection, learned: Learned) -> None:
    lesson = learned("Use uv.")
    sources = lessons.sources(db, lesson.sources)
    refused(db, predicting(lesson, sources, due=NEXT))
    refused(db, predicting(lesson, sources, id="a" * 32))
    refused(db, predicting(lesson, sources, resolved=DUE, outcome="failed"))
    refused(db, predicting(msgspec.structs.replace(lesson, id="a" * 32), sources))
    apply(db, predicting(lesson, sources))
    assert "open" in refused(db, predicting(lesson, sources, LATER))
    assert [p.lesson for p in lessons.predictions(db, unresolved=True)] == [lesson.id]


def test_resolve_does_it_once_and_weighs_the_lesson_alone(db: Connection, learned: Learned) -> None:
    lesson = learned("Use uv.")
    predict = predicting(lesson, lessons.sources(db, lesson.sources))
    apply(db, predict)
    (made,) = predict.after
    assert isinstance(made, Prediction)
    early = msgspec.structs.replace(made, resolved=NIGHT, outcome="failed")
    refused(db, changing_to("RESOLVE", lesson, lesson))
    refused(db, Change(verb="RESOLVE", subject=made.id, at=LATER, before=(made,), after=(early,)))
    refused(db, resolving(made, None, None))
    refused(db, resolving(made, "failed", lesson, archived=LATER))
    apply(db, resolving(made, "failed", lesson))
    assert lessons.predictions(db, unresolved=True) == []
    assert lessons.lesson(db, lesson.id).strength == 0.5
    told = lessons.predictions(db, lesson=lesson.id)[0]
    refused(db, resolving(told, "confirmed", None))


def test_resolve_weighs_the_lesson_that_predicted_under_its_old_name(
    db: Connection, learned: Learned
) -> None:
    one, two, other = learned("Use uv."), learned("Not pip, uv."), learned("Write tests.")
    predict = predicting(two, lessons.sources(db, two.sources))
    apply(db, predict)
    both = lesson_on(*lessons.sources(db, one.sources + two.sources))
    apply(db, merging([one, two], both))
    assert lessons.predictions(db, lesson=both.id) == list(predict.after)
    refused(db, resolving(predict.after[0], "confirmed", other))  # type: ignore[arg-type]
    apply(db, resolving(predict.after[0], "confirmed", both))  # type: ignore[arg-type]


@pytest.mark.parametrize("verb", ["VETO", "RESTORE", "FORGET"])
def test_the_owners_verbs_are_not_for_sleep(db: Connection, learned: Learned, verb: str) -> None:
    lesson = learned("Use uv.")
    veto = Veto(
        hash=lesson.hash,
        text=lesson.text,
        at=NEXT,
        kind=lesson.kind,
        lesson=lesson.id,
        sources=lesson.sources,
    )
    change = Change(verb=verb, subject=lesson.id, at=NEXT, before=(lesson,), after=(veto,))  # type: ignore[arg-type]
    refused(db, change)


def test_a_lessons_id_has_no_words_in_it(db: Connection) -> None:
    source = correct(db, "Use uv.")
    assert lesson_on(source).id == lesson_id("correction", A, source.id)
    assert lesson_on(source, text="otherwise told").id == lesson_on(source).id
    assert lesson_on(source, project=None).id != lesson_on(source).id
