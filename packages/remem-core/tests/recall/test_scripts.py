"""In every script: what is asked is found first, what shares no word with it is not found."""

import datetime
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from remem_core import Memory
from remem_core.embed import Embedder
from remem_core.segment import plain, segment
from remem_protocol import Note

NOW = datetime.datetime(2026, 6, 1, 12, 0, tzinfo=datetime.UTC)
SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.toml"))


class Case(NamedTuple):
    """A question to one script's memory, and the text that it is about."""

    script: str
    ask: str
    text: str


def _cases(part: str) -> list[object]:
    found = []
    for file in SCRIPTS:
        given = tomllib.loads(file.read_text("utf-8"))
        for ask, key in given[part].items():
            case = Case(file.stem, ask, given["remember"][key])
            found.append(pytest.param(case, id=f"{file.stem}-{ask}"))
    return found


@pytest.fixture(scope="module", params=["words", "words and meaning"])
def memories(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, hashed: Embedder
) -> Iterator[dict[str, Memory]]:
    """A memory a script; with its vectors, or by its words alone."""
    opened = {}
    for file in SCRIPTS:
        home = tmp_path_factory.mktemp(file.stem) / "home"
        memory = Memory.open(home, clock=lambda: NOW, embedder=hashed)
        texts = tomllib.loads(file.read_text("utf-8"))["remember"].values()
        notes = [Note(text=t, at="2026-05-01T10:00:00.000000Z", source="owner") for t in texts]
        memory.emit(notes, embed=request.param != "words")
        opened[file.stem] = memory
    yield opened
    for memory in opened.values():
        memory.close()


def test_every_script_has_enough_of_both() -> None:
    for file in SCRIPTS:
        given = tomllib.loads(file.read_text("utf-8"))
        assert len(given["found"]) >= 3, file.stem
        assert len(given["missed"]) >= 2, file.stem


@pytest.mark.parametrize("case", _cases("found"))
def test_question_finds_its_text_first(memories: dict[str, Memory], case: Case) -> None:
    hits = memories[case.script].recall(case.ask, touch=False)
    assert [hit.text for hit in hits[:1]] == [case.text]
    assert hits[0].parts.keyword > 0


@pytest.mark.parametrize("case", _cases("missed"))
def test_question_finds_no_text_that_shares_no_word(
    memories: dict[str, Memory], case: Case
) -> None:
    hits = memories[case.script].recall(case.ask, touch=False)
    assert case.text not in [hit.text for hit in hits if hit.parts.keyword > 0]


def test_ascii_comes_back_as_the_same_object() -> None:
    text = "plain words, a/path.py and --flags"
    assert segment(text) is text
    assert plain(text) is text


def test_other_spellings_follow_the_text_so_that_phrases_stay_whole() -> None:
    assert segment("Größe 42 prüfen") == "Grosse 42 prufen Groesse pruefen"
