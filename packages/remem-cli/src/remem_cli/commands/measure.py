"""`remem measure`: whether the memory helps, on the owner's own sessions, and how sure that is."""

import argparse
import dataclasses
from typing import TYPE_CHECKING

from remem_cli import options, wiring
from remem_cli.output import BOLD, DIM, Output, printable, wrap
from remem_protocol import NotFoundError

if TYPE_CHECKING:
    from remem_core.morning.sections import Section


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--since", type=options.moment, metavar="TIME", help="e.g. 4w (default: all there is)"
    )
    parser.add_argument("--html", action="store_true", help="print a page for a browser")
    options.add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Measure and tell it; raise NotFoundError where nothing is remembered."""
    if not wiring.memory_exists():
        raise NotFoundError("nothing is remembered yet; `remem ingest` reads your agents' sessions")
    with wiring.open_memory() as memory:
        measured = memory.measure(wiring.shown_to_agents(memory), since=arguments.since)
    from remem_core.measure import page, sections

    if arguments.json:
        output.json(dataclasses.asdict(measured))
        return 0
    if arguments.html:
        output.say(page.render(measured).rstrip("\n"))
        return 0
    output.say(output.style(page.TITLE, BOLD))
    _wrapped(sections.summary(measured), "", output)
    for section in sections.sections(measured):
        _say(section, output)
    output.say()
    for line in sections.basis(measured):
        _wrapped(line, "", output)
    return 0


def _say(section: "Section", output: Output) -> None:
    output.say()
    output.say(output.style(printable(section.title), BOLD))
    for item in section.items:
        if section.table:
            _wrapped(f"{item.words}: {item.facts}", "  ", output)
            continue
        _wrapped(item.words, "  ", output)
        _wrapped(f"{item.facts} · {item.id}" if item.id else item.facts, "    ", output)
    if section.more:
        for line in wrap(section.more, "  "):
            output.say(output.style(line, DIM))


def _wrapped(text: str, indent: str, output: Output) -> None:
    for line in wrap(text, indent):
        output.say(line)
