"""A model beside a whole memory: when it is asked, and what of its verdict is stored."""

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest

from remem_core import Memory
from remem_core.embed import Embedder
from remem_core.errors import ModelSettingError, ModelWarning
from remem_protocol import AgentTurn, Correction, PersonTurn, Session, Turn

# Of these the detectors are sure of some, unsure of some, and take the rest for what they are.
SAID = [
    "maybe the shelf labels could be shorter",
    "maybe the kiln table could be sorted",
    "thanks, that reads well",
    "no, never write to the cellar table",
    "maybe the second page could be wider",
    "maybe the house names could be bigger",
]


def session(name: str = "s1") -> Session:
    minute = f"2026-03-{'03' if name == 's1' else '04'}T09:{{:02}}:00.000000Z".format
    turns: list[Turn] = []
    for n, said in enumerate(SAID):
        reply = "Done. I've labelled the shelves, the tests pass."
        turns.append(AgentTurn(at=minute(n), text=reply))
        turns.append(PersonTurn(at=minute(n), text=said, via="prompt"))
    return Session(
        id=name, agent="claude-code", started=minute(0), ended=minute(59), turns=tuple(turns)
    )


def rows(home: Path) -> list[str]:
    """Return the events in the store as they are written, in the order of their rows."""
    with contextlib.closing(sqlite3.connect(home / "memory.db")) as db:
        return [line for (line,) in db.execute("select event from episodes order by n")]


def candidates_in(lines: list[str]) -> list[str]:
    """Return the words of the candidates among events."""
    return [event["said"] for event in map(json.loads, lines) if event.get("candidate")]


@pytest.fixture
def candidates(memory: Memory) -> list[str]:
    """What the detectors alone are unsure of, by its words."""
    events = memory.inspect(session(), candidates=True)
    found = [e.said for e in events if isinstance(e, Correction) and e.candidate]
    assert len(found) >= 3  # else there is nothing here to drop and to put in order
    return found


@pytest.fixture
def plain(tmp_path: Path, hashed: Embedder) -> list[str]:
    """What is stored without a model."""
    with Memory.open(tmp_path / "plain", embedder=hashed) as memory:
        memory.ingest([session()])
    return rows(tmp_path / "plain")


@pytest.fixture
def named(model, plain, monkeypatch):
    """The model, named in the owner's setting after `plain` was made without."""
    monkeypatch.setenv("REMEM_LLM", f"{model.url}#small:4b")
    return model


def test_nothing_is_asked_unless_a_model_is_named(memory, home, model, candidates, plain):
    memory.ingest([session()])
    assert model.paths == []
    assert rows(home) == plain


def test_what_the_model_drops_is_not_stored_and_the_rest_is_likeliest_first(
    memory, home, named, candidates
):
    named.says(none=[1], order=list(range(len(candidates), 1, -1)))
    memory.ingest([session()])
    assert candidates_in(rows(home)) == candidates[:0:-1]
    assert [item["said"] for item in named.shown] == candidates


def test_words_that_are_kept_stay_as_they_were_byte_for_byte(
    memory, home, named, candidates, plain
):
    named.says(none=[], order=list(range(len(candidates), 0, -1)))
    memory.ingest([session()])
    assert sorted(rows(home)) == sorted(plain)


def test_model_changes_nothing_of_what_the_detectors_are_sure_of(
    memory, home, named, candidates, plain
):
    named.says(none=list(range(1, len(candidates) + 1)), order=[])
    report = memory.ingest([session()])
    assert report.by_kind["correction"] >= 1
    assert candidates_in(rows(home)) == []
    assert rows(home) == [line for line in plain if '"candidate":true' not in line]


def test_failure_leaves_all_as_it_was_and_ends_the_asking(memory, home, named, candidates, plain):
    named.content = "I have promoted every candidate."
    with pytest.warns(ModelWarning, match="small:4b at http://127.0.0.1.*gave no verdict"):
        memory.ingest([session()])
    assert rows(home) == plain
    memory.ingest([session("s2")])
    assert len(named.asked) == 1


def test_looking_sends_nothing(memory, named, candidates):
    memory.ingest([session()], dry_run=True)
    memory.inspect(session(), candidates=True)
    assert named.paths == []


def test_wrong_setting_is_an_error_before_anything_is_stored(memory, home, monkeypatch):
    monkeypatch.setenv("REMEM_LLM", "crystal-ball")
    with pytest.raises(ModelSettingError, match="REMEM_LLM must be"):
        memory.ingest([session()])
    assert rows(home) == []
    memory.ingest([session()], dry_run=True)  # needs no model
