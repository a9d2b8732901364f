"""Whole nights on a real store: what is learned, resumed, kept apart, vetoed and taken back."""

import datetime
import io
import itertools
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import filelock
import pytest

from remem_core import Memory
from remem_core.embed import Embedder, open_embedder
from remem_core.errors import BusyError
from remem_core.sleep import asleep
from remem_core.sleep.deciding import PASSES
from remem_protocol import Correction, Environment, Event, Failure, Lesson, Surprise

NOW = datetime.datetime(2026, 6, 1, 3, 0, tzinfo=datetime.UTC)
DAY = datetime.timedelta(days=1)
LATER = NOW + DAY * 60  # the clock of a memory stands still, its nights go on
A, B = "git:example.org/ana/orchard", "git:example.org/ana/meadow"


def correct(said: str, day: int, project: str | None = A, **more: Any) -> Correction:
    return Correction(
        said=said,
        agent_did=more.pop("did", None),
        cause="message",
        source="owner",
        at=NOW - DAY * (30 - day),
        session=f"s{day}",
        project=project,
        **more,
    )


def fail(failure: str, day: int, project: str | None = A, kind: type = Failure) -> Event:
    event: Event = kind(
        tool="Bash",
        call="nomad job run web.hcl",
        failure=failure,
        source="tool",
        at=NOW - DAY * (30 - day),
        session=f"s{day}",
        project=project,
    )
    return event


def weeks() -> list[Event]:
    """Return some weeks of two projects: wishes repeated, narrowed and taken back, and traps."""
    events: list[Event] = [
        correct("never push to main without asking me", 1),
        correct("never push to main without asking me!", 4),
        correct("never push to main without asking me", 5, B),
        correct("always run the formatter before you commit", 2),
        correct("never run the formatter before you commit", 9),
        correct("don't delete my scratch notes", 3),
        correct("the other one", 6),
        fail("error: unknown flag: --detach", 2),
        fail("error: unknown flag: --detach", 7),
        fail("dial tcp: connection refused", 3, kind=Environment),
        fail("dial tcp: connection refused", 8, kind=Environment),
    ]
    events += [
        Surprise(
            statement="I was wrong about the retry header, it counts seconds.",
            source="agent",
            at=NOW - DAY * (30 - day),
            session=f"s{day}",
            project=A,
        )
        for day in (2, 9)
    ]
    return events


def learned(memory: Memory) -> list[Lesson]:
    return memory.lessons(archived=True, closed=True)


def remembering(home: Path, hashed: Embedder, events: Sequence[Event]) -> Memory:
    memory = Memory.open(home, clock=lambda: NOW, embedder=hashed)
    memory.emit(events)
    return memory


@pytest.fixture
def slept(memory: Memory) -> Memory:
    memory.emit(weeks())
    memory.sleep(NOW)
    return memory


def texts(memory: Memory) -> str:
    return "\n".join(lesson.text for lesson in memory.lessons(at=LATER))


def test_a_night_leaves_a_few_lessons_in_the_persons_words(slept: Memory) -> None:
    found = {lesson.text.partition("”")[0]: lesson for lesson in slept.lessons()}
    pushed = found["The person said: “never push to main without asking me"]
    assert (pushed.seen, pushed.project) == (3, None)
    assert found["The person said: “never run the formatter before you commit"].seen == 1
    assert any(lesson.kind == "error" and lesson.seen == 2 for lesson in found.values())
    assert any(lesson.kind == "surprise" for lesson in found.values())
    assert "the other one" not in texts(slept)


def test_the_machines_state_never_becomes_a_lesson(slept: Memory) -> None:
    assert "connection refused" not in texts(slept)
    assert "unknown flag" in texts(slept)  # while an error of the agent's does


def test_what_was_taken_back_is_closed_and_stays_readable(home: Path) -> None:
    """By the default model: word counts do not tell a wish from its opposite."""
    with remembering(home, open_embedder({}), weeks()) as slept:
        slept.sleep(NOW)
        assert "always run the formatter" not in texts(slept)
        (old,) = (k for k in learned(slept) if "always run the formatter" in k.text)
        (new,) = (k for k in slept.lessons() if "never run the formatter" in k.text)
    assert old.superseded_by == new.id
    assert old.valid_until is not None


def test_a_second_night_with_nothing_new_changes_nothing(slept: Memory) -> None:
    before = learned(slept)
    report = slept.sleep(NOW + datetime.timedelta(hours=1))
    assert report.changes == {}
    assert learned(slept) == before


def test_every_shuffle_of_the_same_events_gives_the_same_lessons(
    tmp_path: Path, hashed: Embedder
) -> None:
    outcomes = []
    for seed in range(20):
        events = weeks()
        random.Random(seed).shuffle(events)
        with remembering(tmp_path / str(seed), hashed, events) as memory:
            memory.sleep(NOW)
            outcomes.append((learned(memory), memory.predictions()))
    assert len(outcomes[0][0]) > 3
    assert all(outcome == outcomes[0] for outcome in outcomes)


@pytest.mark.parametrize("broken_at", [1, 2, 3, 5, 8, 12, 17])
def test_a_broken_off_night_ends_like_one_undisturbed(
    broken_at: int,
    tmp_path: Path,
    hashed: Embedder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with remembering(tmp_path / "calm", hashed, weeks()) as calm:
        calm.sleep(NOW)
        expected = learned(calm), calm.predictions(), _verbs(calm)
    with remembering(tmp_path / "broken", hashed, weeks()) as memory:
        asked = itertools.count()
        monkeypatch.setattr(asleep.time, "monotonic", lambda: 1e9 * (next(asked) >= broken_at))
        assert not memory.sleep(NOW).finished
        monkeypatch.undo()
        report = memory.sleep(NOW + DAY)
        assert report.finished_earlier is not None
        predicted = [p for p in memory.predictions() if p.made == expected[1][0].made]
        assert (learned(memory), predicted) == expected[:2]
        assert _verbs(memory)[: len(expected[2])] == expected[2]


def _verbs(memory: Memory) -> list[tuple[str, str]]:
    return [(e.verb, e.subject) for e in memory.ledger() if e.why != "events folded"]


def test_two_sleeps_do_not_meet(slept: Memory) -> None:
    with filelock.FileLock(slept.places.home / asleep.LOCK), pytest.raises(BusyError):
        slept.sleep(NOW + DAY)
    assert slept.sleep(NOW + DAY).finished


def test_a_dry_run_tells_the_changes_and_makes_none(memory: Memory) -> None:
    memory.emit(weeks())
    told = memory.sleep(NOW, dry_run=True)
    assert memory.lessons() == []
    assert memory.ledger()[-1].why == "events folded"
    assert [p.name for p in memory.places.home.glob("dry-run-*")] == []
    done = memory.sleep(NOW)
    assert told.changes == done.changes
    assert told.told == done.told


def test_what_had_not_happened_yet_is_not_learned(memory: Memory) -> None:
    memory.emit(weeks())
    memory.sleep(NOW - DAY * 28)
    assert "never push to main" in texts(memory)
    assert "scratch notes" not in texts(memory)


def test_a_veto_holds_against_the_same_wish_in_other_words(home: Path) -> None:
    with remembering(home, open_embedder({}), weeks()) as slept:
        slept.sleep(NOW)
        (lesson,) = (k for k in slept.lessons() if "never push to main" in k.text)
        slept.veto(lesson.id)
        slept.emit([correct("never push to main, without asking me first", 28)])
        slept.emit([correct("don't touch the lockfile by hand", 28)])
        slept.sleep(NOW + DAY)
        assert "push to main" not in texts(slept)
        assert "lockfile" in texts(slept)  # while something else is learned
        slept.unveto(lesson.id)
        assert "push to main" in texts(slept)


def test_a_veto_holds_in_an_import(slept: Memory, tmp_path: Path, hashed: Embedder) -> None:
    out = io.BytesIO()
    slept.export(out)
    (lesson,) = (k for k in slept.lessons(at=LATER) if "never push to main" in k.text)
    slept.veto(lesson.id)
    slept.import_(io.BytesIO(out.getvalue()))
    assert "push to main" not in texts(slept)
    with Memory.open(tmp_path / "other", clock=lambda: NOW, embedder=hashed) as other:
        other.import_(io.BytesIO(out.getvalue()))
        assert "push to main" in texts(other)  # where nobody vetoed it


def test_what_the_owner_took_back_is_not_done_again(slept: Memory) -> None:
    (lesson,) = (k for k in slept.lessons(at=LATER) if "scratch notes" in k.text)
    entries = [e for e in slept.ledger(lesson.id) if e.verb == "CREATE"]
    for prediction in (e for e in slept.ledger() if e.verb == "PREDICT"):
        if lesson.id in prediction.why:
            slept.undo(prediction.seq)
    slept.undo(entries[0].seq)
    slept.sleep(NOW + DAY)
    assert "scratch notes" not in texts(slept)
    slept.emit([correct("don't delete my scratch notes!!", 28)])
    slept.sleep(NOW + DAY * 2)
    assert "scratch notes" in texts(slept)  # said again: that is new


def test_a_lesson_of_one_project_is_not_told_in_another(slept: Memory) -> None:
    there = "\n".join(lesson.text for lesson in slept.lessons(B))
    assert "scratch notes" not in there
    assert "never push to main" in there


def test_a_prediction_comes_true_when_it_is_said_again(slept: Memory) -> None:
    slept.emit([correct("don't delete my scratch notes", 33)])
    slept.sleep(NOW + DAY * 4)
    (lesson,) = (k for k in slept.lessons(at=LATER) if "scratch notes" in k.text)
    outcomes = [p.outcome for p in slept.predictions(lesson.id)]
    assert outcomes == ["confirmed", None]


def test_the_vectors_of_linking_are_a_cache(slept: Memory, hashed: Embedder) -> None:
    before = learned(slept)
    slept._db.execute("delete from vectors")
    slept.emit([correct("don't delete my scratch notes", 28)])
    slept.sleep(NOW + DAY)
    (lesson,) = (k for k in slept.lessons(at=LATER) if "scratch notes" in k.text)
    assert lesson.seen == 2
    assert len(learned(slept)) == len(before)


def test_the_night_stops_when_its_time_is_up_and_says_so(memory: Memory) -> None:
    memory.emit(weeks())
    report = memory.sleep(NOW, minutes=0)
    assert not report.finished
    assert memory.sleep(NOW).finished


def test_every_pass_has_its_turn() -> None:
    assert [*PASSES] == [
        "decay",
        "consolidate",
        "contradict",
        "merge",
        "merge over projects",
        "split",
        "reword",
        "verify",
        "predict",
    ]


def test_a_night_slept_through_once_more_changes_nothing(slept: Memory) -> None:
    late = NOW + DAY * 300
    told = slept.sleep(late)
    assert told.changes["ARCHIVE"] > 1  # lessons, and what no lesson rests on
    before = learned(slept), slept.status().archived
    assert slept.sleep(late).changes == {}
    assert (learned(slept), slept.status().archived) == before
    assert slept.sleep(late + DAY).changes == {"ARCHIVE": 1}  # now what they rested on
