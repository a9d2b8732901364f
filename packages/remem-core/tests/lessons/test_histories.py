"""Over any history of changes, valid and not: no source is lost, the ledger tells it all, what was
done can be taken back exactly, and a veto holds on every way in.
"""

import contextlib
import io
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lesson_records import (
    LATER,
    A,
    B,
    archiving,
    changing_to,
    correct,
    correcting,
    corroborating,
    creating,
    lesson_on,
    merging,
    predicting,
    refining,
    resolving,
    splitting,
)

from remem_core import Memory
from remem_core.embed import Embedder
from remem_core.lessons.changes import Change, Kept, identity, lessons_of, revised
from remem_core.lessons.sources import Source
from remem_core.store import changing, ledger, lessons, rows, taking_back
from remem_core.store.connection import Connection, connect, transaction
from remem_protocol import Alias, Lesson, Prediction, RememError, Veto

KEPT = ((Lesson, "id"), (Prediction, "id"), (Alias, "old"), (Veto, "hash"))
STEPS = st.lists(
    st.tuples(st.sampled_from(range(16)), st.integers(0, 99), st.integers(0, 99)), max_size=14
)
relaxed = settings(
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@contextlib.contextmanager
def history() -> Iterator["History"]:
    with tempfile.TemporaryDirectory() as folder:
        db = connect(Path(folder) / "memory.db")
        try:
            yield History(db)
        finally:
            db.close()


class History:
    """A store, and the changes that a night or an owner might try on it."""

    def __init__(self, db: Connection) -> None:
        self.db = db
        self.heard: list[Source] = [
            correct(db, f"Wish {i}: use tool {i % 5}.", i, A if i % 3 else B) for i in range(12)
        ]

    @property
    def kept(self) -> dict[tuple[str, str], Kept]:
        found = [record for kind, key in KEPT for record in rows.select(self.db, kind, "")]
        return {identity(record): record for record in found}  # type: ignore[arg-type]

    def pick(self, number: int) -> Lesson | None:
        there = lessons.lessons(self.db, at=LATER, project=lessons.ALL, archived=True, closed=True)
        return there[number % len(there)] if there else None

    def sources(self, lesson: Lesson) -> list[Source]:
        return lessons.sources(self.db, lesson.sources)

    def step(self, what: int, a: int, b: int) -> bool:
        """Try one change; tell whether it was made. One that is refused changes nothing."""
        before = self.state()
        try:
            with transaction(self.db):
                return self._try(what, a, b)
        except RememError:
            assert self.state() == before
            return False

    def state(self) -> list[Any]:
        tables = ("lessons", "predictions", "aliases", "vetoes", "ledger", "lesson_sources")
        return [self.db.execute(f"select * from {t} order by 1, 2").fetchall() for t in tables]

    def _try(self, what: int, a: int, b: int) -> bool:
        if what >= 13:
            return self._as_owner(what, a)
        change = self._change(what, a, b)
        if change is not None:
            changing.apply(self.db, change, unwanted=None)
        return change is not None

    def _as_owner(self, what: int, a: int) -> bool:
        if what == 13:
            taking_back.undo(self.db, a % 12 + 1, now=LATER, unwanted=None)
        elif what == 14:
            taking_back.veto(self.db, (self.pick(a) or lesson_on(self.heard[0])).id, now=LATER)
        else:
            vetoes = lessons.vetoes(self.db)
            if not vetoes:
                return False
            taking_back.unveto(self.db, vetoes[a % len(vetoes)], now=LATER, unwanted=None)
        return True

    def _change(self, what: int, a: int, b: int) -> Change | None:
        source, one, other = self.heard[a % 12], self.pick(a), self.pick(b)
        if what <= 3:
            project = (source.project, None)[what == 3]
            return creating(source, project=project)
        if one is None or other is None:
            return None
        free = self.heard[b % 12]
        match what:
            case 4:
                return corroborating(one, free)
            case 5:
                return refining(one, free)
            case 6:
                return correcting(one, other)
            case 7:
                return self._merge(one, other)
            case 8:
                return self._split(one)
            case 9:
                return archiving(one)
            case 10:
                return predicting(one, self.sources(one))
            case 11:
                return self._resolve(one)
            case _:
                return self._wrong(one, free)

    def _merge(self, one: Lesson, other: Lesson) -> Change:
        sources = self.sources(revised(one, sources=tuple({*one.sources, *other.sources})))
        project = one.project if one.project == other.project else None
        both = lesson_on(*sources, project=project)
        if one.id == both.id or other.id == both.id:
            stays = one if one.id == both.id else other
            both = msgspec.structs.replace(both, strength=2.0, created=stays.created)
        moved = [
            alias
            for lesson in (one, other)
            if lesson.id != both.id
            for alias in rows.select(self.db, Alias, "where t.new = ?", (lesson.id,))
        ]
        return merging([one, other], both, moved=moved)

    def _split(self, whole: Lesson) -> Change:
        sources = self.sources(whole)
        first, second = sources[:1], sources[1:] or sources
        return splitting(
            whole,
            lesson_on(*first, project=whole.project),
            lesson_on(*second, project=whole.project),
        )

    def _resolve(self, lesson: Lesson) -> Change | None:
        made = lessons.predictions(self.db, lesson=lesson.id)
        return resolving(made[-1], "failed", lesson) if made else None

    def _wrong(self, lesson: Lesson, source: Source) -> Change:
        """A change that drops a source, under some verb."""
        fewer = revised(lesson, sources=(source.id,))
        verbs: tuple[Any, ...] = ("CORROBORATE", "REFINE", "CORRECT", "MERGE", "ARCHIVE", "RESOLVE")
        return changing_to(verbs[lesson.seen % len(verbs)], lesson, fewer)


def replayed(db: Connection) -> dict[tuple[str, str], Kept]:
    """Return what there is by the ledger alone."""
    there: dict[tuple[str, str], Kept] = {}
    for entry in ledger.entries(db):
        before, after = ledger.state_of(entry.before), ledger.state_of(entry.after)
        assert before is not None
        assert after is not None
        for record in before.records:
            assert there.pop(identity(record)) == record
        for record in after.records:
            assert identity(record) not in there
            there[identity(record)] = record
    return there


@given(STEPS)
@relaxed
def test_the_ledger_has_no_gaps_and_replays_to_the_present(steps: list[tuple[int, int, int]]):
    with history() as told:
        for step in steps:
            told.step(*step)
        numbers = [entry.seq for entry in ledger.entries(told.db)]
        assert numbers == list(range(1, len(numbers) + 1))
        assert replayed(told.db) == told.kept


@given(STEPS)
@relaxed
def test_nothing_drops_a_source_but_the_owner(steps: list[tuple[int, int, int]]):
    def resting(told: History) -> set[str]:
        return {s for r in told.kept.values() if isinstance(r, Lesson) for s in r.sources}

    with history() as told:
        for step in steps:
            before, words = resting(told), lessons_of(tuple(told.kept.values()))
            told.step(*step)
            if step[0] < 13:
                assert before <= resting(told)
                for id_, lesson in lessons_of(tuple(told.kept.values())).items():
                    old = words.get(id_)
                    if step[0] in (4, 5) and old is not None:
                        assert lesson.text.startswith(old.text)


@given(STEPS)
@relaxed
def test_undo_of_the_last_change_gives_the_records_before_it(steps: list[tuple[int, int, int]]):
    with history() as told:
        for step in steps:
            before = told.kept
            if not told.step(*step) or step[0] == 13:
                continue
            after, last = told.kept, ledger.entries(told.db)[-1].seq
            with contextlib.suppress(RememError), transaction(told.db):
                taking_back.undo(told.db, last, now=LATER, unwanted=None)
                assert told.kept == before
                last = ledger.entries(told.db)[-1].seq
                taking_back.undo(told.db, last, now=LATER, unwanted=None)
            assert told.kept == after


@given(STEPS, st.integers(0, 99))
@relaxed
def test_a_veto_holds_until_the_owner_lifts_it(steps: list[tuple[int, int, int]], a: int):
    with history() as told:
        for step in steps:
            told.step(*step)
        lesson = told.pick(a)
        if lesson is None or not told.step(14, a, 0):
            return
        for step in [*steps, *((verb, a, b) for verb in range(13) for b in (1, 5))]:
            if step[0] < 13:
                told.step(*step)
                for found in lessons.lessons(
                    told.db, at=LATER, project=lessons.ALL, archived=True, closed=True
                ):
                    assert found.hash != lesson.hash
                    assert set(found.sources).isdisjoint(lesson.sources)


@given(STEPS)
@relaxed
def test_what_lessons_rest_on_is_told_as_they_tell_it(steps: list[tuple[int, int, int]]):
    with history() as told:
        for step in steps:
            told.step(*step)
        derived = set(told.db.execute("select lesson, episode from lesson_sources"))
        records = told.kept.values()
        assert derived == {(r.id, s) for r in records if isinstance(r, Lesson) for s in r.sources}
        vetoed = set(told.db.execute("select hash, episode from veto_sources"))
        holding = [r for r in records if isinstance(r, Veto) and r.lifted is None]
        assert vetoed == {(r.hash, s) for r in holding for s in r.sources}
        names = {r.id for r in records if isinstance(r, Lesson)}
        aliases = [r for r in records if isinstance(r, Alias)]
        assert all(alias.new in names and alias.old not in names for alias in aliases)


@pytest.mark.parametrize("way", ["import", "snapshot"])
def test_a_veto_holds_against_copies_and_is_lifted_whole(
    memory: Memory, tmp_path: Path, hashed: Embedder, way: str
) -> None:
    source = correct(memory._db, "Use uv here, not pip.")
    control = correct(memory._db, "Write the tests before the code.", 1)
    reworded = correct(memory._db, "Here we use uv and not pip.", 2)
    with transaction(memory._db) as db:
        for made in (creating(source), creating(control)):
            changing.apply(db, made, unwanted=None)
    lesson, kept = lesson_on(source), lesson_on(control)
    copy = io.BytesIO()
    memory.export(copy)
    name = memory.snapshot().name
    memory.veto(lesson.id[:8])
    if way == "import":
        memory.import_(io.BytesIO(copy.getvalue()))
    else:
        memory.restore(name)
    assert [found.id for found in memory.lessons()] == [kept.id]
    again = lesson_on(reworded)
    stream = _export_of(memory, again)
    assert memory.import_(io.BytesIO(stream)).kept_out == 1
    assert [found.id for found in memory.lessons()] == [kept.id]
    applied = memory.unveto(lesson.id[:8])
    assert lesson in applied.change.after
    assert memory.import_(io.BytesIO(stream)).kept_out == 0
    assert {found.id for found in memory.lessons()} == {kept.id, lesson.id, again.id}


def _export_of(memory: Memory, lesson: Lesson) -> bytes:
    """Return an export that holds one lesson."""
    head = {"type": "export", "v": "1.0", "records": {"lesson": 1}}
    return json.dumps(head).encode() + b"\n" + msgspec.json.encode(lesson) + b"\n"
