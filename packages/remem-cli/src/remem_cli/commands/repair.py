"""`remem repair`: mend the store; what is true is copied before it is touched."""

import argparse
import dataclasses
import datetime

from remem_cli import options
from remem_cli.output import Output, plural, printable
from remem_core.paths import is_foreign, locate
from remem_protocol import NotFoundError, OutOfScopeError, format_time


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    options.add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Mend, and say what was done."""
    from remem_core.keeping.repair import repair

    places = locate()
    if is_foreign(places.home):
        raise OutOfScopeError(f"{places.home} holds another program's files")
    if not places.db.exists():
        raise NotFoundError("there is no memory to repair")
    done = repair(places, now=format_time(datetime.datetime.now(datetime.UTC)))
    if arguments.json:
        output.json(dataclasses.asdict(done))
        return 0
    if done.damaged:
        output.say(f"The store was damaged. {done.salvaged:,} records could be read out of it.")
        if done.lost:
            output.say(f"At most {done.lost:,} could not. `remem ingest` reads sessions again,")
            output.say("and `remem snapshot list` shows what there is from before.")
        output.say(f"The damaged file is kept: {printable(done.kept)}")
        return 0
    output.say("The store is sound; its word index was built again.")
    if done.dropped_vectors:
        output.say(
            f"{plural(done.dropped_vectors, 'odd vector')} dropped; `remem ingest` makes them."
        )
    if done.vacuumed:
        output.say("The file was written anew without its free pages.")
    if done.removed:
        output.say(f"{plural(done.removed, 'leftover')} of interrupted snapshots removed.")
    output.say(f"As it was before: {printable(done.kept)}")
    return 0
