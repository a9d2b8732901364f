"""`remem recall`: ask the memory in one's own words."""

import argparse
import dataclasses
import datetime
from typing import TYPE_CHECKING

from remem_cli import options, wiring
from remem_cli.output import Output
from remem_cli.rendering import hit_lines

if TYPE_CHECKING:
    from remem_core import Hit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("query", nargs="+", help="what to look for, in any words")
    parser.add_argument("--limit", type=options.positive, default=8, metavar="N")
    scope = parser.add_mutually_exclusive_group()
    scope.add_argument("--project", metavar="NAME", help="only this project's (see `status`)")
    scope.add_argument("--cwd", metavar="DIR", help="only the project that this folder is in")
    parser.add_argument(
        "--kind",
        type=options.kind,
        action="append",
        metavar="KIND",
        help="only this kind; may be given again",
    )
    parser.add_argument("--since", type=options.moment, metavar="TIME", help="e.g. 7d, 2026-11-29")
    parser.add_argument("--until", type=options.moment, metavar="TIME", help="before that time")
    parser.add_argument(
        "--at", type=options.moment, metavar="TIME", help="as things stood at that time"
    )
    options.add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Print what answers the question, best first."""
    hits = _recall(arguments)
    if arguments.json:
        output.json({"hits": [dataclasses.asdict(hit) for hit in hits]})
        return 0
    for hit in hits:
        for line in hit_lines(hit, output):
            output.say(line)
        output.say()
    if hits:
        output.note("`remem show ID` shows one whole.")
    else:
        output.say(f"Nothing found. {_hint(arguments)}")
    return 0


def _recall(arguments: argparse.Namespace) -> "list[Hit]":
    limits: list[datetime.datetime | None] = [arguments.since, arguments.until, arguments.at]
    since, until, at = limits
    if not wiring.memory_exists():
        return []
    project = wiring.project_of(arguments.cwd) if arguments.cwd else arguments.project
    with wiring.open_memory() as memory:
        return memory.recall(
            " ".join(arguments.query),
            limit=arguments.limit,
            project=project,
            kinds=arguments.kind,
            since=since,
            until=until,
            at=at,
        )


def _hint(arguments: argparse.Namespace) -> str:
    narrow = ("project", "cwd", "kind", "since", "until", "at")
    given = [f"--{name}" for name in narrow if getattr(arguments, name)]
    if given:
        return f"Try it without {' and '.join(given)}."
    return "`remem status` shows what there is; `remem ingest` reads your agents' sessions."
