"""Identifiers answer for themselves; what stands beside the matching words comes with them."""

from typing import Any

from remem_core import Memory
from remem_protocol import Note


def turn(text: str, minute: int = 0, **more: Any) -> Note:
    more.setdefault("session", "s1")
    return Note(text=text, at=f"2026-05-01T10:{minute:02d}:00.000000Z", source="owner", **more)


def texts(memory: Memory, query: str, **more: Any) -> list[str]:
    return [hit.text for hit in memory.recall(query, touch=False, **more)]


def test_identifier_that_is_known_stands_alone(memory: Memory) -> None:
    known = "the pin of amber-raven-00123 is 861"
    memory.emit(
        [
            turn(known, session=None),
            turn("the pin of the door is on the fridge", 1, session=None),
            turn("amber-raven-00124 has another pin", 2, session=None),
        ]
    )
    assert texts(memory, "amber-raven-00123") == [known]
    hits = memory.recall("pin of amber-raven-00123", touch=False)
    assert hits[0].text == known
    assert [hit.text for hit in hits if hit.parts.keyword > 0] == [known]


def test_identifier_that_is_unknown_leaves_the_words(memory: Memory) -> None:
    memory.emit([turn("the pin of the door is on the fridge")])
    assert texts(memory, "pin of amber-raven-00999") == ["the pin of the door is on the fridge"]
    assert texts(memory, "what about src/nowhere.py and the fridge") != []


def test_identifier_in_another_project_does_not_gate(memory: Memory) -> None:
    memory.emit([turn("amber-raven-00123 has pin 861", project="b")])
    memory.emit([turn("pins are in the vault", project="a", session="s2")])
    found = texts(memory, "pin of amber-raven-00123", project="a")
    assert found == ["pins are in the vault"]


def conversation(**more: Any) -> list[Note]:
    """A question, its answer in other words, and things that lie further away."""
    return [
        turn("shall I fetch bread", 1, **more),
        turn("where did the quarterly zeppelin figures go", 2, **more),
        turn("they moved to the blue cabinet", 3, **more),
        turn("good, thank you", 4, **more),
        turn("lunch is at noon", 5, **more),
    ]


def test_answer_beside_the_matching_words_comes_up(memory: Memory) -> None:
    memory.emit(conversation())
    found = texts(memory, "quarterly zeppelin figures", limit=2)
    assert found == [
        "where did the quarterly zeppelin figures go",
        "they moved to the blue cabinet",
    ]


def test_other_session_and_other_project_lend_nothing(memory: Memory) -> None:
    question, answer = conversation()[1:3]
    memory.emit([question, turn(answer.text, 3, session="s2")])
    assert texts(memory, "quarterly zeppelin figures") == [question.text]


def test_neighbour_of_another_project_stays_out(memory: Memory) -> None:
    memory.emit([turn("where did the zeppelin figures go", 2, project="a")])
    memory.emit([turn("they moved to the blue cabinet", 3, project="b")])
    scoped = texts(memory, "zeppelin figures", project="a")
    assert scoped == ["where did the zeppelin figures go"]


def test_expired_neighbour_stays_out(memory: Memory) -> None:
    question, answer = conversation()[1:3]
    over = "2026-05-02T00:00:00.000000Z"
    memory.emit([question, turn(answer.text, 3, valid_until=over)])
    assert texts(memory, "quarterly zeppelin figures") == [question.text]
    at = "2026-05-01T12:00:00Z"
    assert texts(memory, "quarterly zeppelin figures", at=at) == [question.text, answer.text]
