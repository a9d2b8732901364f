"""`remem status`: what the memory holds, counted."""

import argparse
import dataclasses
from typing import TYPE_CHECKING

from remem_cli import options, wiring
from remem_cli.output import BOLD, Output, plural, size
from remem_cli.rendering import NOUNS
from remem_core.paths import locate

if TYPE_CHECKING:
    from remem_core import Status


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    options.add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Print the counts."""
    if wiring.memory_exists():
        with wiring.open_memory() as memory:
            status = memory.status()
    else:
        status = _nothing()
    if arguments.json:
        output.json(dataclasses.asdict(status))
    elif not status.episodes and not status.archived:
        output.say("Nothing is remembered yet. `remem ingest` reads your agents' sessions.")
    else:
        _say(status, output)
    return 0


def _nothing() -> "Status":
    from remem_core import Status

    return Status(
        home=str(locate().home),
        schema=0,
        episodes=0,
        by_kind={},
        archived=0,
        sessions=0,
        files=0,
        lessons=0,
        predictions=0,
        vetoes=0,
        vectors={},
        pending=0,
        projects=0,
        first=None,
        last=None,
        last_read=None,
        bytes=0,
    )


def _say(status: "Status", output: Output) -> None:
    remembered = output.style(f"{status.episodes:,}", BOLD)
    output.say(f"{remembered} remembered, of {plural(status.projects, 'project')}")
    for kind, noun in NOUNS.items():
        if count := status.by_kind.get(kind, 0):
            output.say(f"  {plural(count, noun)}")
    if status.archived:
        output.say(f"  and {status.archived:,} archived")
    if status.lessons or status.vetoes:
        learned = plural(status.lessons, "lesson")
        expected = plural(status.predictions, "open prediction")
        output.say(f"learned   {learned}, {expected}; {status.vetoes:,} vetoed")
    if status.first and status.last:
        output.say(f"from {status.first[:10]} to {status.last[:10]}")
    spaces = ", ".join(f"{count:,} in {space}" for space, count in status.vectors.items())
    output.say(f"vectors   {spaces or 'none'}; {status.pending:,} pending")
    files = plural(status.files, "file")
    output.say(f"read      {files}, last {(status.last_read or 'never')[:16]}")
    output.say(f"store     {size(status.bytes)} in {status.home}")
