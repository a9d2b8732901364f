"""`remem render`: the lessons in the files where agents look for their memory, or out of them."""

import argparse
import os
from typing import TYPE_CHECKING

from remem_cli import options, wiring
from remem_cli.output import Output, plural, printable

if TYPE_CHECKING:
    from remem_agents.render.plan import Plan
    from remem_cli.showing import Shown


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--dry-run", action="store_true", help="say what would change")
    parser.add_argument("--remove", action="store_true", help="take everything of ours out again")
    parser.add_argument(
        "--at-work", action="store_true", help="also where an agent was at work a moment ago"
    )
    options.add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Write what changed, and say so."""
    if arguments.remove:
        shown = wiring.take_out_lessons(dry_run=arguments.dry_run)
    else:
        with wiring.look_into_memory() as memory:
            shown = wiring.show_lessons(
                memory, os.environ, dry_run=arguments.dry_run, at_work=arguments.at_work
            )
    if arguments.json:
        output.json({"places": [_json(p) for p in shown.plans], "vetoed": shown.vetoed})
    else:
        _say(shown, output, arguments.dry_run)
    return 1 if shown.is_refused else 0


def _json(plan: "Plan") -> dict[str, object]:
    return {
        "agent": plan.place.agent,
        "index": str(plan.place.index),
        "written": sorted(str(path) for path, new in plan.changes.items() if new is not None),
        "removed": sorted(str(path) for path, new in plan.changes.items() if new is None),
        "reworded": plan.reworded,
        "refused": plan.refused or None,
    }


def _say(shown: "Shown", output: Output, dry_run: bool) -> None:
    from remem_cli.showing import REFUSED

    would = "would be " if dry_run else ""
    for plan in shown.plans:
        where = printable(str(plan.place.index))
        if plan.refused:
            output.say(f"{where}: left as it is, {REFUSED[plan.refused]} ({plan.refused})")
        elif plan.changes:
            output.say(f"{where}: {plural(len(plan.changes), 'file')} {would}changed")
        for id_ in plan.reworded:
            output.say(f"{where}: your wording of {id_[:8]} is kept")
    for id_ in shown.vetoed:
        output.say(
            f"{id_[:8]}: its file was deleted, so it {would}vetoed; `remem unveto {id_[:8]}`"
        )
    if not any(plan.changes or plan.refused for plan in shown.plans):
        output.note("Nothing to change.")
