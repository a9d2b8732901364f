"""`remem import`: merge an exported memory into this one, without loss and without doubling."""

import argparse
import io
from typing import TYPE_CHECKING, BinaryIO

from remem_cli import wiring
from remem_cli.lines import STDIN, open_input
from remem_cli.output import Output, plural, shorten

if TYPE_CHECKING:
    from remem_core.reports import ImportReport

NAMED = 10  # of the damaged lines, how many are named


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", help="an exported memory; - is stdin")
    parser.add_argument(
        "--skip-damaged", action="store_true", help="take the sound lines of a damaged file"
    )
    parser.add_argument("--no-embed", action="store_true", help="leave the vectors for later")
    parser.add_argument("--quiet", action="store_true", help="say only what went wrong")


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Merge, and say what came of it; 1 when a line was damaged."""
    from remem_core.errors import DamagedImportError

    output.quiet = arguments.quiet
    with open_input(arguments.file) as given, wiring.open_memory() as memory:
        stream: BinaryIO = io.BytesIO(given.read()) if arguments.file == STDIN else given
        try:
            report = memory.import_(
                stream,
                sound_only=arguments.skip_damaged,
                embed=False,
                progress=output.progress("importing"),
            )
        except DamagedImportError as error:
            _say_damaged(error.lines, output)
            output.fail("nothing was imported; --skip-damaged takes the other lines")
            return 1
        _say(report, output)
        if not arguments.no_embed:
            memory.embed_pending(progress=output.progress("embedding (Ctrl-C loses nothing)"))
    return 1 if report.damaged else 0


def _say(report: "ImportReport", output: Output) -> None:
    _say_damaged(report.damaged, output)
    new = ", ".join(f"{count:,} {kind}" for kind, count in report.new.items()) or "nothing"
    output.note(f"New: {new}. Known already: {report.known + report.copies:,}.")
    if report.changed:
        output.note(f"{report.changed:,} merged with what was known.")
    if report.kept_out:
        output.note(f"{report.kept_out:,} kept out: forgotten or vetoed, or still in use here.")
    if report.unknown:
        output.note(f"{report.unknown:,} of a type that this version does not know.")


def _say_damaged(lines: list[tuple[int, str]], output: Output) -> None:
    for number, why in lines[:NAMED]:
        output.fail(f"line {number}: {shorten(why, 200)}")
    if len(lines) > NAMED:
        output.fail(f"and {plural(len(lines) - NAMED, 'more damaged line')}")
