"""One thing said twice is one hit that counts; two things said alike are two."""

import datetime
from typing import Any

from remem_core import Memory
from remem_protocol import Correction, Note

DAY = datetime.datetime(2026, 5, 1, tzinfo=datetime.UTC)
LONG = "please run the whole test suite before you push anything to the main branch"


def note(text: str, *, days: int = 0, **more: Any) -> Note:
    return Note(text=text, at=DAY + datetime.timedelta(days=days), source="owner", **more)  # type: ignore[arg-type]


def counted(memory: Memory, query: str, **more: Any) -> list[tuple[str, int]]:
    return [(hit.text, hit.times) for hit in memory.recall(query, touch=False, **more)]


def test_same_words_are_one_hit_that_counts(memory: Memory) -> None:
    memory.emit(note(LONG, days=day) for day in range(5))
    [hit] = memory.recall("test suite before push", touch=False)
    assert hit.times == 5
    assert hit.at.startswith("2026-05-05")  # the newest of them


def test_punctuation_case_and_one_word_in_ten_do_not_make_another_thing(memory: Memory) -> None:
    memory.emit([note(LONG), note(LONG.upper() + "!", days=1), note(f"{LONG} again", days=2)])
    assert [times for _, times in counted(memory, "test suite before push")] == [3]


def test_number_name_with_digits_or_other_words_make_another_thing(memory: Memory) -> None:
    memory.emit([note(f"{LONG} on port 80"), note(f"{LONG} on port 81", days=1)])
    memory.emit([note(f"{LONG} and wait for Ana to read it first", days=2)])
    assert [times for _, times in counted(memory, "test suite before push")] == [1, 1, 1]


def test_other_project_and_other_kind_stay_apart(memory: Memory) -> None:
    said = Correction(said=LONG, cause="message", at=note("x").at, source="owner", project="a")
    memory.emit([note(LONG, project="a"), note(LONG, project="b", days=1), said])
    assert [times for _, times in counted(memory, "test suite before push")] == [1, 1, 1]
    assert len(counted(memory, "test suite before push", project="a")) == 2


def test_duplicates_take_no_places_from_others(memory: Memory) -> None:
    memory.emit(note(LONG, days=day) for day in range(20))
    memory.emit([note("the test suite takes an hour", days=-300)])
    found = counted(memory, "test suite", limit=2)
    assert found == [(LONG, 20), ("the test suite takes an hour", 1)]


def test_vowel_signs_tell_words_apart(memory: Memory) -> None:
    memory.emit([note("कमल कल काला"), note("कमाल काल कला", days=1)])
    assert [times for _, times in counted(memory, "कमल कमाल")] == [1, 1]
