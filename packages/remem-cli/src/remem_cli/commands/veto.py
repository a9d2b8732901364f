"""`remem veto`: let a lesson go, and keep it from being learned again in any words."""

import argparse

from remem_cli import options, wiring
from remem_cli.output import Output, wrap
from remem_cli.rendering import ID_LETTERS
from remem_protocol import NotFoundError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("id", help="the lesson's id, or its first letters (4 or more)")
    options.add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Veto it; raise NotFoundError where there is no such lesson."""
    if not wiring.memory_exists():
        raise NotFoundError("nothing is remembered yet, so there is nothing to veto")
    with wiring.open_memory() as memory:
        lesson = memory.lesson(arguments.id)
        applied = memory.veto(lesson.id)
    if arguments.json:
        output.json({"vetoed": lesson.id, "hash": lesson.hash, "seq": applied.seq})
        return 0
    for line in wrap(lesson.text, "  "):
        output.say(line)
    output.say(f"Never again. `remem unveto {lesson.id[:ID_LETTERS]}` lifts it.")
    return 0
