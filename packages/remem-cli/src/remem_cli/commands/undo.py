"""`remem undo`: take one change of what was learned back, exactly."""

import argparse

from remem_cli import options, wiring
from remem_cli.output import Output
from remem_protocol import NotFoundError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "number", type=_number, metavar="N", help="the change's number in `remem ledger`"
    )
    options.add_json(parser)


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"not a number: {text!r}")
    return int(text)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Take it back; refused when a later change built on it, which is named."""
    if not wiring.memory_exists():
        raise NotFoundError("nothing is remembered yet, so there is nothing to take back")
    with wiring.open_memory() as memory:
        applied = memory.undo(arguments.number)
    if arguments.json:
        output.json({"undone": arguments.number, "seq": applied.seq})
    else:
        output.say(f"Change {arguments.number} is taken back; `remem undo {applied.seq}` makes it.")
    return 0
