"""`remem show`: one memory or lesson whole, with what the memory knows about remembering it."""

import argparse
from typing import TYPE_CHECKING

from remem_cli import options, wiring
from remem_cli.output import BOLD, DIM, Output, printable, wrap
from remem_cli.rendering import parts
from remem_protocol import Episode, Event, Lesson, NotFoundError, decode_event, encode
from remem_protocol.events import UnknownEvent

if TYPE_CHECKING:
    from remem_core.memory import Memory


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("id", help="the id, or its first letters (4 or more)")
    options.add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Print the episode or the lesson; raise NotFoundError where there is none."""
    if not wiring.memory_exists():
        raise NotFoundError("nothing is remembered yet; `remem ingest` reads your agents' sessions")
    with wiring.open_memory() as memory:
        found = memory.find(arguments.id)
        if isinstance(found, Lesson):
            return _show_lesson(found, memory, arguments, output)
    episode = found
    if arguments.json:
        output.line(encode(episode))
        return 0
    event = decode_event(episode.event.encode())
    output.say(f"{output.style(episode.kind, BOLD)} {output.style(episode.id, DIM)}")
    if not isinstance(event, UnknownEvent):
        _say_event(event, output)
    output.say()
    for label, text in _remembering(episode):
        output.say(output.style(f"{label:<11}{text}", DIM))
    return 0


def _show_lesson(
    lesson: Lesson, memory: "Memory", arguments: argparse.Namespace, output: Output
) -> int:
    from remem_cli.learning import whole_lines

    if arguments.json:
        output.line(encode(lesson))
        return 0
    for line in whole_lines(lesson, memory, output):
        output.say(line)
    return 0


def _say_event(event: Event, output: Output) -> None:
    for label, text in parts(event):
        output.say()
        output.say(output.style(label, BOLD))
        for line in wrap(text, "  "):
            output.say(line)
    output.say()
    facts = ("at", "source", "agent", "project", "session", "cwd", "ref")
    for name in facts:
        if value := getattr(event, name):
            output.say(f"{name:<11}{printable(value)}")


def _remembering(episode: Episode) -> list[tuple[str, str]]:
    found = [
        ("stored", episode.created),
        ("strength", f"{episode.strength:.2f}"),
        ("recalled", f"{episode.recalls} times" if episode.recalls != 1 else "once"),
        ("last", episode.touched or ""),
        ("archived", episode.archived or ""),
    ]
    return [(label, text) for label, text in found if text]
