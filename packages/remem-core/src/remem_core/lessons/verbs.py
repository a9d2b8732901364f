"""What each verb may do, checked against the change itself and not against who asks (MEM-051).

Pure: a change and the sources that it names in, nothing or a refusal out. What needs a look at the
rest of the store (is that lesson there?) is checked where the change is written.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from remem_core.lessons.changes import Change, Kept, identity
from remem_core.lessons.identity import lesson_id, prediction_id, words_hash
from remem_core.lessons.sources import Source
from remem_core.lessons.wording import narrowed, tell
from remem_protocol import Alias, InvalidRecordError, Lesson, OutOfScopeError, Prediction, Veto

Sources = Mapping[str, Source]
Pair = tuple[Any, Any]
K = TypeVar("K", Lesson, Prediction, Alias, Veto)
REPEATED = ("error", "surprise")  # kinds of which one is not enough (MEM-033)


@dataclass(frozen=True)
class Edit:
    """A change as what goes, what comes, and what becomes otherwise."""

    change: Change
    gone: list[Kept] = field(default_factory=list)
    come: list[Kept] = field(default_factory=list)
    changed: list[Pair] = field(default_factory=list)

    @classmethod
    def of(cls, change: Change) -> "Edit":
        """Sort a change's records; refuse one that names a record twice."""
        before = {identity(record): record for record in change.before}
        after = {identity(record): record for record in change.after}
        if len(before) < len(change.before) or len(after) < len(change.after):
            raise InvalidRecordError("a change names a record twice")
        return cls(
            change,
            [record for key, record in before.items() if key not in after],
            [record for key, record in after.items() if key not in before],
            [(before[key], after[key]) for key in before if key in after],
        )

    def only(self, *, gone: int | None = 0, come: int | None = 0, changed: int | None = 0) -> None:
        """Refuse other numbers of records than these; None is any number."""
        for allowed, records in ((gone, self.gone), (come, self.come), (changed, self.changed)):
            _demand(allowed is None or len(records) == allowed, "not as many records as it takes")


def needed(change: Change) -> set[str]:
    """Return the ids of the sources that `check` has to be given."""
    after = {s for r in change.after if isinstance(r, Lesson) for s in r.sources}
    if change.verb in ("CORROBORATE", "REFINE"):
        return after - {s for r in change.before if isinstance(r, Lesson) for s in r.sources}
    return after if change.verb in ("CREATE", "MERGE", "SPLIT", "REWORD") else set()


def check(change: Change, sources: Sources) -> None:
    """Refuse a change that its verb does not allow.

    `sources` has those that `needed` names, as far as they are there. Raises InvalidRecordError,
    or OutOfScopeError for a source of another project.
    """
    rule = _RULES.get(change.verb)
    _demand(rule is not None, f"{change.verb} is not a change of these records")
    assert rule is not None
    edit = Edit.of(change)
    _demand(change.before != change.after or bool(change.faded), "it changes nothing")
    _demand(not change.faded or change.verb == "ARCHIVE", "only ARCHIVE puts episodes aside")
    for record in change.after:
        _sound(record)
    rule(edit, sources)


def _demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise InvalidRecordError(otherwise)


def _sound(record: Kept) -> None:
    """Refuse a record that contradicts itself (MEM-030, MEM-041, MEM-042)."""
    match record:
        case Lesson():
            _demand(record.seen == len(record.sources), "seen is not the number of sources")
            _demand(len(set(record.sources)) == record.seen, "a source stands there twice")
            _demand(record.hash == words_hash(record.kind, record.text), "not the hash of its text")
        case Prediction():
            _demand((record.outcome is None) == (record.resolved is None), "half resolved")
        case Alias():
            _demand(record.old != record.new, "an alias of itself")


def _create(edit: Edit, sources: Sources) -> None:
    edit.only(come=1)
    lesson = _as(edit.come[0], Lesson)
    _new(lesson, sources)
    many = lesson.kind not in REPEATED or len(lesson.sources) > 1
    _demand(many, f"one {lesson.kind} is not enough for a lesson")
    _demand(lesson.origin is None and lesson.trust == "own", "not a lesson of this memory")


def _corroborate(edit: Edit, sources: Sources) -> None:
    old, new = _grown(edit, sources)
    _same(old, new, "text", "hash")


def _refine(edit: Edit, sources: Sources) -> None:
    old, new = _grown(edit, sources)
    added = [sources[id_] for id_ in new.sources if id_ not in old.sources]
    told = {narrowed(old.text, source) for source in added}
    _demand(new.text in told and new.text.startswith(old.text), "not the old text and a new quote")
    _demand(bool(edit.change.why), "it does not say what was narrowed")


def _grown(edit: Edit, sources: Sources) -> tuple[Lesson, Lesson]:
    """Return the one lesson before and after, with all its sources and at least one more."""
    edit.only(changed=1)
    old, new = _pair(edit.changed[0], Lesson)
    _same(old, new, "kind", "project", "created", "wording", "origin", "trust")
    _same(old, new, "valid_from", "valid_until", "superseded_by")
    _demand(new.archived in (None, old.archived), "it puts the lesson aside")
    _demand(set(old.sources) < set(new.sources), "the sources do not grow")
    _demand(new.strength >= old.strength, "a lesson that was seen again is not weaker")
    _rests(new, [id_ for id_ in new.sources if id_ not in old.sources], sources)
    return old, new


def _correct(edit: Edit, sources: Sources) -> None:
    edit.only(changed=1)
    old, new = _pair(edit.changed[0], Lesson)
    _only_these(old, new, "valid_until", "superseded_by", "updated")
    _demand(old.superseded_by is None, "it was superseded before")
    _demand(None not in (new.valid_until, new.superseded_by), "it does not say by what and when")
    _demand(new.superseded_by != new.id, "a lesson does not supersede itself")


def _merge(edit: Edit, sources: Sources) -> None:
    """Two or more become one of them, or a new one that holds for all their projects (MEM-035)."""
    olds, news = _lessons(edit.change.before), _lessons(edit.change.after)
    _demand(len(olds) >= 2 and len(news) == 1, "not two or more lessons that become one")
    (one,) = news
    _demand({old.kind for old in olds} == {one.kind}, "lessons of several kinds")
    _demand(all(old.superseded_by is None for old in olds), "one of them was superseded")
    if one.project is not None and any(old.project != one.project for old in olds):
        raise OutOfScopeError("lessons of several projects in one project")
    union = {id_ for old in olds for id_ in old.sources}
    _demand(union == set(one.sources), "its sources are not those of all")
    _demand((one.archived, one.superseded_by) == (None, None), "what comes of it is put aside")
    _became(edit, [one], sources)
    _keeps_names(edit, olds, news)


def _split(edit: Edit, sources: Sources) -> None:
    """One becomes several, each of its sources in exactly one of them."""
    olds, news = _lessons(edit.change.before), _lessons(edit.change.after)
    _demand(len(olds) == 1 and len(news) >= 2, "not one lesson that becomes several")
    (whole,) = olds
    parts = [id_ for new in news for id_ in new.sources]
    _demand(sorted(parts) == sorted(whole.sources), "its sources are not each in one part")
    _demand({new.kind for new in news} == {whole.kind}, "lessons of several kinds")
    if any(whole.project not in (None, new.project) for new in news):
        raise OutOfScopeError("a part of a project's lesson in another project")
    for new in news:
        many = new.kind not in REPEATED or len(new.sources) > 1
        _demand(many, f"one {new.kind} is not enough for a lesson")
    _became(edit, news, sources)
    _keeps_names(edit, olds, news)


def _became(edit: Edit, news: Sequence[Lesson], sources: Sources) -> None:
    """Check those that stay for what may not change, those that come as new ones."""
    stayed = {new.id: old for old, new in edit.changed if isinstance(new, Lesson)}
    for lesson in news:
        if (old := stayed.get(lesson.id)) is None:
            _new(lesson, sources)
            continue
        _same(old, lesson, "kind", "project", "created", "wording", "origin", "trust")
        _same(old, lesson, "valid_from", "valid_until", "superseded_by")
        _rests(lesson, lesson.sources, sources)
        if lesson.wording == "quoted":
            _tells(lesson, sources)
        elif lesson.wording == "owner":
            _same(old, lesson, "text")


def _keeps_names(edit: Edit, olds: Sequence[Lesson], news: Sequence[Lesson]) -> None:
    """Every id that goes, and every old name, is a name of what is there afterwards (MEM-035)."""
    there = {new.id for new in news}
    named = {r.old: r.new for r in edit.change.after if isinstance(r, Alias)}
    before = {r.old: r.new for r in edit.change.before if isinstance(r, Alias)}
    lost = {old.id for old in olds} | before.keys()
    _demand(all(id_ in there or named.get(id_) in there for id_ in lost), "an old name is lost")
    _demand(lost >= named.keys() and not named.keys() & there, "a name that nothing had")
    others = [r for r in (*edit.change.before, *edit.change.after) if not isinstance(r, Alias)]
    _demand(all(isinstance(r, Lesson) for r in others), "it changes more than lessons")


def _archive(edit: Edit, sources: Sources) -> None:
    """Lessons, or episodes, are put aside and nothing else about them changes (MEM-012)."""
    if edit.change.faded:
        edit.only()
        _demand(len(set(edit.change.faded)) == len(edit.change.faded), "an episode twice")
        return
    edit.only(changed=None)
    for pair in edit.changed:
        old, new = _pair(pair, Lesson)
        _only_these(old, new, "archived", "updated")
        _demand(old.archived is None and new.archived is not None, "it puts nothing aside")


def _reword(edit: Edit, sources: Sources) -> None:
    """One lesson is told anew on the same sources; the owner's own words stay (MEM-032)."""
    edit.only(changed=1)
    old, new = _pair(edit.changed[0], Lesson)
    _only_these(old, new, "text", "hash", "wording", "updated")
    _demand("owner" not in (old.wording, new.wording), "the owner's words are the owner's")
    _demand(new.wording == "quoted" or new.kind in REPEATED, "a correction is quoted")
    _rests(new, new.sources, sources)
    if new.wording == "quoted":
        _tells(new, sources)


def _predict(edit: Edit, sources: Sources) -> None:
    edit.only(come=1)
    made = _as(edit.come[0], Prediction)
    _demand(made.resolved is None, "it is resolved before it is made")
    _demand(made.made < made.due, "it is due before it is made")
    _demand(made.id == prediction_id(made.lesson, made.made), "not the id of what it predicts")


def _resolve(edit: Edit, sources: Sources) -> None:
    """A prediction is resolved, once; its lesson may grow stronger or weaker by it (MEM-040)."""
    edit.only(changed=None)
    resolved = [pair for pair in edit.changed if isinstance(pair[0], Prediction)]
    _demand(len(resolved) == 1 and len(edit.changed) <= 2, "not one prediction")
    old, new = _pair(resolved[0], Prediction)
    _only_these(old, new, "resolved", "outcome")
    _demand(old.resolved is None and new.resolved is not None, "not open, or not resolved")
    _demand((new.resolved or "") >= new.made, "it is resolved before it is made")
    for pair in edit.changed:
        if pair is not resolved[0]:
            _only_these(*_pair(pair, Lesson), "strength", "updated")


def _veto(edit: Edit, sources: Sources) -> None:
    """A lesson goes with all that hangs on it, and a veto that tells it comes (MEM-053)."""
    lessons = _lessons(edit.change.before)
    _demand(len(lessons) == len(edit.change.after) == 1, "not one lesson")
    gone, veto = lessons[0], _as(edit.change.after[0], Veto)
    told = (veto.hash, veto.text, veto.kind, veto.lesson, veto.sources, veto.lifted)
    expected = (gone.hash, gone.text, gone.kind, gone.id, gone.sources, None)
    _demand(told == expected, "the veto tells another lesson")


def _restore(edit: Edit, sources: Sources) -> None:
    """What was there is there again: what it may be was checked when it first came."""
    _demand(bool(edit.change.before or edit.change.after), "it restores nothing")


_RULES: dict[str, Callable[[Edit, Sources], None]] = {
    "CREATE": _create,
    "CORROBORATE": _corroborate,
    "REFINE": _refine,
    "CORRECT": _correct,
    "MERGE": _merge,
    "SPLIT": _split,
    "ARCHIVE": _archive,
    "REWORD": _reword,
    "PREDICT": _predict,
    "RESOLVE": _resolve,
    "VETO": _veto,
    "RESTORE": _restore,
}


def _lessons(records: Sequence[Kept]) -> list[Lesson]:
    return [record for record in records if isinstance(record, Lesson)]


def _as(record: Kept, kind: type[K]) -> K:
    if not isinstance(record, kind):
        raise InvalidRecordError(f"not a {kind.__name__.lower()}")
    return record


def _pair(pair: Pair, kind: type[K]) -> tuple[K, K]:
    return _as(pair[0], kind), _as(pair[1], kind)


def _same(old: Kept, new: Kept, *names: str) -> None:
    for name in names:
        _demand(getattr(old, name) == getattr(new, name), f"it changes {name}")


def _only_these(old: Kept, new: Kept, *names: str) -> None:
    wanted = {name: getattr(new, name) for name in names}
    _demand(msgspec.structs.replace(old, **wanted) == new, f"it changes more than {names}")


def _new(lesson: Lesson, sources: Sources) -> None:
    """Check a lesson that is new: its sources, its words, its id."""
    _demand(bool(lesson.sources), "it rests on nothing")
    _rests(lesson, lesson.sources, sources)
    _demand(lesson.wording != "owner", "the owner did not word it")
    _demand(lesson.wording == "quoted" or lesson.kind in REPEATED, "a correction is quoted")
    _demand((lesson.archived, lesson.superseded_by) == (None, None), "new, and put aside")
    if lesson.wording == "quoted":
        _tells(lesson, sources)
    founder = min((sources[id_] for id_ in lesson.sources), key=lambda source: source.order)
    made = lesson_id(lesson.kind, lesson.project, founder.id)
    _demand(lesson.id == made, "not the id of its kind, project and earliest source")


def _rests(lesson: Lesson, ids: Sequence[str], sources: Sources) -> None:
    """Check that a lesson's sources are there, of its kind and of its project (MEM-020)."""
    for id_ in ids:
        source = sources.get(id_)
        if source is None:
            raise InvalidRecordError(f"a source that is not there, or can be none: {id_}")
        _demand(source.kind == lesson.kind, f"a source of another kind: {id_}")
        if lesson.project is not None and source.project != lesson.project:
            raise OutOfScopeError(f"a source of another project: {id_}")


def _tells(lesson: Lesson, sources: Sources) -> None:
    told = tell(lesson.kind, [sources[id_] for id_ in lesson.sources])
    _demand(lesson.text == told, "not a quote of its sources")
