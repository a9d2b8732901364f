"""Random weeks of work, random nights, random vetoes: what must hold whatever happened."""

import datetime
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from remem_core import Memory
from remem_core.embed import Embedder
from remem_protocol import Correction, Environment, Event, Failure, Lesson, Surprise, decode_event

NOW = datetime.datetime(2026, 6, 1, 3, 0, tzinfo=datetime.UTC)
DAY = datetime.timedelta(days=1)
PROJECTS = ("git:example.org/a", "git:example.org/b", None)
WISHES = (
    "never push to main without asking me",
    "never push to main without asking",
    "always push to main without asking me",
    "don't delete my scratch notes",
    "never run the formatter on vendored code",
    "always run the formatter on vendored code",
    "use uv, not pip",
    "use uv, not pip!",
    "the other one",
)
FAILURES = ("error: unknown flag: --detach", "fatal: no such remote", "jq: parse error at line 3")
ADMISSIONS = ("I was wrong about the retry header.", "I had missed that the cache is shared.")

happened = st.tuples(
    st.sampled_from(["correction", "error", "environment", "surprise", "candidate", "outsider"]),
    st.integers(0, 8),  # which words
    st.sampled_from(PROJECTS),
    st.integers(0, 40),  # on which day
    st.integers(0, 2),  # in which session of that day
)
histories = st.lists(happened, min_size=3, max_size=30, unique=True)
slept = st.lists(st.integers(0, 45), min_size=1, max_size=4, unique=True).map(sorted)


def event(told: tuple[str, int, str | None, int, int]) -> Event:
    kind, which, project, day, session = told
    common: dict[str, Any] = {
        "at": NOW + DAY * day + datetime.timedelta(minutes=which),
        "project": project,
        "session": f"{project}-{day}-{session}",
    }
    if kind == "surprise":
        return Surprise(statement=ADMISSIONS[which % 2], source="agent", **common)
    if kind in ("error", "environment"):
        made = Failure if kind == "error" else Environment
        return made(
            tool="Bash", call="make web", failure=FAILURES[which % 3], source="tool", **common
        )
    return Correction(
        said=WISHES[which],
        cause="message",
        source="external" if kind == "outsider" else "owner",
        candidate=kind == "candidate",
        **common,
    )


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(histories, slept, st.integers(0, 3))
def test_what_must_hold_whatever_happened(
    hashed: Embedder, history: list[Any], nights: list[int], vetoed: int
) -> None:
    events = [event(told) for told in history]
    with (
        tempfile.TemporaryDirectory() as folder,
        Memory.open(Path(folder), clock=lambda: NOW, embedder=hashed) as memory,
    ):
        memory.emit(events)
        before: list[Lesson] = []
        for night in nights:
            assert memory.sleep(NOW + DAY * night).finished
            now = memory.lessons(archived=True, closed=True)
            _nothing_is_dropped(before, now, memory)
            before = now
        _rests_on_what_may_teach(memory, before)
        _the_ledger_has_no_gaps(memory)
        if before:
            _a_veto_holds(memory, before[vetoed % len(before)], NOW + DAY * (nights[-1] + 1))


def _nothing_is_dropped(before: Sequence[Lesson], now: Sequence[Lesson], memory: Memory) -> None:
    """Every source that a lesson had rests in the lesson of its name, or of a part of it."""
    sources = {source for lesson in now for source in lesson.sources}
    for lesson in before:
        assert set(lesson.sources) <= sources
        assert memory.lesson(lesson.id)  # its id still names one


def _rests_on_what_may_teach(memory: Memory, lessons: Sequence[Lesson]) -> None:
    covered: set[str] = set()
    for lesson in lessons:
        assert covered.isdisjoint(lesson.sources)  # what teaches one teaches no other
        covered |= set(lesson.sources)
        told = [decode_event(memory.show(id_).event.encode()) for id_ in lesson.sources]
        assert all(isinstance(e, Correction | Failure | Surprise) for e in told)
        assert not any(isinstance(e, Correction) and e.candidate for e in told)
        assert all(e.source != "external" for e in told)  # type: ignore[union-attr]
        projects = {e.project for e in told}  # type: ignore[union-attr]
        assert lesson.project is None or projects == {lesson.project}
        assert lesson.kind == "correction" or len(told) > 1
        said = {e.said.split()[0] for e in told if isinstance(e, Correction)}
        assert not {"never", "always"} <= said  # a wish and its opposite are two


def _the_ledger_has_no_gaps(memory: Memory) -> None:
    entries = memory.ledger()
    assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
    for entry in entries:
        if entry.verb == "CORROBORATE":
            (old,), (new,) = json.loads(entry.before or ""), json.loads(entry.after or "")
            assert old["text"] == new["text"]
            assert set(old["sources"]) < set(new["sources"])


def _a_veto_holds(memory: Memory, lesson: Lesson, later: datetime.datetime) -> None:
    memory.veto(lesson.id)
    memory.sleep(later)
    there = memory.lessons(archived=True, closed=True)
    assert all(other.hash != lesson.hash for other in there)
    assert all(set(lesson.sources).isdisjoint(other.sources) for other in there)
