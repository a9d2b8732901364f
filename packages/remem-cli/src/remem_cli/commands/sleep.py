"""`remem sleep`: turn what surprised into a few lessons, told in the morning."""

import argparse
import dataclasses
import os
from typing import TYPE_CHECKING

from remem_cli import options, wiring
from remem_cli.output import Output, plural, printable

if TYPE_CHECKING:
    from remem_core.sleep.report import SleepReport

BUDGET_MINUTES = 10.0
# Verb → what it did, for a person: (one, several).
DONE = {
    "CREATE": ("new lesson", "new lessons"),
    "CORROBORATE": ("lesson said again", "lessons said again"),
    "REFINE": ("lesson narrowed", "lessons narrowed"),
    "CORRECT": ("lesson contradicted and closed", "lessons contradicted and closed"),
    "MERGE": ("theme joined", "themes joined"),
    "SPLIT": ("theme taken apart", "themes taken apart"),
    "ARCHIVE": ("batch of what had faded archived", "batches of what had faded archived"),
    "REWORD": ("lesson worded anew", "lessons worded anew"),
    "RESOLVE": ("prediction resolved", "predictions resolved"),
    "PREDICT": ("prediction made", "predictions made"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--dry-run", action="store_true", help="show the changes, make none")
    parser.add_argument(
        "--rewrite", action="store_true", help="word every lesson anew from its sources"
    )
    parser.add_argument(
        "--now", type=options.moment, metavar="TIME", help="sleep as of this time (default: now)"
    )
    parser.add_argument(
        "--minutes",
        type=float,
        default=BUDGET_MINUTES,
        help=f"stop after this long; the next sleep goes on there (default: {BUDGET_MINUTES:.0f})",
    )
    options.add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Sleep, and say in a few lines what came of it."""
    opened = wiring.look_into_memory() if arguments.dry_run else wiring.open_memory()
    with opened as memory:
        report = memory.sleep(
            arguments.now,
            dry_run=arguments.dry_run,
            retell=arguments.rewrite,
            minutes=arguments.minutes,
            progress=lambda name, done, total: output.progress(f"{name}:")(done, total),
        )
    if not arguments.dry_run:
        wiring.keep_shown(os.environ)
    if arguments.json:
        output.json(dataclasses.asdict(report))
    else:
        _say(report, output)
    return 0


def _say(report: "SleepReport", output: Output) -> None:
    if report.dry_run:
        for verb, subject, why in report.told:
            output.say(f"{verb:<12} {subject[:8]:<8} {printable(why)}")
    if report.finished_earlier:
        output.note(f"The night of {report.finished_earlier[:10]} was broken off; finished it.")
    told = [
        f"{count:,} {DONE[verb][count != 1]}" for verb, count in report.changes.items() if count
    ]
    would = "It would be: " if report.dry_run else ""
    output.note(f"{would}{', '.join(told)}." if told else "A quiet night: nothing changed.")
    if report.kept_out:
        output.note(f"{plural(report.kept_out, 'change')} kept out by a veto or a later change.")
    if not report.finished:
        output.note("The time was up; the next `remem sleep` goes on from here.")
    elif not report.dry_run:
        output.note("`remem morning` tells what was learned.")
