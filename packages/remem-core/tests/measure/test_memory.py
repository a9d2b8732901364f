"""A measure of a memory: read from the store, without what may not be told."""

import datetime
from collections.abc import Iterator

import pytest
from invented import BARGE, FERRY, START, at

from remem_core import Memory
from remem_core.embed import Embedder
from remem_core.lessons.changes import Change, revised
from remem_core.lessons.identity import lesson_id, words_hash
from remem_core.lessons.sources import source_of
from remem_core.lessons.wording import tell
from remem_core.measure import Shown
from remem_core.morning import gather, write
from remem_core.store.connection import connect
from remem_protocol import AgentTurn, Correction, Lesson, PersonTurn, Session

NIGHT = at(30)


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime.datetime:
        return self.now

    def to(self, day: float) -> None:
        self.now = START + datetime.timedelta(days=day)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def office(home, hashed: Embedder, clock: Clock) -> Iterator[Memory]:  # type: ignore[no-untyped-def]
    with Memory.open(home, clock=clock, embedder=hashed) as opened:
        yield opened


def work(
    memory: Memory, session: str, day: int, project: str = FERRY, parent: str | None = None
) -> None:
    """Let a session take place in which nothing surprised."""
    turns = (
        PersonTurn(at=at(day), text="Moor the ferry."),
        AgentTurn(at=at(day, 60), text="It is moored."),
    )
    memory.ingest(
        [Session(id=session, agent="codex", project=project, parent=parent, started=at(day),
                 ended=at(day, 60), turns=turns)], embed=False,
    )  # fmt: skip


def said(memory: Memory, words: str, session: str, day: int) -> Correction:
    """Let the person correct the agent."""
    event = Correction(at=at(day, 30), source="owner", session=session, project=FERRY, said=words,
                       cause="message")  # fmt: skip
    memory.emit([event], embed=False)
    return event


def learn(memory: Memory, *events: Correction) -> Lesson:
    """Let a lesson be made of these in the night."""
    sources = [found for event in events if (found := source_of(event))]
    text = tell("correction", sources)
    made = Lesson(
        id=lesson_id("correction", FERRY, sources[0].id), text=text, kind="correction",
        project=FERRY, strength=1.0, seen=len(sources), sources=tuple(s.id for s in sources),
        created=NIGHT, updated=NIGHT, hash=words_hash("correction", text),
    )  # fmt: skip
    memory.change(Change(verb="CREATE", subject=made.id, at=NIGHT, after=(made,)))
    return made


def sleep(memory: Memory, day: int) -> None:
    """Leave the report of a night in which nothing changed."""
    db = connect(memory.places.db)
    write(memory.places, gather(db, now=at(day), since_seq=0))
    db.close()


@pytest.fixture
def tide(office: Memory, clock: Clock) -> Lesson:
    """A lesson said on day 2, again on 10 and 20; sessions on 25 days, the last night on day 40."""
    for day in range(25):
        work(office, f"s{day}", day)
        work(office, f"b{day}", day, project=BARGE)
    words = "no, read the tide table"
    made = learn(office, *(said(office, words, f"s{day}", day) for day in (2, 10, 20)))
    clock.to(40)
    sleep(office, 40)
    return made


def course_of(memory: Memory, lesson: Lesson, *shown: Shown):  # type: ignore[no-untyped-def]
    told = memory.measure(shown)
    return next(one.course for one in told.lessons if one.course.lesson == lesson.id)


def test_memory_measures_what_it_holds(office: Memory, tide: Lesson) -> None:
    shown = Shown(at(12), "s12", lessons=(tide.id,)), Shown(at(20), "s20")
    course = course_of(office, tide, *shown)
    assert (course.before.repeats, course.after.repeats) == (1, 1)
    assert course.before.sessions == pytest.approx(9.5, abs=0.01)
    assert course.text == tide.text


def test_vetoed_lesson_is_measured_no_more_and_its_neighbour_is(
    office: Memory, tide: Lesson
) -> None:
    other = learn(office, said(office, "count the buoys from the pier", "s3", 3))
    shown = [Shown(at(12), "s12", lessons=(tide.id, other.id))]
    office.veto(tide.id)
    told = office.measure(shown)
    assert [one.course.lesson for one in told.lessons] == [other.id]
    assert "tide" not in repr(told)
    assert told.arms.told.sessions == 1
    office.veto(other.id)
    assert office.measure(shown).arms.told.sessions == 0


def test_subagents_are_no_sessions_of_the_person(office: Memory, tide: Lesson) -> None:
    before = course_of(office, tide)
    work(office, "s5/agent", 5, parent="s5")
    assert course_of(office, tide) == before


def test_session_read_since_the_last_night_waits_for_the_next(
    office: Memory, tide: Lesson, clock: Clock
) -> None:
    clock.to(45)
    work(office, "late", 24)
    told = office.measure()
    assert (told.until, told.unread, told.sessions) == (at(40), 1, 50)
    sleep(office, 45)
    told = office.measure()
    assert (told.until, told.unread, told.sessions) == (at(45), 0, 51)


def test_night_is_known_by_the_ledger_where_its_report_is_gone(
    office: Memory, tide: Lesson
) -> None:
    office.places.morning.unlink()
    assert office.measure().until == at(40)  # as of now: no night is known
    grown = said(office, "tide table first!", "s22", 22)
    stored = office.lesson(tide.id)
    more = (*stored.sources, grown.id)
    changed = revised(stored, sources=more, updated=at(35))
    office.change(
        Change(verb="CORROBORATE", subject=tide.id, at=at(35), before=(stored,), after=(changed,))
    )
    assert office.measure().until == at(35)


def test_empty_memory_can_be_measured(office: Memory) -> None:
    assert office.measure().arms.verdict == "not-enough-data"
