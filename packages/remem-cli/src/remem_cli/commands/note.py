"""`remem note`: remember something because the owner says so."""

import argparse
import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from remem_cli import options, wiring
from remem_cli.output import Output, printable
from remem_protocol import (
    Note,
    NotFoundError,
    OutOfScopeError,
    RememError,
    decode_event,
    format_time,
)

if TYPE_CHECKING:
    from remem_core.memory import Memory


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("text", nargs="+", help="what to remember")
    parser.add_argument(
        "--layer",
        type=options.layer,
        metavar="LAYER",
        help=f"one of {', '.join(options.LAYERS)} (default: the first; with --trigger the last)",
    )
    parser.add_argument(
        "--trigger", metavar="WORDS", help='words or phrases that bring it to mind: "a, b c"'
    )
    parser.add_argument(
        "--from", dest="from_", type=options.point, metavar="TIME", help="holds from then on"
    )
    parser.add_argument("--until", type=options.point, metavar="TIME", help="holds before then")
    parser.add_argument("--supersedes", metavar="ID", help="the note that it takes the place of")
    scope = parser.add_mutually_exclusive_group()
    scope.add_argument("--project", metavar="NAME", help="for this project (see `status`)")
    scope.add_argument("--cwd", metavar="DIR", help="for the project that this folder is in")
    scope.add_argument("--global", dest="everywhere", action="store_true", help="for every project")
    options.add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Store it and print its id; 2 where the arguments contradict each other."""
    if (why := _contradiction(arguments)) is not None:
        output.fail(why)
        return 2
    with wiring.open_memory() as memory:
        note = _note(memory, arguments)
        report = memory.emit([note])
        if report.forgotten:
            raise RememError(_FORGOTTEN)
    if arguments.json:
        output.json({"id": note.id, "project": note.project, "known": not report.new})
        return 0
    output.say(note.id)
    if note.text != " ".join(arguments.text):
        output.note("What looked like a secret was left out.")
    output.note(
        f"For {printable(note.project)} (--global: for all)."
        if note.project
        else "For every project."
    )
    return 0


_FORGOTTEN = "that was forgotten for good, and stays so; say it in other words"


def _contradiction(arguments: argparse.Namespace) -> str | None:
    if not " ".join(arguments.text).strip():
        return "there is nothing to remember in an empty text"
    if arguments.trigger and arguments.layer not in (None, "procedural"):
        return "--trigger brings procedural notes to mind, not others"
    if arguments.from_ and arguments.until and arguments.until <= arguments.from_:
        return "--until is not after --from"
    return None


def _note(memory: "Memory", arguments: argparse.Namespace) -> Note:
    """Return the note as it will be stored: what looks like a secret is out of it already."""
    from remem_core.redact import redact_event

    old = _replaced(memory, arguments.supersedes) if arguments.supersedes else None
    note = Note(
        text=" ".join(arguments.text),
        at=format_time(datetime.datetime.now(datetime.UTC)),
        source="owner",
        project=_project(arguments) if old is None or _states_scope(arguments) else old.project,
        layer=arguments.layer or ("procedural" if arguments.trigger else "semantic"),
        trigger=arguments.trigger,
        valid_from=arguments.from_,
        valid_until=arguments.until,
        supersedes=None if old is None else old.id,
    )
    redacted = redact_event(note)
    assert isinstance(redacted, Note)
    if old is not None and old.project != redacted.project:
        raise OutOfScopeError("a note takes the place of one of its own project only")
    return redacted


def _replaced(memory: "Memory", prefix: str) -> Note:
    event = decode_event(memory.show(prefix).event.encode())
    if not isinstance(event, Note):
        raise NotFoundError("only a note can be superseded, and this is none")
    return event


def _states_scope(arguments: argparse.Namespace) -> bool:
    return bool(arguments.project or arguments.cwd or arguments.everywhere)


def _project(arguments: argparse.Namespace) -> str | None:
    """Return the project it is for: of the current folder only where that is a repository."""
    if arguments.everywhere:
        return None
    if arguments.project or arguments.cwd:
        return arguments.project or wiring.project_of(arguments.cwd)
    here = wiring.project_of(str(Path.cwd()))
    return here if here.startswith("git") else None
