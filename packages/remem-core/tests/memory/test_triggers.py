"""A note's trigger brings it to mind when it stands in a question, whole."""

import datetime
from typing import Any

import pytest

from remem_core import Memory
from remem_protocol import Note

DAY = datetime.datetime(2026, 5, 1, tzinfo=datetime.UTC)


def reminder(trigger: str, text: str = "ask Ana first", **more: Any) -> Note:
    at = DAY.isoformat().replace("+00:00", ".000000Z")
    return Note(text=text, trigger=trigger, layer="procedural", at=at, source="owner", **more)


def fired(memory: Memory, query: str, **more: Any) -> bool:
    hits = memory.recall(query, touch=False, **more)
    return any(hit.text == "ask Ana first" and hit.parts.keyword > 0 for hit in hits)


@pytest.mark.parametrize(
    ("trigger", "query"),
    [
        ("deploy", "how do we Deploy?"),
        ("deploy, ship it", "let us ship it!"),
        ("ship it", "(ship, it)"),
        ("--force", "git push --force now"),
        ("PROD-7", "what is prod-7"),
        ("部署", "怎么部署到生产环境"),
        ("数据库", "备份数据库吧"),
        ("выкатка", "когда выкатка"),
        ("प्रकाशन", "अगला प्रकाशन कब"),
    ],
)
def test_trigger_fires_on_whole_words(memory: Memory, trigger: str, query: str) -> None:
    memory.emit([reminder(trigger)])
    assert fired(memory, query)


@pytest.mark.parametrize(
    ("trigger", "query"),
    [
        ("deploy", "the deployment notes"),
        ("deploy", "redeploy"),
        ("ship it", "ship the thing, quickly"),
        ("ship it", "it ships"),
        ("部署", "部门在哪里"),
        ("प्रकाशन", "प्रकाश"),
        (" , ,", "anything at all"),
    ],
)
def test_trigger_keeps_silent_at_parts_of_words(memory: Memory, trigger: str, query: str) -> None:
    memory.emit([reminder(trigger)])
    assert not fired(memory, query)


def test_trigger_holds_in_its_project(memory: Memory) -> None:
    memory.emit([reminder("deploy", project="a")])
    assert fired(memory, "deploy", project="a")
    assert not fired(memory, "deploy", project="b")


def test_expired_future_and_superseded_notes_do_not_fire(memory: Memory) -> None:
    over = reminder("deploy", valid_until="2026-05-20T00:00:00.000000Z")
    memory.emit([over, reminder("release", "later", valid_from="2026-12-01T00:00:00.000000Z")])
    assert not fired(memory, "deploy")
    assert fired(memory, "deploy", at="2026-05-10T00:00:00Z")
    assert memory.recall("release", touch=False) == []
    old = reminder("rollback")
    new = Note(text="ask Ben", at="2026-05-02T00:00:00.000000Z", source="owner", supersedes=old.id)
    memory.emit([old])
    assert fired(memory, "rollback")
    memory.emit([new])
    assert not fired(memory, "rollback")


def test_what_fires_stands_beside_what_the_words_find(memory: Memory) -> None:
    at = "2026-05-01T00:00:00.000000Z"
    memory.emit([reminder("deploy"), Note(text="deploy with make ship", at=at, source="owner")])
    found = {hit.text for hit in memory.recall("how do we deploy", touch=False)}
    assert found == {"ask Ana first", "deploy with make ship"}


def test_trigger_and_validity_of_a_note_told_again_take_the_place_of_the_first(
    memory: Memory,
) -> None:
    memory.emit([reminder("deploy")])
    memory.emit([reminder("release")])  # the same note: neither is part of its id
    assert not fired(memory, "deploy")
    assert fired(memory, "release")
    memory.emit([reminder("release", valid_until="2026-05-20T00:00:00.000000Z")])
    assert not fired(memory, "release")
