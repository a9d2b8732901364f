"""`remem unveto`: lift a veto; its lesson is back if what it rested on still is there."""

import argparse

from remem_cli import options, wiring
from remem_cli.output import DIM, Output, wrap
from remem_cli.rendering import ID_LETTERS
from remem_protocol import Lesson, NotFoundError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "id", nargs="?", help="of the lesson or the veto; without it: which vetoes there are"
    )
    options.add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Lift it, or list the vetoes; raise NotFoundError where there is no such veto."""
    if arguments.id is None:
        return _list(arguments, output)
    if not wiring.memory_exists():
        raise NotFoundError("nothing is remembered yet, so there is no veto")
    with wiring.open_memory() as memory:
        applied = memory.unveto(arguments.id)
    back = [record for record in applied.change.after if isinstance(record, Lesson)]
    if arguments.json:
        output.json({"back": [lesson.id for lesson in back], "seq": applied.seq})
        return 0
    for lesson in back:
        for line in wrap(lesson.text, "  "):
            output.say(line)
    came = "It is back." if back else "What it rested on is gone; it may be learned anew."
    output.say(f"The veto is lifted. {came}")
    return 0


def _list(arguments: argparse.Namespace, output: Output) -> int:
    vetoes = []
    if wiring.memory_exists():
        with wiring.open_memory() as memory:
            vetoes = memory.vetoes()
    if arguments.json:
        told = [{"hash": v.hash, "lesson": v.lesson, "text": v.text, "at": v.at} for v in vetoes]
        output.json({"vetoes": told})
        return 0
    for veto in vetoes:
        id_ = (veto.lesson or veto.hash)[:ID_LETTERS]
        output.say(f"{id_}  {output.style(veto.at[:10], DIM)}")
        for line in wrap(veto.text or "(its words were forgotten)", "  "):
            output.say(line)
    if not vetoes:
        output.say("No veto holds.")
    return 0
