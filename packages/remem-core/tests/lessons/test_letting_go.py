"""What is forgotten, or not found by a better reading, takes its lessons' words from everywhere."""

import io
from collections.abc import Iterator

import msgspec
import pytest
from lesson_records import (
    NEXT,
    NIGHT,
    A,
    apply,
    correct,
    corroborating,
    creating,
    lesson_on,
    merging,
    predicting,
    splitting,
)

from remem_core import Memory
from remem_core.errors import DamagedImportError
from remem_core.lessons.changes import Change, revised
from remem_core.store import fold, journal, ledger, lessons
from remem_core.store.connection import Connection, transaction
from remem_protocol import Alias, ExportHeader, InvalidRecordError, Lesson, Record, encode_stream


@pytest.fixture
def db(memory: Memory) -> Connection:
    """The store of the memory that a test has open."""
    return memory._db


def export_of(*records: Record) -> io.BytesIO:
    counts: dict[str, int] = {}
    for record in records:
        tag = str(record.__struct_config__.tag)
        counts[tag] = counts.get(tag, 0) + 1
    return io.BytesIO(b"".join(encode_stream([ExportHeader(records=counts), *records])))


def everything(db: Connection) -> str:
    return "\n".join(db.iterdump())


def test_forgetting_empties_each_entry_that_holds_its_words(memory: Memory, db: Connection) -> None:
    gone = correct(db, "The kumquat password is in the drawer.")
    kept, third = correct(db, "Write tests first.", 1), correct(db, "Small commits, please.", 2)
    whole = creating(gone, kept)
    apply(db, whole)
    (one,) = whole.after
    assert isinstance(one, Lesson)
    apply(db, splitting(one, lesson_on(gone), lesson_on(kept)))
    control = creating(third)
    apply(db, control)
    memory.forget(gone.id)
    assert "kumquat" not in everything(db)
    told = {entry.seq: (entry.before, entry.after) for entry in ledger.entries(db)}
    assert told[1] == told[2] == (None, None)
    assert "Small commits" in str(told[3])
    assert {lesson.text for lesson in memory.lessons()} == {
        lesson_on(kept).text,
        lesson_on(third).text,
    }
    with pytest.raises(InvalidRecordError, match="forgotten"):
        memory.undo(2)
    memory.undo(3)


def test_forgetting_blanks_a_veto_which_still_holds(memory: Memory, db: Connection) -> None:
    gone, kept = correct(db, "The kumquat password."), correct(db, "Small commits.", 1)
    for source in (gone, kept):
        apply(db, creating(source))
        memory.veto(lesson_on(source).id)
    memory.forget(gone.id)
    texts = {veto.hash: veto.text for veto in memory.vetoes()}
    assert texts[lesson_on(gone).hash] == ""
    assert "Small commits" in texts[lesson_on(kept).hash]
    assert "kumquat" not in everything(db)
    assert memory.unveto(lesson_on(gone).id).change.after[1:] == ()


def test_forgetting_drops_what_a_night_had_decided_on_it(memory: Memory, db: Connection) -> None:
    gone, kept = correct(db, "The kumquat password."), correct(db, "Small commits.", 1)
    journal.begin(db, NIGHT)
    journal.write(db, "consolidate", [creating(gone), creating(kept)])
    memory.forget(gone.id)
    assert [change for _, change in journal.pending(db)] == [creating(kept)]
    assert "kumquat" not in everything(db)


def test_forgetting_takes_what_was_predicted_under_an_old_name(
    memory: Memory, db: Connection
) -> None:
    gone, kept = correct(db, "The kumquat password."), correct(db, "Small commits.", 1)
    for source in (gone, kept):
        apply(db, creating(source))
    apply(db, predicting(lesson_on(kept), [gone]))
    one = lesson_on(gone, kept, strength=1.5)
    apply(db, merging([lesson_on(gone), lesson_on(kept)], one))
    memory.forget(gone.id)
    assert db.execute("select count(*) from predictions").fetchone() == (0,)
    assert "kumquat" not in everything(db)


def test_forgetting_empties_what_a_lesson_had_predicted_before_it_went(
    memory: Memory, db: Connection
) -> None:
    gone, other = correct(db, "The kumquat password."), correct(db, "The kumquat key.", 1)
    for source in (gone, other):
        apply(db, creating(source))
        apply(db, predicting(lesson_on(source), [source]))
    memory.undo(next(e.seq for e in memory.ledger() if e.subject == lesson_on(gone).id))
    memory.veto(lesson_on(other).id)
    assert memory.predictions() == []
    memory.forget(gone.id)
    memory.forget(other.id)
    assert "kumquat" not in everything(db)


def test_a_better_reading_takes_the_lesson_of_what_it_no_longer_finds(db: Connection) -> None:
    gone, kept = correct(db, "Looks fine to me."), correct(db, "Small commits.", 1)
    apply(db, creating(gone, kept))
    lesson = lesson_on(gone, kept)
    apply(db, predicting(lesson, [gone, kept]))
    session = fold.SessionRow(
        id="s",
        agent="x",
        project=A,
        cwd=None,
        parent=None,
        started="2026-05-01T00:00:00.000000Z",
        ended="2026-05-01T00:00:30.000000Z",
        turns=2,
        person_turns=1,
        detector=2,
    )
    db.execute("update episodes set session = 's', detector = 1 where id = ?", (gone.id,))
    with transaction(db):
        fold.fold_session(db, session, [], now=NEXT)
    assert lessons.lessons(db, at=NEXT, project=lessons.ALL) == []
    assert lessons.predictions(db) == []
    assert [source.id for source in lessons.uncovered(db, "correction", A)] == [kept.id]
    entry = next(e for e in ledger.entries(db) if e.verb == "FORGET")
    assert (entry.subject, entry.after) == (lesson.id, None)


def test_two_tellings_of_a_lesson_rest_on_the_sources_of_both(
    memory: Memory, db: Connection
) -> None:
    first, here, there = (correct(db, f"Use uv {i}.", i) for i in range(3))
    apply(db, creating(first))
    old = lesson_on(first)
    apply(db, corroborating(old, here))
    newer = revised(old, sources=(first.id, there.id), updated="2026-07-01T00:00:00.000000Z")
    assert memory.import_(export_of(newer)).changed == 1
    (now,) = memory.lessons()
    assert now.sources == (first.id, here.id, there.id)
    assert now.seen == 3
    assert memory.import_(export_of(newer)).known == 1


def test_a_lesson_that_was_merged_here_does_not_come_back_beside(
    memory: Memory, db: Connection
) -> None:
    one, two = correct(db, "Use uv."), correct(db, "Not pip.", 1)
    for source in (one, two):
        apply(db, creating(source))
    both = lesson_on(one, two)
    apply(db, merging([lesson_on(one), lesson_on(two)], both))
    stray = Alias(old="a" * 32, new=lesson_on(two).id, at=NEXT)
    report = memory.import_(export_of(lesson_on(two), stray))
    assert (report.known, report.new) == (1, {"alias": 1})
    assert [lesson.id for lesson in memory.lessons()] == [both.id]
    assert memory.lesson("aaaa").id == both.id


@pytest.mark.parametrize("fields", [{"hash": "a" * 32}, {"seen": 3}])
def test_a_lesson_that_contradicts_itself_is_a_damaged_line(
    memory: Memory, db: Connection, fields: dict[str, object]
) -> None:
    lesson = lesson_on(correct(db, "Use uv."))
    with pytest.raises(DamagedImportError):
        memory.import_(export_of(msgspec.structs.replace(lesson, **fields)))
    assert memory.lessons() == []
    memory.import_(export_of(lesson))
    assert memory.lessons() == [lesson]


def test_a_secret_in_a_lesson_is_redacted_and_its_hash_follows(
    memory: Memory, db: Connection
) -> None:
    secret = "AKIAIOSFODNN7EXAMPLE"
    lesson = lesson_on(correct(db, f"The key {secret} is the old one."))
    memory.import_(export_of(lesson))
    (taken,) = memory.lessons()
    assert secret not in taken.text
    assert taken.hash != lesson.hash
    memory.veto(taken.id)
    assert memory.import_(export_of(lesson)).kept_out == 1


def test_a_night_that_is_not_over_is_dropped_by_a_restore(memory: Memory, db: Connection) -> None:
    source = correct(db, "Use uv.")
    name = memory.snapshot().name
    journal.begin(db, NIGHT)
    journal.write(db, "consolidate", [creating(source)])
    memory.restore(name)
    assert journal.current(db) is None
    assert journal.is_empty(db)


def test_a_pass_counts_as_decided_only_when_all_of_it_is_written(db: Connection) -> None:
    sources = [correct(db, f"Use uv {i}.", i) for i in range(3)]

    def interrupted() -> Iterator[Change]:
        yield creating(sources[0])
        raise KeyboardInterrupt

    journal.begin(db, NIGHT)
    with pytest.raises(KeyboardInterrupt):
        journal.write(db, "consolidate", interrupted())
    run = journal.begin(db, NEXT)
    assert (run.now, run.name, run.state) == (NIGHT, "consolidate", "deciding")
    assert journal.pending(db) == []
    assert journal.write(db, "consolidate", map(creating, sources)) == 3
    pending = journal.pending(db, limit=2)
    with transaction(db):
        journal.drop(db, [number for number, _ in pending])
    assert [change.after for _, change in journal.pending(db)] == [creating(sources[2]).after]
    journal.finish_pass(db)
    run = journal.current(db)
    assert run is not None
    assert run.state == "done"
    journal.finish(db)
    assert journal.current(db) is None
