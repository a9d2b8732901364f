"""`remem forget`: delete for good, and keep it from coming back."""

import argparse
import dataclasses
import sys
from typing import TYPE_CHECKING

from remem_cli import options, wiring
from remem_cli.output import Output, plural, printable
from remem_protocol import NotFoundError, decode_event
from remem_protocol.events import UnknownEvent

if TYPE_CHECKING:
    from remem_core.memory import Memory
    from remem_core.reports import Forgotten

SHOWN = 5  # of what would go, how many are told
WORD = "forget"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    named = parser.add_mutually_exclusive_group(required=True)
    named.add_argument("id", nargs="?", help="one memory, by the first letters of its id")
    named.add_argument("--project", metavar="NAME", help="all of a project so far")
    named.add_argument("--session", metavar="ID", help="all of a session")
    named.add_argument(
        "--since", type=options.moment, metavar="TIME", help="all that happened since, e.g. 2h"
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would go, keep it")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    options.add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Say what would go, ask, forget; 1 when the owner says no."""
    if not wiring.memory_exists():
        raise NotFoundError("nothing is remembered yet, so there is nothing to forget")
    with wiring.open_memory() as memory:
        told = _forget(memory, arguments, dry_run=True)
        if not arguments.json:
            _say_what(memory, told, output)
        if not arguments.dry_run:
            if not (arguments.yes or _agreed(output)):
                output.fail("nothing was forgotten")
                return 1
            told = _forget(memory, arguments, dry_run=False)
    if arguments.json:
        output.json(dataclasses.asdict(told) | {"dry_run": arguments.dry_run})
    elif not arguments.dry_run:
        _say_done(told, output)
    return 0


def _forget(memory: "Memory", arguments: argparse.Namespace, *, dry_run: bool) -> "Forgotten":
    return memory.forget(
        arguments.id,
        session=arguments.session,
        project=arguments.project,
        since=arguments.since,
        dry_run=dry_run,
    )


def _say_what(memory: "Memory", told: "Forgotten", output: Output) -> None:
    from remem_core.telling import heading

    for id_ in told.ids[:SHOWN]:
        event = decode_event(memory.show(id_).event.encode())
        if not isinstance(event, UnknownEvent):
            output.say(f"  {id_[:8]}  {event.kind}: {printable(heading(event))}")
    if len(told.ids) > SHOWN:
        output.say(f"  and {len(told.ids) - SHOWN:,} more")
    others = [(told.sessions, "session"), (told.lessons, "lesson")]
    beside = "".join(f", {plural(count, noun)}" for count, noun in others if count)
    output.say(f"{told.episodes:,} remembered{beside} would be forgotten.")


def _agreed(output: Output) -> bool:
    if not sys.stdin.isatty():
        output.fail("there is nobody to ask; --yes forgets without asking")
        return False
    output.note("This can not be undone: not by reading the transcripts again, by an old export,")
    output.note(f"or by a snapshot. Write `{WORD}` to go on.")
    return sys.stdin.readline().strip() == WORD


def _say_done(told: "Forgotten", output: Output) -> None:
    output.note(f"Forgotten: {told.episodes:,}. It can not be undone.")
    if told.snapshots:
        output.note(f"Taken out of {plural(len(told.snapshots), 'snapshot')} too.")
    if not told.clean:
        output.warn(
            "another program still reads the old bytes; they go when it ends and remem runs again"
        )
    output.note("The agents' own transcripts, and copies you made elsewhere, are as they were.")
