"""`remem ingest`: read sessions, or events of the open format, into the memory."""

import argparse
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from remem_cli import options, wiring
from remem_cli.errors import explain
from remem_cli.lines import open_input, read_lines
from remem_cli.output import Output, plural, printable, shorten
from remem_cli.rendering import count_kinds
from remem_protocol import Event, NotFoundError, RememError, UnknownEvent, decode_event

if TYPE_CHECKING:
    from remem_cli.reading import Findings, Tally
    from remem_core import Memory

NAMED = 10  # of the files or lines that went wrong, how many are named


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "path",
        nargs="*",
        type=Path,
        help="files or folders of sessions (default: where your agents keep theirs)",
    )
    options.add_agent(parser)
    parser.add_argument(
        "--events", metavar="FILE", help="read events of the open format instead; - is stdin"
    )
    parser.add_argument("--dry-run", action="store_true", help="count, but store nothing")
    parser.add_argument("--no-embed", action="store_true", help="leave the vectors for later")
    parser.add_argument("--quiet", action="store_true", help="say only what went wrong")


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Read, store, say what came of it; 0 if anything could be read."""
    output.quiet = arguments.quiet
    opened = wiring.look_into_memory() if arguments.dry_run else wiring.open_memory()
    with opened as memory:
        if arguments.events is not None:
            code = _ingest_events(memory, arguments.events, arguments.dry_run, output)
        else:
            code = _ingest_files(memory, arguments, output)
        if not (arguments.dry_run or arguments.no_embed):
            _embed(memory, output)
    return code


def _ingest_files(memory: "Memory", arguments: argparse.Namespace, output: Output) -> int:
    from remem_cli.reading import find_files, read_files

    left = 0 if arguments.path or arguments.dry_run else _take_inbox(memory, output)
    found = find_files(arguments.path, arguments.agent, os.environ)
    if not found.files and not found.failed:
        if left:
            return 0
        raise NotFoundError(_nothing_there(arguments.path))
    progress = output.progress("reading files")
    tally = read_files(
        memory, found.files, dry_run=arguments.dry_run, progress=progress, explain=explain
    )
    tally.failed[:0] = found.failed
    _say_failures(tally, output)
    for line in _summary(tally, found, dry_run=arguments.dry_run):
        output.note(line)
    return 0 if tally.read or tally.empty or tally.unchanged else 1


def _take_inbox(memory: "Memory", output: Output) -> int:
    """Take in what other programs left; return how many files."""
    report = memory.take_inbox()
    if report.files:
        new = f": {count_kinds(report.by_kind)}" if report.by_kind else ""
        output.note(f"From {plural(report.files, 'file')} of the inbox {report.new:,} new{new}.")
    if report.bad_lines:
        where = ", ".join(printable(name) for name in report.bad)
        output.fail(f"{plural(report.bad_lines, 'line')} could not be read; moved to {where}")
    return report.files


def _nothing_there(paths: list[Path]) -> str:
    if paths:
        return f"no session files below {', '.join(map(str, paths))}"
    return "no agent's sessions on this machine; `remem ingest PATH` reads a folder of them"


def _say_failures(tally: "Tally", output: Output) -> None:
    for path, why in tally.failed[:NAMED]:
        output.fail(f"{why} in {printable(str(path))}")
    if len(tally.failed) > NAMED:
        output.fail(f"and {plural(len(tally.failed) - NAMED, 'more file')} could not be read")
    for path, notes in tally.damaged[:NAMED]:
        example = f", {shorten(notes.examples[0], 80)}" if notes.examples else ""
        lines = plural(notes.damaged, "damaged line")
        output.note(f"{lines} in {printable(str(path))}{example}")


def _summary(tally: "Tally", found: "Findings", *, dry_run: bool) -> Iterator[str]:
    report = tally.report
    others = {
        "unchanged": tally.unchanged,
        "without a conversation": tally.empty,
        "of other programs": found.foreign,
        "failed": len(tally.failed),
    }
    beside = ", ".join(f"{count:,} {what}" for what, count in others.items() if count)
    yield f"Read {plural(tally.read, 'file')}" + (f" ({beside})." if beside else ".")
    if tally.read:
        turns = f"{plural(report.turns, 'turn')}, {report.person_turns:,} of them yours"
        yield f"{plural(report.sessions, 'session')}: {turns}."
    if report.damaged:
        where = plural(len(tally.damaged), "file")
        yield f"{plural(report.damaged, 'damaged line')} in {where}; what could be read was."
    would = "Would remember" if dry_run else "Remembered"
    new = f": {count_kinds(report.by_kind)}" if report.by_kind else ""
    yield f"{would} {report.new:,} new{new}."
    if report.forgotten:
        yield f"{report.forgotten:,} that you had forgotten stayed away."


def _ingest_events(memory: "Memory", name: str, dry_run: bool, output: Output) -> int:
    lines = _EventLines(output)
    with open_input(name) as stream:
        events = lines.decode(read_lines(stream))
        if dry_run:
            for _ in events:
                pass
            output.note(f"{plural(lines.good, 'event')} could be read, {lines.bad:,} could not.")
        else:
            report = memory.emit(events, embed=False)
            new = f": {count_kinds(report.by_kind)}" if report.by_kind else ""
            output.note(f"Remembered {report.new:,} new{new}.")
            known = report.known + report.copies
            output.note(f"{plural(lines.good, 'event')} read, {known:,} of them known already.")
            if report.forgotten:
                output.note(f"{report.forgotten:,} that you had forgotten stayed away.")
            if report.unknown:
                output.note(f"{report.unknown:,} of a kind that this version does not know.")
    if lines.bad:
        output.fail(f"{plural(lines.bad, 'line')} could not be read")
    return 1 if lines.bad and not lines.good else 0


class _EventLines:
    """Decodes a stream's lines, telling and counting the bad ones instead of stopping there."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self.good = 0
        self.bad = 0

    def decode(self, lines: Iterator[tuple[int, bytes]]) -> Iterator[Event | UnknownEvent]:
        for number, line in lines:
            try:
                event = decode_event(line)
            except RememError as error:
                self.bad += 1
                if self.bad <= NAMED:
                    self._output.fail(f"line {number}: {shorten(str(error), 200)}")
            else:
                self.good += 1
                yield event


def _embed(memory: "Memory", output: Output) -> None:
    done = memory.embed_pending(progress=output.progress("embedding (Ctrl-C loses nothing)"))
    if done:
        output.note(f"Embedded {done:,}.")
