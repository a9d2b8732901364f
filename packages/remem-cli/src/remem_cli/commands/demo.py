"""`remem demo`: the real program on made-up sessions, in a memory that is gone afterwards."""

import argparse
import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem_cli import wiring
from remem_cli.demo import session_folder
from remem_cli.output import BOLD, DIM, Output, plural, shorten
from remem_cli.rendering import count_kinds, hit_lines
from remem_protocol import Correction, Event, Failure, Handback, InternalError, Surprise

if TYPE_CHECKING:
    from remem_cli.reading import Findings
    from remem_core import Memory

QUESTIONS: Final = (
    "should I use pip here?",
    "may I push straight to main?",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments: none."""


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Read the bundled sessions, show what is remembered, ask, and say how to go on."""
    from remem_cli.reading import find_files, read_files

    with session_folder() as folder, _temporary_memory() as memory:
        found = find_files([folder], "claude-code", {})
        sessions = plural(len(found.files), "made-up session")
        output.say(f"Reading {sessions} with Claude Code into a temporary memory …")
        tally = read_files(memory, found.files, dry_run=False, progress=output.progress("reading"))
        if tally.failed:
            raise InternalError(tally.failed[0][1])
        memory.embed_pending()
        output.say(f"Remembered {count_kinds(tally.report.by_kind)}, among them:")
        output.say()
        _say_events(memory, found, output)
        _ask(memory, output)
        _sleep(memory, output)
    output.say("That memory is deleted again. The same for your own sessions, on this machine:")
    output.say()
    output.say(output.style("    remem ingest && remem sleep && remem morning", BOLD))
    return 0


@contextlib.contextmanager
def _temporary_memory() -> "Iterator[Memory]":
    with (
        tempfile.TemporaryDirectory(prefix="remem-demo-") as home,
        wiring.open_memory(Path(home)) as memory,
    ):
        yield memory


def _say_events(memory: "Memory", found: "Findings", output: Output) -> None:
    from remem_agents.transcript import Seen

    for file in found.files:
        for transcript in file.reader.read(file.path, Seen()):
            for event in memory.inspect(transcript):
                if line := _tell(event):
                    kind = output.style(f"{event.kind:<11}", BOLD)
                    output.say(f"  {output.style(event.at[:10], DIM)}  {kind} {line}")


def _tell(event: Event) -> str:
    """One line of an event's own words, or nothing for what only counts."""
    match event:
        case Correction():
            return f"you: “{shorten(event.said, 90)}”"
        case Failure():
            return f"{event.tool}: {shorten(event.failure, 90)}"
        case Surprise():
            return f"the agent: {shorten(event.statement, 90)}"
        case Handback(act="offer", said=str(said)):
            return f"offered what it could have done; you: “{shorten(said, 60)}”"
        case _:
            return ""


def _ask(memory: "Memory", output: Output) -> None:
    for question in QUESTIONS:
        output.say()
        output.say(f"Asked “{output.style(question, BOLD)}” it answers:")
        output.say()
        for hit in memory.recall(question, limit=2):
            for line in hit_lines(hit, output):
                output.say(f"  {line}")
    output.say()


def _sleep(memory: "Memory", output: Output) -> None:
    memory.sleep()
    lessons = memory.lessons()
    output.say(f"At night it sleeps on that. {plural(len(lessons), 'lesson')} are left of it:")
    output.say()
    for lesson in lessons:
        output.say(f"  {shorten(lesson.text.partition(chr(10))[0], 110)}")
    output.say()
    output.say("`remem setup` has agents told one at the moment it bears on what they do.")
    output.say()
