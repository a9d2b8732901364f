"""`remem recall`: ask the memory in one's own words."""

import argparse
import dataclasses
import datetime
from typing import TYPE_CHECKING, Any

from remem_cli import options, wiring
from remem_cli.output import Output, printable
from remem_cli.rendering import days, explanation, hit_lines

if TYPE_CHECKING:
    from remem_core import Hit
    from remem_core.recall.timewords import Narrowing


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("query", nargs="+", help="what to look for, in any words")
    parser.add_argument("--limit", type=options.positive, default=8, metavar="N")
    scope = parser.add_mutually_exclusive_group()
    scope.add_argument("--project", metavar="NAME", help="only this project's (see `status`)")
    scope.add_argument("--cwd", metavar="DIR", help="only the project that this folder is in")
    _add_repeated(parser, "--kind", "only this kind", options.kind)
    _add_repeated(parser, "--layer", "only notes of this layer", options.layer)
    _add_repeated(parser, "--agent", "only from this agent's sessions", str)
    parser.add_argument("--since", type=options.moment, metavar="TIME", help="e.g. 7d, 2026-11-29")
    parser.add_argument("--until", type=options.moment, metavar="TIME", help="before that time")
    parser.add_argument(
        "--at", type=options.moment, metavar="TIME", help="as things stood at that time"
    )
    parser.add_argument(
        "--anytime", action="store_true", help='search all time, whatever "last week" in it says'
    )
    parser.add_argument("--archived", action="store_true", help="also what has faded")
    parser.add_argument(
        "--budget",
        type=options.budget,
        metavar="SIZE",
        help="at most so many bytes of text; 500t: so many tokens, counted as 4 bytes each",
    )
    parser.add_argument("--explain", action="store_true", help="show what made each score")
    options.add_json(parser)


def _add_repeated(parser: argparse.ArgumentParser, name: str, what: str, kind: Any) -> None:
    parser.add_argument(
        name,
        type=kind,
        action="append",
        metavar=name[2:].upper(),
        help=f"{what}; may be given again",
    )


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Print what answers the question, best first."""
    narrowed = _narrowing(arguments)
    hits = _recall(arguments, narrowed)
    if arguments.json:
        found = [dataclasses.asdict(hit) for hit in hits]
        output.json({"hits": found, "narrowed": _named(narrowed)})
        return 0
    if narrowed is not None:
        output.note(f"Only {days(narrowed)}, from “{narrowed.phrase}”; --anytime searches all.")
    for hit in hits:
        for line in hit_lines(hit, output):
            output.say(line)
        for line in explanation(hit, output) if arguments.explain else ():
            output.say(line)
        output.say()
    if hits:
        output.note("`remem show ID` shows one whole.")
    else:
        output.say(f"Nothing found{_when(narrowed)}. {_hint(arguments, narrowed)}")
    return 0


def _narrowing(arguments: argparse.Namespace) -> "Narrowing | None":
    """Return the days that the question names; the owner's own --since or --until outdoes it."""
    if arguments.anytime or arguments.since or arguments.until:
        return None
    from remem_core.recall.timewords import narrow

    now: datetime.datetime = arguments.at or datetime.datetime.now(datetime.UTC)
    return narrow(" ".join(arguments.query), now.astimezone().date())


def _recall(arguments: argparse.Namespace, narrowed: "Narrowing | None") -> "list[Hit]":
    if not wiring.memory_exists():
        return []
    project = wiring.project_of(arguments.cwd) if arguments.cwd else arguments.project
    since, until, query = arguments.since, arguments.until, " ".join(arguments.query)
    if narrowed is not None:
        since, until, query = _midnight(narrowed.since), _midnight(narrowed.until), narrowed.rest
    with wiring.open_memory() as memory:
        return memory.recall(
            query,
            limit=arguments.limit,
            project=project,
            kinds=arguments.kind,
            layers=arguments.layer,
            agents=arguments.agent,
            since=since,
            until=until,
            at=arguments.at,
            archived=arguments.archived,
            budget=arguments.budget,
        )


def _midnight(day: datetime.date | None) -> datetime.datetime | None:
    """Return the beginning of the owner's day."""
    if day is None:
        return None
    return datetime.datetime(day.year, day.month, day.day).astimezone(datetime.UTC)


def _named(narrowed: "Narrowing | None") -> dict[str, str | None] | None:
    if narrowed is None:
        return None
    bounds = {"since": narrowed.since, "until": narrowed.until}
    named = {name: None if day is None else day.isoformat() for name, day in bounds.items()}
    return named | {"phrase": narrowed.phrase}


def _when(narrowed: "Narrowing | None") -> str:
    return "" if narrowed is None else f" for {days(narrowed)}"


def _hint(arguments: argparse.Namespace, narrowed: "Narrowing | None") -> str:
    narrow = ("project", "cwd", "kind", "layer", "agent", "since", "until", "at")
    given = [f"--{name}" for name in narrow if getattr(arguments, name)]
    if narrowed is not None:
        return printable(f"--anytime searches beyond “{narrowed.phrase}”.")
    if given:
        return f"Try it without {' and '.join(given)}."
    return "`remem status` shows what there is; `remem ingest` reads your agents' sessions."
