"""`remem snapshot`: keep the whole memory as it is, and lay it back when it is needed."""

import argparse
import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING

from remem_cli import options, wiring
from remem_cli.files import written_whole
from remem_cli.output import BOLD, DIM, Output, plural, printable, size

if TYPE_CHECKING:
    from remem_core.memory import Memory
    from remem_core.reports import Snapshot


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "action", choices=["create", "list", "restore", "export", "import"], help="what to do"
    )
    parser.add_argument("name", nargs="?", help="which snapshot, or `latest`; the file to import")
    parser.add_argument("file", nargs="?", type=Path, help="the file to export to")
    parser.add_argument("--why", default="", metavar="TEXT", help="a remark to keep with it")
    parser.add_argument("--check", action="store_true", help="read each listed snapshot whole")
    options.add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Do the action; raise ArgumentError where a name or a file is missing."""
    needs = {"restore": ("name",), "export": ("name", "file"), "import": ("name",)}
    for needed in needs.get(arguments.action, ()):
        if getattr(arguments, needed) is None:
            output.fail(f"`remem snapshot {arguments.action}` needs a {needed}")
            return 2
    with wiring.open_memory() as memory:
        match arguments.action:
            case "create":
                return _say([memory.snapshot(arguments.why)], arguments.json, output)
            case "list":
                return _list(memory, arguments, output)
            case "restore":
                return _restore(memory, arguments.name, output)
            case "export":
                return _export(memory, arguments.name, arguments.file, output)
            case _:
                return _import(memory, Path(arguments.name), arguments.json, output)


def _list(memory: "Memory", arguments: argparse.Namespace, output: Output) -> int:
    from remem_protocol import RememError

    snapshots = []
    for snapshot in memory.snapshots.all():
        damaged = snapshot.damaged
        if arguments.check and not damaged:
            try:
                memory.snapshots.check(snapshot)
            except RememError as error:
                damaged = error.message
        snapshots.append(dataclasses.replace(snapshot, damaged=damaged))
    if not snapshots and not arguments.json:
        output.say("No snapshots yet. `remem snapshot create` makes one.")
    _say(snapshots, arguments.json, output)
    return 1 if any(snapshot.damaged for snapshot in snapshots) else 0


def _restore(memory: "Memory", name: str, output: Output) -> int:
    replaced, report = memory.restore(name, embed=False)
    came = plural(report.new.get("episode", 0), "memory").replace("memorys", "memories")
    output.note(f"Restored; {came} came back. What it replaced is kept as {replaced.name}.")
    if report.kept_out:
        output.note(f"{report.kept_out:,} that you had forgotten or vetoed stayed away.")
    memory.embed_pending(progress=output.progress("embedding (Ctrl-C loses nothing)"))
    return 0


def _export(memory: "Memory", name: str, file: Path, output: Output) -> int:
    from remem_core.keeping.packing import pack

    with written_whole(file) as out:
        snapshot = pack(memory.snapshots, name, out)
    output.note(f"Wrote {snapshot.name} to {printable(str(file))}; anyone who has it can read it.")
    return 0


def _import(memory: "Memory", file: Path, json: bool, output: Output) -> int:
    from remem_core.keeping.packing import unpack

    with file.open("rb") as packed:
        snapshot = unpack(memory.snapshots, packed)
    _say([snapshot], json, output)
    output.note(f"Taken in. `remem snapshot restore {snapshot.name}` lays it over the present.")
    return 0


def _say(snapshots: "list[Snapshot]", json: bool, output: Output) -> int:
    if json:
        output.json({"snapshots": [dataclasses.asdict(snapshot) for snapshot in snapshots]})
        return 0
    for snapshot in snapshots:
        facts = f"{snapshot.counts.get('episode', 0):,} remembered, {size(snapshot.bytes)}"
        why = f", {printable(snapshot.why)}" if snapshot.why else ""
        damaged = f" DAMAGED: {printable(snapshot.damaged)}" if snapshot.damaged else ""
        name = output.style(snapshot.name, BOLD)
        output.say(f"{name}  {output.style(facts + why, DIM)}{damaged}")
    return 0
