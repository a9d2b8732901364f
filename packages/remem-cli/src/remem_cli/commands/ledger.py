"""`remem ledger`: every change of what was learned, and how one lesson came about."""

import argparse
import json

from remem_cli import options, wiring
from remem_cli.learning import entry_lines
from remem_cli.output import Output
from remem_protocol import encode

SHOWN = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("id", nargs="?", help="a lesson's, by its first letters: its life alone")
    parser.add_argument(
        "--limit",
        type=options.positive,
        metavar="N",
        help=f"the newest so many (default: {SHOWN}; of one lesson: all)",
    )
    options.add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Print the entries, the oldest first; raise NotFoundError for an id that nothing has."""
    entries = []
    limit = arguments.limit or (None if arguments.id else SHOWN)
    if wiring.memory_exists():
        with wiring.open_memory() as memory:
            entries = memory.ledger(arguments.id, limit=limit)
    if arguments.json:
        output.json({"ledger": [json.loads(encode(entry)) for entry in entries]})
        return 0
    for entry in entries:
        for line in entry_lines(entry, output):
            output.say(line)
    if not entries:
        output.say("Nothing has changed yet.")
    else:
        output.note("`remem undo N` takes a change back.")
    return 0
