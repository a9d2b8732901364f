"""A note's versions, the oldest first, whatever order they came in."""

import itertools
import json

import pytest

from remem_core import Memory
from remem_protocol import Correction, Note, NotFoundError

ONE = Note(text="port 80", at="2026-05-01T00:00:00.000000Z", source="owner")
TWO = Note(text="port 81", at="2026-05-02T00:00:00.000000Z", source="owner", supersedes=ONE.id)
THREE = Note(text="port 82", at="2026-05-03T00:00:00.000000Z", source="owner", supersedes=TWO.id)
CHAIN = (ONE, TWO, THREE)


def told(memory: Memory, id_: str) -> list[str]:
    return [json.loads(episode.event)["text"] for episode in memory.history(id_)]


@pytest.mark.parametrize(
    "order", list(itertools.permutations(CHAIN)), ids=lambda o: "-".join(n.text[-1] for n in o)
)
def test_chain_of_three_is_whole_from_each_of_them(memory: Memory, order: tuple[Note, ...]) -> None:
    for note in order:
        memory.emit([note])
    for note in CHAIN:
        assert told(memory, note.id[:8]) == ["port 80", "port 81", "port 82"]
    assert [hit.text for hit in memory.recall("port", touch=False)] == ["port 82"]


def test_each_version_answers_for_its_time(memory: Memory) -> None:
    memory.emit(CHAIN)
    for day, text in ((1, "port 80"), (2, "port 81"), (3, "port 82")):
        at = f"2026-05-0{day}T12:00:00Z"
        assert [hit.text for hit in memory.recall("port", at=at, touch=False)] == [text]


def test_other_project_takes_no_part(memory: Memory) -> None:
    other = Note(
        text="port 99",
        at="2026-05-02T00:00:00.000000Z",
        source="owner",
        project="b",
        supersedes=ONE.id,
    )
    memory.emit([ONE, other])
    assert told(memory, ONE.id) == ["port 80"]
    assert told(memory, other.id) == ["port 99"]


def test_other_kinds_have_themselves(memory: Memory) -> None:
    said = Correction(said="no", cause="message", at="2026-05-01T00:00:00.000000Z", source="owner")
    memory.emit([said])
    assert [episode.id for episode in memory.history(said.id)] == [said.id]


def test_forgotten_version_leaves_the_chain(memory: Memory) -> None:
    memory.emit(CHAIN)
    memory.forget(ONE.id)
    assert told(memory, THREE.id) == ["port 81", "port 82"]
    with pytest.raises(NotFoundError):
        memory.history(ONE.id)
