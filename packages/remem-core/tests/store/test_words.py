"""The keyword index stays what its content says, in whatever order episodes come and go."""

import sqlite3
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from remem_core.store.connection import connect, transaction
from remem_core.store.fold import fold
from remem_protocol import Note

NOW = "2026-06-01T12:00:00.000000Z"


def note(minute: int, session: str, word: str) -> Note:
    return Note(
        text=f"{word} at {minute}",
        at=f"2026-05-01T10:{minute:02d}:00.000000Z",
        session=session,
        source="owner",
    )


def check(db: sqlite3.Connection) -> None:
    db.execute("insert into words (words, rank) values ('integrity-check', 1)")


def found(db: sqlite3.Connection, word: str) -> set[int]:
    return {n for (n,) in db.execute("select rowid from words where words match ?", (word,))}


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["add", "add", "add", "drop", "reword"]),
        st.integers(0, 8),
        st.sampled_from("ab"),
        st.sampled_from(["apple", "berry", "cherry"]),
    ),
    max_size=25,
)


@settings(max_examples=60, deadline=None)
@given(STEPS)
def test_index_agrees_with_its_content_after_any_history(
    steps: list[tuple[str, int, str, str]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        _live_through(steps, connect(Path(folder) / "memory.db"))


def _live_through(steps: list[tuple[str, int, str, str]], db: sqlite3.Connection) -> None:
    for step, minute, session, word in steps:
        with transaction(db):
            if step == "add":
                fold(db, [note(minute, session, word)], detector=None, now=NOW)
            elif step == "drop":
                db.execute("delete from episodes where n = 1 + ?", (minute,))
            else:
                db.execute("update episodes set body = ? where n = 1 + ?", (word, minute))
    check(db)
    before = {word: found(db, word) for word in ("apple", "berry", "cherry")}
    db.execute("insert into words (words) values ('rebuild')")
    assert {word: found(db, word) for word in before} == before
    db.close()


def test_words_stand_with_the_episode_and_the_one_after_it(tmp_path: Path) -> None:
    db = connect(tmp_path / "memory.db")
    events = [note(1, "s", "apple"), note(2, "s", "berry"), note(3, "s", "cherry")]
    with transaction(db):
        fold(db, [*events, note(2, "other", "melon")], detector=None, now=NOW)
    assert found(db, "apple") == {1, 2}
    assert found(db, "cherry") == {3}
    assert found(db, "melon") == {4}
    with transaction(db):
        db.execute("delete from episodes where n = 1")
    assert found(db, "apple") == set()
    db.close()
