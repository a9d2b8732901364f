"""From a night's ledger rows to what is told of it: only what may be told, as it is now."""

import datetime
from typing import Any

from remem_core.lessons.changes import revised
from remem_core.lessons.identity import words_hash
from remem_core.morning import Morning, gather
from remem_core.morning.gather import LEARNED, SHOWN
from remem_core.morning.report import Few, Week
from remem_protocol import Correction, Veto


def words(few: Few[Any]) -> list[str]:
    return [told.text for told in few.shown]


def test_night_tells_each_change_under_its_verb(rich: Any) -> None:
    harbour, row = rich
    told = gather(harbour.db, now=harbour.now, since_seq=row)
    assert [len(few) for few in (told.learned, told.again, told.narrowed, told.merged)] == [
        3, 1, 1, 1,
    ]  # fmt: skip
    assert words(told.again)[0].startswith("The person said: “no, read the tide table first”")
    assert words(told.narrowed)[0].endswith("“in the old basin count from the lock”")
    assert told.merged.shown[0].count == 2
    (closed,) = told.closed.shown
    assert "always light the pier lamp" in closed.lesson.text
    assert closed.successor is not None
    assert "leave the pier lamp off" in closed.successor.text
    assert words(told.put_aside) == ["The person said: “we paint hulls in May”"]
    assert told.faded == 1
    assert [one.outcome for one in told.predictions.settled.shown] == ["failed", "confirmed"]
    assert (told.predictions.resolved, told.predictions.came_true, told.predictions.open) == (
        2, 1, 1,
    )  # fmt: skip


def test_lesson_is_told_with_what_it_rests_on(rich: Any) -> None:
    harbour, row = rich
    lesson = gather(harbour.db, now=harbour.now, since_seq=row).again.shown[0]
    assert (lesson.seen, lesson.sessions) == (2, 2)
    assert (lesson.first[:10], lesson.last[:10]) == ("2026-04-04", "2026-05-29")
    assert lesson.projects == ("git:example.org/ana/quay",)


def test_night_without_changes_is_quiet_whatever_was_ingested(harbour: Any) -> None:
    row = harbour.row
    harbour.sessions("05-28")
    harbour.said("no, moor it at the pier", "05-28")
    told = gather(harbour.db, now=harbour.now, since_seq=row)
    assert told.is_quiet
    assert (told.basis.surprises, told.basis.sessions, told.basis.days) == (1, 1, 1)


def test_what_came_after_the_night_is_no_basis_of_it(harbour: Any) -> None:
    harbour.sessions("05-28", "06-03")
    harbour.said("no, moor it at the pier", "06-03")
    basis = gather(harbour.db, now=harbour.now, since_seq=0).basis
    assert (basis.surprises, basis.sessions, basis.last) == (0, 1, "2026-05-28")


def test_empty_memory_has_a_quiet_morning(harbour: Any) -> None:
    told = gather(harbour.db, now=harbour.now, since_seq=0)
    assert told.is_quiet
    assert told.lessons == 0
    assert told.basis.first == ""


def test_earlier_nights_are_not_told_again(rich: Any) -> None:
    harbour, _ = rich
    assert gather(harbour.db, now=harbour.now, since_seq=harbour.row).is_quiet


def test_vetoed_lesson_is_not_told_beside_one_that_is(harbour: Any) -> None:
    row = harbour.row
    gone = harbour.learn(harbour.said("never moor at the pier", "05-28"))
    stays = harbour.learn(harbour.said("always count the buoys", "05-28"))
    for lesson in (gone, stays):
        harbour.predict(lesson, f"again: {lesson.text}")
    veto = Veto(
        hash=gone.hash, text=gone.text, at=harbour.now,
        kind=gone.kind, lesson=gone.id, sources=gone.sources,
    )  # fmt: skip
    (omen,) = [p for p in _predictions(harbour.db) if p.lesson == gone.id]
    harbour.do("VETO", gone.id, [gone, omen], [veto])
    told = gather(harbour.db, now=harbour.now, since_seq=row)
    assert words(told.learned) == ["The person said: “always count the buoys”"]
    assert [one.lesson for one in told.predictions.made.shown] == [stays.id]


def _predictions(db: Any) -> Any:
    from remem_core.store.lessons import predictions

    return predictions(db)


def test_forgotten_lesson_is_not_told(harbour: Any) -> None:
    row = harbour.row
    source = harbour.said("never moor at the pier", "05-28")
    harbour.learn(source)
    harbour.memory.forget(source.id)
    told = gather(harbour.db, now=harbour.now, since_seq=row)
    assert "moor" not in repr(told)


def test_lesson_that_was_learned_and_taken_back_in_one_night_is_not_among_the_learned(
    harbour: Any,
) -> None:
    row = harbour.row
    old = harbour.learn(harbour.said("always light the pier lamp", "05-28"))
    harbour.close(old, harbour.learn(harbour.said("leave the pier lamp off", "05-30")))
    told = gather(harbour.db, now=harbour.now, since_seq=row)
    assert words(told.learned) == ["The person said: “leave the pier lamp off”"]
    assert len(told.closed) == 1


def test_lesson_that_is_only_told_otherwise_is_listed_as_such(harbour: Any) -> None:
    first = harbour.failed("tide moor --berth 4", "error: unknown option --berth", "05-27")
    second = harbour.failed("tide moor --berth 7", "error: unknown option --berth", "05-28")
    lesson, row = harbour.learn(first, second), harbour.row
    text = "tide moor failed on the unknown option --berth."
    after = revised(lesson, text=text, wording="model", hash=words_hash("error", text))
    harbour.do("REWORD", lesson.id, [lesson], [after])
    told = gather(harbour.db, now=harbour.now, since_seq=row)
    assert words(told.reworded) == [text]
    assert told.reworded.shown[0].wording == "model"
    assert not told.is_quiet


def test_long_lists_are_cut_with_the_most_often_said_first(harbour: Any) -> None:
    row = harbour.row
    often = [harbour.said(f"berth nine is taken, {n}", "05-28") for n in range(3)]
    once = [harbour.learn(harbour.said(f"count pier {n} again", "05-27")) for n in range(9)]
    harbour.learn(*often)
    told = gather(harbour.db, now=harbour.now, since_seq=row).learned
    assert (len(told.shown), told.more) == (LEARNED, len(once) + 1 - LEARNED)
    assert told.shown[0].seen == 3
    for lesson in once:
        harbour.put_aside(lesson)
    aside = gather(harbour.db, now=harbour.now, since_seq=row).put_aside
    assert (len(aside.shown), aside.more) == (SHOWN, len(once) - SHOWN)


def test_delegation_counts_the_last_thirty_days(harbour: Any) -> None:
    harbour.asked("Shall I commit it?", "approved", "yes", "04-28")
    harbour.asked("Shall I commit it?", "approved", "yes", "05-28")
    (row,) = gather(harbour.db, now=harbour.now, since_seq=0).delegation
    assert (row.kind, row.asked, row.told) == ("commit", 1, 1)


def test_weeks_count_repeats_and_no_candidates(harbour: Any) -> None:
    first, again = harbour.said("no, the winch", "05-12"), harbour.said("the winch!", "05-26")
    harbour.learn(first, again)
    harbour.emit(
        Correction(at="2026-05-26T10:00:00.000000Z", source="owner", said="hm, the winch?",
                   cause="message", candidate=True)
    )  # fmt: skip
    weeks = gather(harbour.db, now=harbour.now, since_seq=0).weeks
    assert len(weeks) == 12
    assert [week for week in weeks if week.surprises] == [
        Week("2026-05-11", 1, 0),
        Week("2026-05-25", 1, 1),
    ]
    assert weeks[-1].monday == "2026-06-01"
    mondays = [datetime.date.fromisoformat(week.monday) for week in weeks]
    assert {day.weekday() for day in mondays} == {0}


def test_telling_reads_only_what_it_shows_and_writes_nothing(rich: Any) -> None:
    harbour, row = rich
    before = harbour.row
    assert isinstance(gather(harbour.db, now=harbour.now, since_seq=row), Morning)
    assert gather(harbour.db, now=harbour.now, since_seq=row) == gather(
        harbour.db, now=harbour.now, since_seq=row
    )
    assert harbour.row == before
