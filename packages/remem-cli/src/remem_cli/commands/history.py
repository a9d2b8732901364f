"""`remem history`: what a note replaced and what replaced it; a lesson's life."""

import argparse
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from remem_cli import options, wiring
from remem_cli.output import BOLD, DIM, Output, printable, wrap
from remem_cli.rendering import ID_LETTERS
from remem_protocol import (
    Episode,
    Event,
    LedgerEntry,
    Lesson,
    Note,
    NotFoundError,
    decode_event,
    encode,
)
from remem_protocol.events import UnknownEvent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from remem_core.memory import Memory


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("id", help="the id, or its first letters (4 or more)")
    options.add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Print every version, the oldest first; raise NotFoundError where there is none."""
    if not wiring.memory_exists():
        raise NotFoundError("nothing is remembered yet; `remem ingest` reads your agents' sessions")
    with wiring.open_memory() as memory:
        found = memory.find(arguments.id)
        if isinstance(found, Lesson):
            return _tell_lesson(found, memory, arguments, output)
        versions = memory.history(found.id)
        ledger = [entry for episode in versions for entry in memory.ledger_of(episode.id)]
    events = [decode_event(episode.event.encode()) for episode in versions]
    later = {e.supersedes: e for e in events if isinstance(e, Note) and e.supersedes}
    if arguments.json:
        output.json(_document(versions, ledger, later))
        return 0
    for episode, event in zip(versions, events, strict=True):
        if not isinstance(event, UnknownEvent):
            for line in _lines(episode, event, later.get(event.id), output):
                output.say(line)
    for entry in ledger:
        output.say(output.style(f"{entry.at[:19]}Z  {entry.verb}  {printable(entry.why)}", DIM))
    return 0


def _tell_lesson(
    lesson: Lesson, memory: "Memory", arguments: argparse.Namespace, output: Output
) -> int:
    """Print a lesson as it is now, and what the ledger says of its life."""
    from remem_cli.learning import entry_lines, lesson_lines

    entries = memory.ledger(lesson.id)
    if arguments.json:
        told = [json.loads(encode(entry)) for entry in entries]
        output.json({"history": [json.loads(encode(lesson))], "ledger": told})
        return 0
    for line in lesson_lines(lesson, output, memory.predictions(lesson.id)):
        output.say(line)
    output.say()
    for entry in entries:
        for line in entry_lines(entry, output):
            output.say(line)
    return 0


def _document(
    versions: "Sequence[Episode]", ledger: "Sequence[LedgerEntry]", later: dict[str, Note]
) -> dict[str, Any]:
    told = []
    for episode in versions:
        new = later.get(episode.id)
        told.append(json.loads(encode(episode)) | {"replaced_by": new and new.id})
    return {"history": told, "ledger": [json.loads(encode(entry)) for entry in ledger]}


def _lines(episode: Episode, event: Event, later: Note | None, output: Output) -> Iterator[str]:
    from remem_core.telling import heading, words

    since = event.valid_from if isinstance(event, Note) and event.valid_from else event.at
    until = event.valid_until if isinstance(event, Note) else None
    yield f"{output.style(event.kind, BOLD)} · {since[:19]}Z · {event.id[:ID_LETTERS]}"
    yield from wrap(f"“{words(event)}”" if isinstance(event, Note) else heading(event), "  ")
    if until is not None:
        yield output.style(f"  holds until {until[:19]}Z", DIM)
    if later is not None:
        at = later.valid_from or later.at
        yield output.style(f"  replaced {at[:19]}Z by {later.id[:ID_LETTERS]}", DIM)
    if episode.archived:
        yield output.style(f"  archived {episode.archived[:19]}Z", DIM)
    yield ""
