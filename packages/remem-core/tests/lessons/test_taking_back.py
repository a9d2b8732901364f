"""What the owner takes back, vetoes, and wants again after all."""

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest
from lesson_records import (
    NEXT,
    A,
    B,
    apply,
    archiving,
    correct,
    corroborating,
    creating,
    lesson_on,
    merging,
    predicting,
)
from sqlite_utils import Database

from remem_core.errors import StaleChangeError
from remem_core.lessons.changes import Change
from remem_core.lessons.sources import Source
from remem_core.store import ledger, lessons, migrations, rows, taking_back
from remem_core.store.changing import Applied
from remem_core.store.connection import Connection, connect, transaction
from remem_protocol import InvalidRecordError, Lesson, NotFoundError, Veto, VetoedError

DAY_AFTER = "2026-06-05T12:00:00.000000Z"


def undo(db: Connection, seq: int) -> Applied:
    with transaction(db):
        return taking_back.undo(db, seq, now=DAY_AFTER, unwanted=None)


def veto(db: Connection, lesson: Lesson) -> Applied:
    with transaction(db):
        return taking_back.veto(db, lesson.id, now=DAY_AFTER)


def unveto(db: Connection, name: str) -> Applied:
    with transaction(db):
        found = lessons.veto(db, name)
        return taking_back.unveto(db, found, now=DAY_AFTER, unwanted=None)


def learn(db: Connection, *sources: Source, project: str | None = A) -> Lesson:
    change = creating(*sources, project=project)
    apply(db, change)
    (made,) = change.after
    assert isinstance(made, Lesson)
    return made


def state(db: Connection) -> list[str]:
    """Return all that is kept of lessons, without the ledger, which only grows."""
    tables = ("lessons", "predictions", "aliases", "vetoes", "lesson_sources", "veto_sources")
    return [str(row) for t in tables for row in db.execute(f"select * from {t} order by 1, 2")]


def all_of(db: Connection) -> list[Lesson]:
    return lessons.lessons(db, at=DAY_AFTER, project=lessons.ALL)


def test_undo_takes_exactly_one_change_back(db: Connection) -> None:
    old = learn(db, correct(db, "Use uv."))
    before = state(db)
    seq = apply(db, corroborating(old, correct(db, "Not pip.", 1)))
    assert state(db) != before
    applied = undo(db, seq)
    assert state(db) == before
    entry = ledger.entries(db)[-1]
    assert (entry.seq, entry.verb, entry.subject) == (applied.seq, "RESTORE", old.id)
    assert f"change {seq}" in entry.why


def test_undo_of_an_undo_makes_the_change_again(db: Connection) -> None:
    old = learn(db, correct(db, "Use uv."))
    growing = corroborating(old, correct(db, "Not pip.", 1))
    seq = apply(db, growing)
    made = state(db)
    for _ in range(2):
        back = undo(db, seq).seq
        assert ledger.undone_keys(db) == {growing.key}
        seq = undo(db, back).seq
        assert state(db) == made
        assert ledger.undone_keys(db) == set()


def test_undo_names_the_later_change_in_the_way(db: Connection) -> None:
    first, second = correct(db, "Use uv."), correct(db, "Not pip.", 1)
    old = learn(db, first)
    seq = apply(db, corroborating(old, second))
    before = state(db)
    with pytest.raises(StaleChangeError, match=rf"change {seq} \(CORROBORATE\)"):
        undo(db, 1)
    assert state(db) == before
    undo(db, seq)
    undo(db, 1)
    assert all_of(db) == []


def test_undo_of_a_merge_gives_both_lessons_and_no_name_back(db: Connection) -> None:
    one, two = learn(db, correct(db, "Use uv.")), learn(db, correct(db, "Not pip.", 1))
    before = state(db)
    both = lesson_on(*lessons.sources(db, one.sources + two.sources))
    seq = apply(db, merging([one, two], both))
    undo(db, seq)
    assert state(db) == before
    assert lessons.lesson(db, two.id) == two


def test_undo_wakes_episodes_that_faded_and_lets_them_fade_again(db: Connection) -> None:
    one, two = correct(db, "Use uv."), correct(db, "Not pip.", 1)
    fading = Change(verb="ARCHIVE", subject="", at=NEXT, faded=(one.id, two.id), why="faded")
    seq = apply(db, fading)
    back = undo(db, seq)
    rows = db.execute("select archived, touched from episodes").fetchall()
    assert rows == [(None, DAY_AFTER)] * 2
    assert ledger.undone_keys(db) == {fading.key}
    undo(db, back.seq)
    assert [a for (a,) in db.execute("select archived from episodes")] == [DAY_AFTER] * 2
    assert ledger.undone_keys(db) == set()


def test_undo_refuses_what_is_no_change_of_lessons(db: Connection) -> None:
    db.execute(
        "insert into ledger (at, verb, subject, after, why) values (?, 'CREATE', '', ?, 'folded')",
        (NEXT, json.dumps({"new": 1})),
    )
    db.execute(
        "insert into ledger (at, verb, subject, why) values (?, 'CREATE', ?, 'blank')",
        (NEXT, "a" * 32),
    )
    with pytest.raises(InvalidRecordError, match="none that can be taken back"):
        undo(db, 1)
    with pytest.raises(InvalidRecordError, match="forgotten"):
        undo(db, 2)
    with pytest.raises(NotFoundError):
        undo(db, 3)


def test_veto_lets_a_lesson_go_with_all_that_hangs_on_it(db: Connection) -> None:
    one, two = learn(db, correct(db, "Use uv.")), learn(db, correct(db, "Not pip.", 1))
    control = learn(db, correct(db, "Write tests first.", 2))
    apply(db, predicting(two, lessons.sources(db, two.sources)))
    both = lesson_on(*lessons.sources(db, one.sources + two.sources))
    apply(db, merging([one, two], both))
    veto(db, both)
    assert all_of(db) == [control]
    assert lessons.predictions(db) == []
    for id_ in (one.id, two.id):
        with pytest.raises(NotFoundError):
            lessons.lesson(db, id_)
    (kept,) = lessons.vetoes(db)
    assert (kept.hash, kept.lesson, kept.sources) == (both.hash, both.id, both.sources)


def test_vetoed_is_not_made_again_by_words_or_source(db: Connection) -> None:
    source = correct(db, "Use uv.")
    made = learn(db, source)
    veto(db, made)
    assert list(lessons.uncovered(db, "correction", A)) == []
    with pytest.raises(VetoedError):
        apply(db, creating(source))
    with pytest.raises(VetoedError):  # other words, on a source of it
        apply(db, creating(source, correct(db, "uv.", 1)))
    with pytest.raises(VetoedError):  # the same words, on other sources
        apply(db, creating(correct(db, "Use uv.", 2)))
    apply(db, creating(correct(db, "Write tests first.", 3)))


def test_vetoed_is_not_made_again_by_meaning(db: Connection) -> None:
    held = learn(db, correct(db, "Use uv."))
    veto(db, held)
    (said,) = lessons.vetoes(db)

    def means_uv(lesson: Lesson) -> Veto | None:
        return said if "package manager" in lesson.text else None

    other = learn(db, correct(db, "Write tests first.", 1))
    with pytest.raises(VetoedError):
        apply(db, creating(correct(db, "The new package manager!", 2)), means_uv)
    growing = corroborating(other, correct(db, "Tests!", 3))
    apply(db, growing, means_uv)


def test_vetoed_words_of_another_project_are_not_shown_either(db: Connection) -> None:
    here = learn(db, correct(db, "Use uv."))
    there = learn(db, correct(db, "Use uv.", 1, B), project=B)
    assert here.hash == there.hash
    veto(db, here)
    assert all_of(db) == []
    unveto(db, here.hash[:8])
    assert {lesson.id for lesson in all_of(db)} == {here.id, there.id}


def test_unveto_gives_back_all_that_went(db: Connection) -> None:
    one, two = learn(db, correct(db, "Use uv.")), learn(db, correct(db, "Not pip.", 1))
    both = lesson_on(*lessons.sources(db, one.sources + two.sources))
    apply(db, merging([one, two], both))
    apply(db, predicting(both, lessons.sources(db, both.sources)))
    before = state(db)
    veto(db, both)
    unveto(db, both.id[:10])
    (lifted,) = lessons.vetoes(db, lifted=True)
    assert lifted.lifted == DAY_AFTER
    assert lessons.vetoes(db) == []
    db.execute("delete from vetoes")
    assert state(db) == before
    rows.put(db, lifted)
    with pytest.raises(StaleChangeError):
        unveto(db, both.id)
    veto(db, both)
    assert all_of(db) == []


def test_undo_of_a_veto_leaves_no_trace_of_it(db: Connection) -> None:
    made = learn(db, correct(db, "Use uv."))
    before = state(db)
    seq = veto(db, made).seq
    vetoed = state(db)
    back = undo(db, seq).seq
    assert state(db) == before
    undo(db, back)
    assert state(db) == vetoed


def test_unveto_without_the_sources_lifts_and_brings_nothing_back(db: Connection) -> None:
    made = learn(db, correct(db, "Use uv."))
    veto(db, made)
    db.execute("delete from episodes where id = ?", made.sources)
    unveto(db, made.id)
    assert lessons.vetoes(db) == []
    assert lessons.lessons(db, at=DAY_AFTER, project=lessons.ALL) == []


def test_the_ledger_tells_a_lessons_life_under_every_name(db: Connection) -> None:
    one, two = learn(db, correct(db, "Use uv.")), learn(db, correct(db, "Not pip.", 1))
    learn(db, correct(db, "Write tests first.", 2))
    both = lesson_on(*lessons.sources(db, one.sources + two.sources))
    apply(db, merging([one, two], both))
    apply(db, archiving(both))
    names = lessons.names_of(db, both.id)
    told = ledger.entries(db, names)
    assert [entry.verb for entry in told] == ["CREATE", "CREATE", "MERGE", "ARCHIVE"]
    assert [entry.seq for entry in ledger.entries(db, names, limit=2)] == [4, 5]


def test_a_store_of_the_schema_before_is_told_what_its_lessons_rest_on(tmp_path: Path) -> None:
    path = tmp_path / "older.db"
    with contextlib.closing(sqlite3.connect(path)) as old:
        migrations.steps.apply(Database(old), stop_before="m003_lessons")
        old.execute(
            "insert into lessons values (?, 'x', 'correction', null, 1, 1, ?, ?, ?, null, ?, '[]',"
            " 'own', 'quoted', null, null, null)",
            ("a" * 32, json.dumps(["b" * 32]), NEXT, NEXT, "c" * 32),
        )
        old.execute("pragma user_version = 2")
        old.commit()
    with contextlib.closing(connect(path)) as db:
        assert db.execute("select * from lesson_sources").fetchall() == [("b" * 32, "a" * 32)]
        assert lessons.lesson(db, "a" * 32).archived is None
