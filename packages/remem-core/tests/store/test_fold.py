"""Folding events into episodes: each thing once, nothing lost."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from remem_core.store.connection import connect, transaction
from remem_core.store.fold import FoldCounts, SessionRow, fold, fold_session
from remem_protocol import Correction, Event, Handback, Note, SessionSummary, replace_event

NOW = "2026-06-01T12:00:00.000000Z"


def at(minute: int) -> str:
    return f"2026-05-01T10:{minute:02d}:00.000000Z"


def said(words: str, minute: int, session: str = "s1") -> Correction:
    return Correction(
        said=words, cause="message", at=at(minute), session=session, project="p", source="owner"
    )


def row(detector: int, *, turns: int = 10, until: int = 30, session: str = "s1") -> SessionRow:
    return SessionRow(
        id=session,
        agent="claude-code",
        project="p",
        cwd=None,
        parent=None,
        started=at(0),
        ended=at(until),
        turns=turns,
        person_turns=3,
        detector=detector,
    )


@pytest.fixture
def db(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    opened = connect(tmp_path / "memory.db")
    yield opened
    opened.close()


def read(db: sqlite3.Connection, session: SessionRow, *events: Event) -> FoldCounts:
    with transaction(db):
        return fold_session(db, session, events, now=NOW)


def emit(db: sqlite3.Connection, *events: Event) -> FoldCounts:
    with transaction(db):
        return fold(db, events, detector=None, now=NOW)


def ids(db: sqlite3.Connection) -> set[str]:
    return {i for (i,) in db.execute("select id from episodes")}


def test_event_folded_twice_is_one_episode(db: sqlite3.Connection) -> None:
    assert emit(db, said("use uv", 1), said("use uv", 1)).new == 1
    again = emit(db, said("use uv", 1))
    assert (again.new, again.known, len(ids(db))) == (0, 1, 1)


def test_copy_in_a_forked_session_is_the_same_thing(db: sqlite3.Connection) -> None:
    read(db, row(1), said("use uv", 1))
    forked = read(db, row(1, session="s2"), said("use uv", 1, "s2"), said("and pin it", 9, "s2"))
    assert (forked.copies, forked.new) == (1, 1)


def test_same_words_at_another_time_are_another_episode(db: sqlite3.Connection) -> None:
    read(db, row(1), said("use uv", 1))
    assert read(db, row(1), said("use uv", 1), said("use uv", 2)).new == 1


def test_two_sessions_that_begin_alike_are_two(db: sqlite3.Connection) -> None:
    def summary(session: str) -> SessionSummary:
        return SessionSummary(
            gist="asked for x",
            turns=2,
            started=at(0),
            ended=at(5),
            at=at(0),
            session=session,
            source="tool",
        )

    assert emit(db, summary("s1"), summary("s2")).new == 2


def test_grown_session_updates_its_own_episode_and_keeps_its_strength(
    db: sqlite3.Connection,
) -> None:
    open_offer = Handback(
        act="offer", answer="other", action="Shall I?", at=at(3), session="s1", source="agent"
    )
    read(db, row(1), open_offer)
    db.execute("update episodes set strength = 1.7")
    answered = replace_event(open_offer, answer="approved", said="yes")
    assert answered.id == open_offer.id
    got = read(db, row(1, turns=12), answered)
    assert (got.changed, got.new) == (1, 0)
    assert db.execute("select strength, event like '%approved%' from episodes").fetchone() == (
        1.7,
        1,
    )


def test_shorter_transcript_takes_nothing_away(db: sqlite3.Connection) -> None:
    read(db, row(1), said("use uv", 1), said("no mocks", 20))
    got = read(db, row(2, turns=4, until=5), said("use uv", 1))
    assert got.replaced == 0
    assert len(ids(db)) == 2


def test_better_detectors_replace_what_they_no_longer_see(db: sqlite3.Connection) -> None:
    wrong, right = said("thanks, that is right", 1), said("no mocks", 20)
    emitted = Note(text="a note", at=at(10), session="s1", source="owner")
    read(db, row(1), wrong, right)
    emit(db, emitted)
    got = read(db, row(2), right)
    assert got.replaced == 1
    assert ids(db) == {right.id, emitted.id}


def test_refusal_read_before_its_words_gives_way_to_them(db: sqlite3.Connection) -> None:
    bare, kept = said("", 5), said("no mocks", 3)
    read(db, row(1), kept, replace_event(bare, cause="refusal"))
    worded = replace_event(said("use uv", 6), cause="refusal")
    got = read(db, row(1, turns=12), worded)
    assert got.replaced == 1
    assert ids(db) == {kept.id, worded.id}


def test_detector_never_rewords_what_the_owner_emitted(db: sqlite3.Connection) -> None:
    told = said("use uv", 1)
    emit(db, told)
    read(db, row(1), replace_event(told, agent_did="ran pip"))
    assert "ran pip" not in db.execute("select event from episodes").fetchone()[0]


@pytest.mark.parametrize("newer_first", [False, True])
def test_superseded_note_is_closed_in_either_order(
    db: sqlite3.Connection, newer_first: bool
) -> None:
    old = Note(text="staging is at port 80", at=at(1), source="owner", project="p")
    new = Note(
        text="staging is at port 81", at=at(2), source="owner", project="p", supersedes=old.id
    )
    for note in [new, old] if newer_first else [old, new]:
        emit(db, note)
    closed = db.execute(
        "select superseded_by, valid_until from episodes where id = ?", (old.id,)
    ).fetchone()
    assert closed == (new.id, at(2))


def test_note_of_another_project_closes_nothing(db: sqlite3.Connection) -> None:
    old = Note(text="port 80", at=at(1), source="owner", project="p")
    emit(db, old)
    emit(db, Note(text="81", at=at(2), source="owner", project="q", supersedes=old.id))
    assert db.execute("select superseded_by from episodes where id = ?", (old.id,)).fetchone() == (
        None,
    )


def test_change_is_in_the_ledger_and_a_repeat_is_not(db: sqlite3.Connection) -> None:
    read(db, row(1), said("use uv", 1))
    read(db, row(1), said("use uv", 1))
    assert db.execute("select verb, count(*) from ledger").fetchone() == ("CREATE", 1)
