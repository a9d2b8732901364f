"""Lessons and the ledger's changes of them, as a person reads them."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from remem_cli.output import BOLD, DIM, Output, plural, printable, shorten, wrap
from remem_cli.rendering import ID_LETTERS
from remem_protocol import Alias, LedgerEntry, Lesson, Prediction, Veto

if TYPE_CHECKING:
    from remem_core.memory import Memory

_TOLD_CHARACTERS = 160


def lesson_lines(lesson: Lesson, output: Output, predicted: Sequence[Prediction]) -> Iterator[str]:
    """Yield the block that tells one lesson: its words, what they rest on, what it expects."""
    where = printable(lesson.project) if lesson.project else "every project"
    facts = f"{where} · seen {_times(lesson.seen)} · strength {lesson.strength:.2f}"
    kind, id_ = output.style(lesson.kind, BOLD), lesson.id[:ID_LETTERS]
    yield f"{kind} · {output.style(facts, DIM)} · {id_}"
    yield from wrap(lesson.text, "  ")
    for line in _standing(lesson):
        yield output.style(f"  {line}", DIM)
    for prediction in predicted:
        yield from wrap(_expectation(prediction), "  ")


def _standing(lesson: Lesson) -> Iterator[str]:
    if lesson.wording != "quoted":
        yield {"model": "a model put it", "owner": "in your own words"}[lesson.wording]
    if lesson.valid_until:
        by = f", contradicted by {lesson.superseded_by[:8]}" if lesson.superseded_by else ""
        yield f"held until {lesson.valid_until[:10]}{by}"
    if lesson.archived:
        yield f"put aside {lesson.archived[:10]}"


def _expectation(prediction: Prediction) -> str:
    if prediction.outcome is None:
        return f"expects by {prediction.due[:10]}: {prediction.text}"
    when = (prediction.resolved or "")[:10]
    return f"expected, {prediction.outcome} {when}: {prediction.text}"


def whole_lines(lesson: Lesson, memory: "Memory", output: Output) -> Iterator[str]:
    """Yield a lesson with every id and number of it, and each source in one line."""
    from remem_core.telling import heading
    from remem_protocol import NotFoundError, decode_event
    from remem_protocol.events import UnknownEvent

    yield from lesson_lines(lesson, output, memory.predictions(lesson.id))
    yield ""
    for id_ in lesson.sources:
        try:
            event = decode_event(memory.show(id_).event.encode())
        except NotFoundError:
            continue
        if not isinstance(event, UnknownEvent):
            yield f"  {event.at[:10]}  {id_[:ID_LETTERS]}  {printable(heading(event))}"
    yield ""
    names = ("id", "hash", "created", "updated", "valid_from", "trust", "origin")
    for name in names:
        if value := getattr(lesson, name):
            yield output.style(f"{name:<11}{printable(value)}", DIM)


def entry_lines(entry: LedgerEntry, output: Output) -> Iterator[str]:
    """Yield what one entry of the ledger changed."""
    about = entry.subject[:ID_LETTERS]
    head = f"{entry.seq:>5}  {entry.at[:16].replace('T', ' ')}  {output.style(entry.verb, BOLD)}"
    why = f" · {shorten(entry.why, _TOLD_CHARACTERS)}" if entry.why else ""
    yield f"{head}{f' {about}' if about else ''}{why}"
    for line in _differences(entry):
        yield from wrap(line, "         ")


def _differences(entry: LedgerEntry) -> Iterator[str]:
    before, after = _records(entry.before), _records(entry.after)
    for key, old in before.items():
        if key not in after:
            yield f"− {_name(old)}"
    for key, new in after.items():
        if key not in before:
            yield f"+ {_name(new)}"
        elif before[key] != new:
            yield from _changes(before[key], new)


def _records(text: str | None) -> dict[tuple[str, str], Any]:
    from remem_core.store.ledger import state_of

    state = state_of(text)
    records = state.records if state is not None else ()
    return {(type(r).__name__, _key(r)): r for r in records}


def _key(record: Lesson | Prediction | Alias | Veto) -> str:
    match record:
        case Alias():
            return record.old
        case Veto():
            return record.hash
        case _:
            return record.id


def _name(record: Lesson | Prediction | Alias | Veto) -> str:
    match record:
        case Alias():
            return f"{record.old[:ID_LETTERS]} is a name of {record.new[:ID_LETTERS]}"
        case Veto():
            return f"veto: {shorten(record.text, _TOLD_CHARACTERS)}"
        case Prediction():
            return f"prediction: {shorten(record.text, _TOLD_CHARACTERS)}"
        case Lesson():
            return f"{record.id[:ID_LETTERS]} {shorten(record.text, _TOLD_CHARACTERS)}"


def _changes(old: Any, new: Any) -> Iterator[str]:
    """Yield what is different in a record: its words, its sources, its numbers."""
    for name in new.__struct_fields__:
        was, now = getattr(old, name), getattr(new, name)
        if was == now or name in ("v", "seen", "updated", "hash"):
            continue
        if name == "sources":
            yield f"sources: {len(was)} → {len(now)}"
        elif name == "text":
            yield f"now: {printable(now)}"
        elif name == "strength":
            yield f"strength: {was:.2f} → {now:.2f}"
        else:
            yield f"{name}: {_value(was)} → {_value(now)}"


def _value(value: Any) -> str:
    return "none" if value is None else shorten(str(value), _TOLD_CHARACTERS)


def _times(count: int) -> str:
    return "once" if count == 1 else plural(count, "time")
