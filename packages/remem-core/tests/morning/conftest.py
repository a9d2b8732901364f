"""An invented harbour office, where nights can be slept by hand: each change through the one way
that changes lessons have.
"""

import datetime
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from remem_core import Memory
from remem_core.lessons.changes import Change, Kept, revised
from remem_core.lessons.identity import lesson_id, prediction_id, words_hash
from remem_core.lessons.sources import Source, source_of
from remem_core.lessons.wording import narrowed, tell
from remem_core.store import changing
from remem_core.store.connection import Connection, connect, transaction
from remem_protocol import (
    AgentTurn,
    Alias,
    Correction,
    Event,
    Failure,
    Handback,
    Lesson,
    PersonTurn,
    Prediction,
    Session,
    format_time,
    parse_time,
)

NOW = "2026-06-01T04:00:00.000000Z"
QUAY, CRANE = "git:example.org/ana/quay", "git:example.org/ana/crane"


def at(day: str, minute: int = 0) -> str:
    """Return a time on a day of 2026: `05-28`."""
    return f"2026-{day}T09:{minute:02}:00.000000Z"


class Harbour:
    """A memory with its store, and the verbs of a night as a test writes them."""

    def __init__(self, memory: Memory, db: Connection) -> None:
        self.memory = memory
        self.db = db
        self.now = NOW
        self._minute = 0

    # -- what happened

    def sessions(self, *days: str) -> None:
        """Let sessions take place in which nothing surprised."""
        for day in days:
            turns = (
                PersonTurn(at=at(day), text="Moor the ferry."),
                AgentTurn(at=at(day, 1), text="It is moored."),
            )
            session = Session(
                id=f"s-{day}", agent="claude-code", project=QUAY,
                started=at(day), ended=at(day, 1), turns=turns,
            )  # fmt: skip
            self.memory.ingest([session], embed=False)

    def said(self, words: str, day: str, did: str = "", project: str | None = QUAY) -> Source:
        """Let the person correct the agent."""
        event = Correction(
            at=self._at(day), source="owner", session=f"s-{day}", project=project,
            said=words, cause="message", agent_did=did or None,
        )  # fmt: skip
        return self._source(event)

    def failed(self, call: str, failure: str, day: str, fixed: str | None = None) -> Source:
        """Let a call fail."""
        event = Failure(
            at=self._at(day), source="tool", session=f"s-{day}", project=QUAY,
            tool="Bash", call=call, failure=failure, fixed=fixed,
        )  # fmt: skip
        return self._source(event)

    def asked(self, action: str, answer: Any, said: str, day: str) -> None:
        """Let the agent hand back."""
        self.emit(
            Handback(at=self._at(day), source="owner", act="offer", answer=answer, action=action,
                     said=said)
        )  # fmt: skip

    def emit(self, event: Event) -> None:
        """Store an event."""
        self.memory.emit([event], embed=False)

    def _source(self, event: Event) -> Source:
        self.emit(event)
        source = source_of(event)
        assert source is not None
        return source

    def _at(self, day: str) -> str:
        self._minute = (self._minute + 1) % 60
        return at(day, self._minute)

    # -- what a night does

    @property
    def row(self) -> int:
        """The ledger's last row."""
        return int(self.db.execute("select coalesce(max(seq), 0) from ledger").fetchone()[0])

    def do(self, verb: Any, subject: str, before: Sequence[Kept] = (), after: Sequence[Kept] = (),
           faded: Sequence[str] = (), why: str = "a test") -> None:  # fmt: skip
        """Make a change."""
        change = Change(
            verb=verb, subject=subject, at=self.now, before=tuple(before), after=tuple(after),
            faded=tuple(faded), why=why,
        )  # fmt: skip
        with transaction(self.db):
            changing.apply(self.db, change, unwanted=None, owner=True)

    def learn(self, *sources: Source, project: str | None = QUAY) -> Lesson:
        """Let a lesson be made of these."""
        kind: Any = sources[0].kind
        ordered = sorted(sources, key=lambda s: s.order)
        text = tell(kind, ordered)
        lesson = Lesson(
            id=lesson_id(kind, project, ordered[0].id), text=text, kind=kind, project=project,
            strength=1.0, seen=len(ordered), sources=tuple(s.id for s in ordered),
            created=self.now, updated=self.now, hash=words_hash(kind, text),
        )  # fmt: skip
        self.do("CREATE", lesson.id, after=[lesson])
        return lesson

    def grow(self, lesson: Lesson, source: Source, *, narrower: bool = False) -> Lesson:
        """Let a lesson be said again, or narrowed."""
        text = narrowed(lesson.text, source) if narrower else lesson.text
        grown = revised(
            lesson, text=text, hash=words_hash(lesson.kind, text),
            sources=(*lesson.sources, source.id), updated=self.now,
        )  # fmt: skip
        self.do("REFINE" if narrower else "CORROBORATE", lesson.id, [lesson], [grown])
        return grown

    def merge(self, kept: Lesson, gone: Lesson, sources: Sequence[Source]) -> Lesson:
        """Let two lessons become one."""
        ordered = sorted(sources, key=lambda s: s.order)
        text = tell(kept.kind, ordered)
        one = revised(
            kept, text=text, hash=words_hash(kept.kind, text),
            sources=tuple(s.id for s in ordered), updated=self.now,
        )  # fmt: skip
        alias = Alias(old=gone.id, new=one.id, at=self.now)
        self.do("MERGE", one.id, [kept, gone], [one, alias])
        return one

    def close(self, old: Lesson, new: Lesson) -> None:
        """Let a lesson be taken back by a later one."""
        closed = revised(old, valid_until=at("05-30"), superseded_by=new.id, updated=self.now)
        self.do("CORRECT", old.id, [old], [closed])

    def put_aside(self, lesson: Lesson) -> None:
        """Let a lesson be archived."""
        self.do("ARCHIVE", lesson.id, [lesson], [revised(lesson, archived=self.now)])

    def predict(self, lesson: Lesson, words: str, made: str = NOW) -> Prediction:
        """Let a lesson say what will happen."""
        due = format_time(parse_time(made) + datetime.timedelta(days=14))
        prediction = Prediction(
            id=prediction_id(lesson.id, made), lesson=lesson.id, text=words, made=made, due=due
        )
        self.do("PREDICT", prediction.id, after=[prediction])
        return prediction

    def resolve(self, prediction: Prediction, outcome: Any) -> None:
        """Let it come true or not."""
        settled = Prediction(
            id=prediction.id, lesson=prediction.lesson, text=prediction.text,
            made=prediction.made, due=prediction.due, resolved=self.now, outcome=outcome,
        )  # fmt: skip
        self.do("RESOLVE", prediction.id, [prediction], [settled])


@pytest.fixture
def harbour(memory: Memory) -> Iterator[Harbour]:
    db = connect(memory.places.db)
    yield Harbour(memory, db)
    db.close()


@pytest.fixture
def rich(harbour: Harbour) -> tuple[Harbour, int]:
    """Return a harbour after a night in which everything happened, and the row before it."""
    h = harbour
    days = [f"{month:02}-{day:02}" for month in (4, 5) for day in range(1, 29, 3)]
    h.sessions(*days)
    h.now = "2026-05-20T04:00:00.000000Z"
    tide = h.learn(h.said("no, read the tide table first", "04-04", "I moored the ferry at noon."))
    buoy = h.learn(h.said("the buoys are counted from the pier, not from the sea", "04-10"))
    rope = [h.said("never cut a rope that is under load", "04-13"),
            h.said("ropes under load are not to be cut!", "05-16")]  # fmt: skip
    ropes = [h.learn(source) for source in rope]
    lamp = h.learn(h.said("always light the pier lamp at six", "04-19"))
    hull = h.learn(h.said("we paint hulls in May", "04-22"))
    omens = [h.predict(tide, "The person will have to say again: “read the tide table first”",
                       "2026-05-10T04:00:00.000000Z"),
             h.predict(buoy, "The person will have to say again: “the buoys are counted from the "
                       "pier”", "2026-05-11T04:00:00.000000Z")]  # fmt: skip
    for day in days[3::2]:
        h.failed("crane lift 4", "error: no such berth", day)
    h.now, before = NOW, h.row
    h.learn(
        h.said("use the winch, not the crane", "05-28", "I lifted the dinghy. [calls] Bash(x)"),
        h.said("the winch! I said so on Monday", "05-30"),
    )
    h.learn(h.failed("tide moor --berth 4", "error: unknown option --berth", "05-29",
                     "tide moor --pier 4"),
            h.failed("tide moor --berth 7", "error: unknown option --berth", "05-31",
                     "tide moor --pier 7"))  # fmt: skip
    grown = h.grow(tide, h.said("tide table. first. please.", "05-29"))
    h.grow(buoy, h.said("in the old basin count from the lock", "05-30"), narrower=True)
    h.merge(ropes[0], ropes[1], rope)
    later = h.learn(h.said("leave the pier lamp off, it blinds the pilots", "05-30"))
    h.close(lamp, later)
    h.put_aside(hull)
    h.do("ARCHIVE", "", faded=[h.said("moor the dinghy", "04-02").id])
    h.resolve(omens[0], "confirmed")
    h.resolve(omens[1], "failed")
    h.predict(grown, "The person will have to say again: “read the tide table first”")
    h.asked("Shall I commit the log?", "approved", "yes", "05-28")
    h.asked("Shall I commit it?", "approved", "go", "05-29")
    h.asked("Should I delete the old berth?", "declined", "no", "05-29")
    for day in ("05-29", "05-30"):
        h.emit(Correction(at=at(day, 50), source="owner", said="stop", cause="refusal",
                          agent_did="[calls] Bash(git push origin main)"))  # fmt: skip
    return h, before
