"""Forks and subagents copy their parent's history: it is not theirs, and not said twice."""

from pathlib import Path

import pytest
from claude_files import Json, said
from codex_files import NEW_TURN, OLD_TURN, PARENT, SESSION, Rollout, rollout, transcripts, unified

SPAWNED = {"subagent": {"thread_spawn": {"parent_thread_id": PARENT, "depth": 1}}}


def copied(r: Rollout, **fields: object) -> list[Json]:
    """The parent's first row and history, as a fork begins with them."""
    turn = [r.context(turn_id=OLD_TURN), *r.user("the parent's words"), *r.ran("p", unified("x"))]
    return [r.meta(PARENT, **fields), *turn]


def at(stamp: str, rows: list[Json]) -> list[Json]:
    return [row | {"timestamp": stamp} for row in rows]


def test_fork_has_its_own_name_and_only_its_own_words(tmp_path: Path) -> None:
    r = Rollout()
    own = [r.context(turn_id=NEW_TURN), *r.user("the child's words"), *r.agent("ok")]
    path = rollout(tmp_path, r.meta(forked_from_id=PARENT), copied(r), own)
    (transcript,) = transcripts(path)
    turns = list(transcript.turns)
    assert (transcript.head.id, transcript.head.parent) == (SESSION, None)
    assert said(turns) == [("prompt", "the child's words")]
    assert len(turns) == 2


@pytest.mark.parametrize("begins", ["turn_context", "task_started"])
def test_first_turn_of_a_fork_is_its_own(tmp_path: Path, begins: str) -> None:
    r = Rollout()
    event = r.event("task_started", turn_id=NEW_TURN)
    start = event if begins == "task_started" else r.context(turn_id=NEW_TURN)
    stamp = "2026-03-04T05:00:00.300Z"  # all in one moment: only the turns' names tell
    rows = at(stamp, [r.meta(forked_from_id=PARENT), *copied(r), start, *r.user("mine")])
    (transcript,) = transcripts(rollout(tmp_path, rows))
    assert said(list(transcript.turns)) == [("prompt", "mine")]


def test_fork_without_names_of_turns_is_told_by_the_time_of_copying(tmp_path: Path) -> None:
    r = Rollout(start=60)
    history = [r.meta(PARENT), r.context(), *r.user("the parent's"), *r.agent("ok")]
    copies = at("2026-03-04T05:00:00.400Z", history)
    meta = r.meta(forked_from_id=PARENT) | {"timestamp": "2026-03-04T05:00:00.300Z"}
    path = rollout(tmp_path, meta, copies, r.context(), r.user("mine"))
    (transcript,) = transcripts(path)
    assert said(list(transcript.turns)) == [("prompt", "mine")]


def test_subagent_has_a_parent_and_nobodys_words(tmp_path: Path) -> None:
    r = Rollout()
    own = [r.event("task_started", turn_id=NEW_TURN), *r.user("look into it"), *r.agent("Found.")]
    meta = r.meta(source=SPAWNED, session_id=PARENT)
    (transcript,) = transcripts(rollout(tmp_path, meta, copied(r), own))
    turns = list(transcript.turns)
    assert (transcript.head.id, transcript.head.parent) == (SESSION, PARENT)
    assert [turn.text for turn in turns] == ["Found."]


def test_own_history_begins_where_the_meta_row_says(tmp_path: Path) -> None:
    r = Rollout()
    meta = r.meta(source=SPAWNED, subagent_history_start_ordinal=3) | {"ordinal": 0}
    rows = [
        r.meta(PARENT) | {"ordinal": 1},
        *(row | {"ordinal": 2} for row in r.agent("the parent's")),
        *(row | {"ordinal": 3} for row in r.agent("the child's")),
    ]
    (transcript,) = transcripts(rollout(tmp_path, meta, rows))
    assert [turn.text for turn in transcript.turns] == ["the child's"]


def test_meta_of_another_session_in_the_middle_changes_nothing(tmp_path: Path) -> None:
    r = Rollout()
    path = rollout(tmp_path, r.meta(), r.user("one"), r.agent("ok"), r.meta(PARENT), r.user("two"))
    (transcript,) = transcripts(path)
    assert transcript.head.id == SESSION
    assert said(list(transcript.turns)) == [("prompt", "one"), ("prompt", "two")]


def test_subagent_that_copied_nothing_keeps_its_first_turn(tmp_path: Path) -> None:
    r = Rollout()
    own = [r.event("task_started", turn_id=NEW_TURN), *r.user("look"), *r.ran("a", unified("x"))]
    meta = r.meta(source=SPAWNED)
    (transcript,) = transcripts(rollout(tmp_path, meta, own))
    assert len(list(transcript.turns)) == 1
