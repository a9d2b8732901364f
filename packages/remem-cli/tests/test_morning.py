"""`remem morning`: the last night as the owner reads it, and never what they took away since."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from remem_core import Memory
from remem_core.lessons.changes import Change
from remem_core.lessons.identity import lesson_id, words_hash
from remem_core.lessons.sources import source_of
from remem_core.lessons.wording import tell
from remem_core.morning import gather, write
from remem_core.store import changing
from remem_core.store.connection import connect, transaction
from remem_protocol import Correction, Lesson

# The fixtures of conftest.py.
Run = Callable[..., Any]
NOW = "2026-06-01T04:00:00.000000Z"


@pytest.fixture
def night(machine: Path) -> list[Correction]:
    """A night in which two corrections became lessons; the corrections are returned."""
    said = [
        Correction(at=f"2026-05-28T09:0{n}:00.000000Z", source="owner", said=words, cause="message")
        for n, words in enumerate(("never moor\x1b[31m at the pier", "always count the buoys"))
    ]
    with Memory.open() as memory:
        memory.emit(said, embed=False)
        db = connect(memory.places.db)
        (row,) = db.execute("select max(seq) from ledger").fetchone()
        for event in said:
            _learn(db, event)
        write(memory.places, gather(db, now=NOW, since_seq=row))
        db.close()
    return said


def _learn(db: Any, event: Correction) -> None:
    source = source_of(event)
    assert source is not None
    text = tell("correction", [source])
    lesson = Lesson(
        id=lesson_id("correction", None, source.id), text=text, kind="correction", strength=1.0,
        seen=1, sources=(source.id,), created=NOW, updated=NOW,
        hash=words_hash("correction", text),
    )  # fmt: skip
    change = Change(verb="CREATE", subject=lesson.id, at=NOW, after=(lesson,))
    with transaction(db):
        changing.apply(db, change, unwanted=None)


def test_report_is_printed_and_drives_no_terminal(run: Run, night: list[Correction]) -> None:
    ran = run("morning")
    assert ran.code == 0
    assert ran.out.startswith("# Monday, 1 June 2026\n\n2 learned.\n")
    assert "“always count the buoys”" in ran.out
    assert "\x1b" not in ran.out


def test_page_is_named_and_lies_there(run: Run, night: list[Correction]) -> None:
    ran = run("morning", "--html")
    page = Path(ran.out.strip())
    assert page.name == "morning.html"
    assert "“always count the buoys”" in page.read_text("utf-8")


def test_json_has_the_same_lists(run: Run, night: list[Correction]) -> None:
    told = run("morning", "--json").json
    assert told["now"] == NOW
    assert len(told["learned"]["shown"]) == 2
    assert told["learned"]["more"] == 0


def test_what_was_forgotten_since_is_told_nowhere(run: Run, night: list[Correction]) -> None:
    home = Path(run("morning", "--html").out.strip()).parent
    assert run("forget", "--yes", night[0].id).code == 0
    for file in ("morning.md", "morning.html"):
        text = (home / file).read_text("utf-8")
        assert "pier" not in text
        assert "count the buoys" in text
    assert "pier" not in run("morning").out


def test_what_was_vetoed_since_leaves_the_files_and_comes_back_when_it_is_lifted(
    run: Run, night: list[Correction]
) -> None:
    home = Path(run("morning", "--html").out.strip()).parent
    files = [home / "morning.md", home / "morning.html"]
    with Memory.open() as memory:
        lesson = next(found for found in memory.lessons() if "pier" in found.text)
        memory.veto(lesson.id)
        assert ["pier" in file.read_text("utf-8") for file in files] == [False, False]
        assert all("count the buoys" in file.read_text("utf-8") for file in files)
        memory.unveto(lesson.id)
        assert ["pier" in file.read_text("utf-8") for file in files] == [True, True]
        learned = next(e for e in memory.ledger(lesson.id) if e.verb == "CREATE")
        memory.undo(memory.veto(lesson.id).seq)
        assert ["pier" in file.read_text("utf-8") for file in files] == [True, True]
        memory.undo(learned.seq)
        assert ["pier" in file.read_text("utf-8") for file in files] == [False, False]


def test_before_the_first_night_it_says_so(run: Run) -> None:
    ran = run("morning")
    assert (ran.code, ran.out) == (1, "")
    assert "nothing is remembered yet" in ran.err
    with Memory.open():
        pass
    ran = run("morning")
    assert (ran.code, ran.out) == (1, "")
    assert "there was no night yet; `remem sleep`" in ran.err
