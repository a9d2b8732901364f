"""`remem morning`: what the last night learned and changed, told again as it stands now."""

import argparse
import dataclasses

from remem_cli import options, wiring
from remem_cli.output import BOLD, Output, printable
from remem_protocol import NotFoundError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--html", action="store_true", help="print where the page for a browser lies"
    )
    options.add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Print the report; raise NotFoundError where there was no night yet."""
    if not wiring.memory_exists():
        raise NotFoundError("nothing is remembered yet; `remem ingest` reads your agents' sessions")
    with wiring.open_memory() as memory:
        morning = memory.morning()
        places = memory.places
    if morning is None:
        raise NotFoundError("there was no night yet; `remem sleep` makes lessons of what surprised")
    from remem_core.morning import markdown, page_path

    if arguments.json:
        output.json(dataclasses.asdict(morning))
    elif arguments.html:
        output.say(printable(str(page_path(places))))
    else:
        for line in markdown.render(morning).splitlines():
            shown = printable(line)
            output.say(output.style(shown, BOLD) if line.startswith("#") else shown)
    return 0
