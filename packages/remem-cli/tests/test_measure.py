"""`remem measure`: from the log of hooks and the store to what the owner reads."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from remem_agents.priming.attend import attend, is_held_out
from remem_agents.render.apply import Book, write_book
from remem_agents.render.plan import Written
from remem_cli.measuring import filed, logged, shown_to_agents
from remem_core import Memory
from remem_core.lessons.changes import Change
from remem_core.lessons.identity import lesson_id, words_hash
from remem_core.lessons.sources import source_of
from remem_core.lessons.wording import tell
from remem_core.measure import Shown
from remem_protocol import AgentTurn, Correction, Lesson, PersonTurn, Session

# The fixtures of conftest.py.
Run = Callable[..., Any]
NIGHT = "2026-05-10T04:00:00.000000Z"
QUAY = "git:example.org/ana/quay"


def at(day: int, minute: int = 0) -> str:
    return f"2026-05-{day:02}T09:{minute:02}:00.000000Z"


def learn(memory: Memory, event: Correction, project: str | None) -> Lesson:
    source = source_of(event)
    assert source is not None
    text = tell("correction", [source])
    lesson = Lesson(
        id=lesson_id("correction", project, source.id), text=text, kind="correction",
        project=project, strength=1.0, seen=1, sources=(source.id,), created=NIGHT, updated=NIGHT,
        hash=words_hash("correction", text),
    )  # fmt: skip
    memory.change(Change(verb="CREATE", subject=lesson.id, at=NIGHT, after=(lesson,)))
    return lesson


@pytest.fixture
def lessons(machine: Path) -> list[Lesson]:
    """A lesson of a project and one of every project, and ten days of work."""
    with Memory.open() as memory:
        for day in range(1, 11):
            turns = (PersonTurn(at=at(day), text="Moor it."), AgentTurn(at=at(day, 50), text="Ok."))
            memory.ingest(
                [Session(id=f"s{day}", agent="codex", project=QUAY, started=at(day),
                         ended=at(day, 50), turns=turns)], embed=False,
            )  # fmt: skip
        made = []
        for n, (words, project) in enumerate((("count the buoys", QUAY), ("no dashes", None))):
            event = Correction(
                at=at(2, n), source="owner", session="s2", project=QUAY, said=words, cause="message"
            )
            memory.emit([event], embed=False)
            made.append(learn(memory, event, project))
    return made


def log(*calls: dict[str, Any]) -> None:
    """Write what hooks log."""
    with Memory.open() as memory:
        memory.places.primed.mkdir(exist_ok=True)
        lines = [json.dumps(call) for call in calls]
        (memory.places.primed / "log-2026-05.jsonl").write_text("\n".join([*lines, "{cut"]))


def call(day: int, arm: str, *lessons: Lesson) -> dict[str, Any]:
    chosen = [{"id": lesson.id, "why": "words"} for lesson in lessons]
    return {"at": at(day, 5), "agent": "codex", "event": "UserPromptSubmit", "kind": "prompt",
            "session": f"s{day}", "arm": arm, "chosen": chosen, "known": 2}  # fmt: skip


def test_log_is_read_as_it_is_written() -> None:
    calls = [
        {"at": at(1), "session": "a", "arm": "told", "chosen": [{"id": "x", "why": "y"}]},
        {"at": at(1), "session": "b", "arm": "held-out"},
        {"at": at(1), "event": "Stop", "miss": "deadline"},
        {"at": "yesterday", "session": "a", "arm": "told"},
        {"at": at(1), "session": "a", "arm": "told", "chosen": ["x"]},
    ]
    assert list(logged(calls)) == [
        Shown(at(1), "a", False, ("x",)),
        Shown(at(1), "b", True, ()),
    ]


def test_nothing_is_compared_before_a_hook_fired(run: Run, lessons: list[Lesson]) -> None:
    ran = run("measure")
    assert ran.code == 0
    assert "Not enough data yet" in ran.out
    assert "no hook was ever logged; remem setup" in ran.out


def test_arms_of_the_log_are_told(run: Run, lessons: list[Lesson]) -> None:
    log(call(4, "told", lessons[0]), call(5, "held-out", lessons[0]), call(6, "told"))
    told = run("measure", "--json").json
    assert (told["arms"]["told"]["sessions"], told["arms"]["held_out"]["sessions"]) == (1, 1)
    assert told["arms"]["verdict"] == "not-enough-data"
    (buoys,) = [one for one in told["lessons"] if one["course"]["lesson"] == lessons[0].id]
    assert buoys["course"]["in_mind"][:10] == "2026-05-04"
    assert 1.8 < buoys["course"]["after"]["sessions"] < 2
    text = run("measure").out
    assert "told: 0.00 a session (0 in 1 session)" in text
    assert "“count the buoys”" in text


def test_what_a_hook_logs_is_what_is_measured(run: Run, lessons: list[Lesson]) -> None:
    with Memory.open() as memory:
        primed = str(memory.places.primed)

    def judge(moment: Any, said: Any) -> Any:
        return [(lessons[0].id, "because", "a line")], 2, QUAY

    calls = []
    for day in range(3, 9):
        payload = json.dumps({"session_id": f"s{day}", "prompt": "count them"}).encode()
        deadline = time.monotonic() + 60
        entry, _ = attend("codex", "UserPromptSubmit", payload, primed, judge, deadline)
        calls.append({"at": at(day, 5), **entry})
    log(*calls)
    arms = run("measure", "--json").json["arms"]
    held_out = sum(is_held_out(f"s{day}") for day in range(3, 9))
    assert 0 < held_out < 6
    assert (arms["told"]["sessions"], arms["held_out"]["sessions"]) == (6 - held_out, held_out)


def test_since_bounds_it(run: Run, lessons: list[Lesson]) -> None:
    log(call(4, "told", lessons[0]))
    told = run("measure", "--json", "--since", "2026-05-08").json
    assert told["arms"]["told"]["sessions"] == 0
    assert told["sessions"] == 3


def test_page_is_printed_and_nothing_is_left_behind(run: Run, lessons: list[Lesson]) -> None:
    log(call(4, "told", lessons[0]))
    with Memory.open() as memory:
        before = sorted(memory.places.home.rglob("*"))
    ran = run("measure", "--html")
    assert ran.out.startswith("<!doctype html>")
    assert "“count the buoys”" in ran.out
    with Memory.open() as memory:
        assert sorted(memory.places.home.rglob("*")) == before


def test_lessons_in_files_are_in_mind_from_their_beginning(lessons: list[Lesson]) -> None:
    own, everywhere = lessons
    with Memory.open() as memory:
        assert list(filed(memory)) == []
        own_file = Written("claude-code", files={f"remem-{own.id}.md": "0"})
        write_book(memory.places.written, Book(places={"/m/MEMORY.md": own_file}))
        assert list(filed(memory)) == [Shown(NIGHT, None, lessons=(own.id,))]
        places = {"/m/MEMORY.md": own_file, "/c/AGENTS.md": Written("codex")}
        write_book(memory.places.written, Book(places=places))
        assert {shown.lessons[0] for shown in shown_to_agents(memory)} == {own.id, everywhere.id}


def test_vetoed_lesson_is_told_nowhere(run: Run, lessons: list[Lesson]) -> None:
    log(call(4, "told", *lessons))
    assert run("veto", lessons[0].id).code == 0
    for form in ("--json", "--html", "--since=2026-01-01"):
        out = run("measure", form).out
        assert "count the buoys" not in out
        assert "no dashes" in out


def test_without_a_memory_it_says_so(run: Run) -> None:
    ran = run("measure")
    assert (ran.code, ran.out) == (1, "")
    assert "nothing is remembered yet" in ran.err
