"""`remem lessons`: what was learned, in the words that it was learned from."""

import argparse
import json
from typing import TYPE_CHECKING

from remem_cli import options, wiring
from remem_cli.learning import lesson_lines
from remem_cli.output import Output

if TYPE_CHECKING:
    from remem_protocol import Lesson, Prediction

KINDS = ("correction", "error", "surprise", "note")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    scope = parser.add_mutually_exclusive_group()
    scope.add_argument(
        "--project", metavar="NAME", help="of this project, and those that hold everywhere"
    )
    scope.add_argument("--cwd", metavar="DIR", help="of the project that this folder is in")
    parser.add_argument(
        "--kind", choices=KINDS, action="append", help="only this kind; may be given again"
    )
    parser.add_argument("--at", type=options.moment, metavar="TIME", help="that held at that time")
    parser.add_argument(
        "--all", action="store_true", help="also what was put aside or was contradicted"
    )
    options.add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Print the lessons, those that were seen most first."""
    from remem_protocol import encode

    found, predicted = _read(arguments)
    if arguments.json:
        output.json({"lessons": [json.loads(encode(lesson)) for lesson in found]})
        return 0
    for lesson in sorted(found, key=lambda one: (-one.seen, one.created, one.id)):
        mine = [p for p in predicted if p.lesson == lesson.id]
        for line in lesson_lines(lesson, output, mine):
            output.say(line)
        output.say()
    if found:
        output.note("`remem ledger ID` tells how one came about, `remem veto ID` lets it go.")
    else:
        output.say("Nothing was learned yet. `remem sleep` makes lessons of what surprised.")
    return 0


def _read(arguments: argparse.Namespace) -> "tuple[list[Lesson], list[Prediction]]":
    if not wiring.memory_exists():
        return [], []
    project = wiring.project_of(arguments.cwd) if arguments.cwd else arguments.project
    with wiring.open_memory() as memory:
        found = memory.lessons(
            project, arguments.kind, arguments.at, archived=arguments.all, closed=arguments.all
        )
        return found, memory.predictions(unresolved=True)
