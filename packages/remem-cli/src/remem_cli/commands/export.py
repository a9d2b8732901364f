"""`remem export`: everything that is remembered, as one stream of records."""

import argparse
import sys
from pathlib import Path

from remem_cli import wiring
from remem_cli.files import written_whole
from remem_cli.lines import STDIN
from remem_cli.output import Output, printable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", help="the file to write; - is stdout")


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Write the export and say what is in it."""
    with wiring.look_into_memory() as memory:
        if arguments.file == STDIN:
            counts = memory.export(sys.stdout.buffer)
        else:
            with written_whole(Path(arguments.file)) as out:
                counts = memory.export(out)
    told = ", ".join(f"{count:,} {kind}" for kind, count in counts.items()) or "nothing"
    output.note(f"Exported {told} to {printable(arguments.file)}; anyone who has it can read it.")
    return 0
