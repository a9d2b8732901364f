"""`remem setup`: wire the agents of this machine to the memory, or take the wires out again."""

import argparse
import contextlib
import dataclasses
import datetime
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from remem_cli import options, setup_told, wiring
from remem_cli.output import GREEN, RED, Output
from remem_cli.programs import host_commands
from remem_cli.showing import Shown
from remem_core.errors import BusyError
from remem_core.paths import is_ours, locate
from remem_protocol import NotFoundError, format_time

if TYPE_CHECKING:
    from remem_agents.setup.definitions import Commands, Host
    from remem_agents.setup.machine import Machine
    from remem_agents.setup.manifest import Notebook
    from remem_agents.setup.plan import Plan

LOCK: Final = "setup.lock"
BUSY: Final = "another `remem setup` is at work, or was a moment ago; run it again"
NOTHING: Final = Shown((), ())


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--only", action="append", metavar="NAME", help="this agent alone, or `nightly`; repeatable"
    )
    parser.add_argument("--remove", action="store_true", help="take everything of ours out again")
    parser.add_argument("--dry-run", action="store_true", help="say what would change, keep it")
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument(
        "--trust-codex-hooks",
        action="store_true",
        help="note your consent to our hooks in Codex, instead of its own review by `/hooks`",
    )
    plugin = parser.add_argument_group("instead of set-up")
    plugin.add_argument(
        "--plugin", type=Path, metavar="DIR", help="write a Claude Code plugin with the same hooks"
    )
    plugin.add_argument(
        "--check",
        action="store_true",
        help="with --plugin: say whether it is what would be written",
    )
    options.add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Show what would change, ask, do it; 1 when the owner says no or a file is left as it is."""
    from remem_agents.setup.machine import Machine
    from remem_agents.setup.manifest import Notebook

    machine = Machine.here(os.environ)
    commands = host_commands(os.environ)
    if arguments.plugin is not None:
        return _plugin(arguments, machine, commands, output)
    hosts = _chosen(arguments.only)
    notebook = Notebook.at(locate().setup)
    if arguments.remove:
        return _remove(arguments, hosts, machine, commands, notebook, output)
    return _set_up(arguments, hosts, machine, commands, notebook, output)


def _chosen(names: list[str] | None) -> list["Host"]:
    from remem_agents.setup.hosts import HOSTS

    known = {host.name: host for host in HOSTS}
    for name in names or ():
        if name not in known:
            raise NotFoundError(f"no such agent: {name!r} (one of {', '.join(known)})")
    return [known[name] for name in names] if names else list(HOSTS)


def _set_up(
    arguments: argparse.Namespace,
    hosts: list["Host"],
    machine: "Machine",
    commands: "Commands",
    notebook: "Notebook",
    output: Output,
) -> int:
    from remem_agents.setup.files import look
    from remem_agents.setup.plan import make_plan

    # A name that was asked for is set up whether or not its agent shows.
    here = [host for host in hosts if arguments.only or host.is_here(machine)]
    plan = make_plan(here, machine, commands, notebook.load(), look)
    begins = not arguments.only and bool(here) and not locate().written.exists()
    shown = wiring.begin_to_show(os.environ, dry_run=True) if begins else NOTHING
    if not arguments.json:
        if not here:
            output.note("no agent was found on this machine; --only NAME sets one up anyway")
        setup_told.say_plan(plan, here, commands, output)
        setup_told.say_lessons(shown, output, "+", GREEN)
    trusts = arguments.trust_codex_hooks and any(host.name == "codex" for host in here)
    wanted = not plan.is_empty or trusts or begins
    if wanted and not arguments.dry_run:
        if not _agreed(arguments, "set up", output):
            return 1
        with _alone(notebook):
            _carry_out(plan, notebook)
            if trusts:
                _trust(here, machine, commands, notebook, output)
            if begins:
                shown = wiring.begin_to_show(os.environ)
        _say_next(plan, here, trusts, output)
    if arguments.json:
        output.json(setup_told.plan_json(plan, shown, applied=wanted and not arguments.dry_run))
    return 1 if plan.refusals or shown.is_refused else 0


@contextlib.contextmanager
def _alone(notebook: "Notebook") -> Iterator[None]:
    """Keep other set-ups out for a block.

    Raises BusyError where one is at work, or was since the plan was made.
    """
    from remem_core.locking import alone
    from remem_core.paths import claim

    planned_on = notebook.load()
    claim(locate())
    with alone(locate().home / LOCK, BUSY):
        if notebook.load() != planned_on:
            raise BusyError(BUSY)
        yield


def _carry_out(plan: "Plan", notebook: "Notebook") -> None:
    from remem_agents.setup.apply import apply

    apply(plan, notebook, os.environ, format_time(datetime.datetime.now(datetime.UTC)))


def _trust(
    hosts: list["Host"],
    machine: "Machine",
    commands: "Commands",
    notebook: "Notebook",
    output: Output,
) -> None:
    """Note the owner's consent for Codex; only now does Codex know the hooks that it is about."""
    from remem_agents.codex.trust import consents
    from remem_agents.setup.errors import SetupError
    from remem_agents.setup.files import look
    from remem_agents.setup.plan import make_plan

    codex = next(host for host in hosts if host.name == "codex")
    try:
        definition = consents(machine, commands)
    except SetupError as error:
        output.warn(f"{error.message}; run `/hooks` in Codex instead")
        return
    trusting = dataclasses.replace(codex, files=lambda machine, commands: [definition])
    plan = make_plan([trusting], machine, commands, notebook.load(), look)
    for refusal in plan.refusals:
        output.warn(f"{refusal.path}: {refusal.words}")
    _carry_out(plan, notebook)
    output.note("Codex: our hooks may run, as long as they stay as they are now")


def _say_next(plan: "Plan", hosts: list["Host"], trusts: bool, output: Output) -> None:
    changed = {change.host for change in plan.changes} | {added.host for added in plan.additions}
    for host in hosts:
        if host.name in changed and host.after and not (trusts and host.name == "codex"):
            output.note(f"{host.title}: {host.after}")
    output.note("`remem doctor` proves that it works; `remem setup --remove` takes it back")


def _remove(
    arguments: argparse.Namespace,
    hosts: list["Host"],
    machine: "Machine",
    commands: "Commands",
    notebook: "Notebook",
    output: Output,
) -> int:
    from remem_agents.setup.apply import remove
    from remem_agents.setup.files import look
    from remem_agents.setup.removal import make_removal

    removal = make_removal(hosts, machine, commands, notebook.load(), notebook, look)
    shown = NOTHING if arguments.only else wiring.take_out_lessons(dry_run=True)
    there = not removal.is_empty or any(plan.changes for plan in shown.plans)
    if not arguments.json:
        setup_told.say_removal(removal, output)
        setup_told.say_lessons(shown, output, "-", RED)
        if not (there or removal.refusals or shown.is_refused):
            output.note("nothing of ours is there")
    refusals = list(removal.refusals)
    if not arguments.dry_run and (there or is_ours(locate().home)):
        if there and not _agreed(arguments, "remove", output):
            return 1
        with _alone(notebook):
            if not arguments.only:  # first: what is left in a folder would keep it
                shown = wiring.take_out_lessons()
            _, failures = remove(removal, notebook, os.environ)
            _leave()
        refusals += failures
        for failure in failures:
            output.warn(f"{failure.path}: {failure.words}")
        output.note("What is remembered stays; `remem paths` says where.")
    if arguments.json:
        output.json(setup_told.removal_json(removal, shown, applied=not arguments.dry_run))
    return 1 if refusals or shown.is_refused else 0


def _leave() -> None:
    """Remove the memory's folder where set-up alone has made it."""
    from remem_core.paths import MARKER

    home = locate().home
    (home / LOCK).unlink(missing_ok=True)
    if [path.name for path in home.iterdir()] == [MARKER]:
        (home / MARKER).unlink()
        home.rmdir()


def _agreed(arguments: argparse.Namespace, verb: str, output: Output) -> bool:
    if arguments.yes:
        return True
    if not sys.stdin.isatty():
        output.fail(f"there is nobody to ask; --yes does what --dry-run shows ({verb})")
        return False
    if arguments.trust_codex_hooks:
        output.note("Codex runs no hook that its owner has not reviewed. Your yes stands for that")
        output.note("review, of the hooks shown above and as they are now.")
    output.note("Do it? [y/N]")
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _plugin(
    arguments: argparse.Namespace, machine: "Machine", commands: "Commands", output: Output
) -> int:
    from remem_agents.setup.plugin import plugin_files, stale_files, write_plugin

    files = plugin_files(machine, commands)
    stale = stale_files(arguments.plugin, files)
    if not (arguments.check or arguments.dry_run):
        write_plugin(arguments.plugin, files)
    if arguments.json:
        output.json({"folder": str(arguments.plugin), "stale": stale})
    else:
        for name in stale:
            output.say(f"  + {setup_told.home_short(arguments.plugin / name)}")
    return 1 if stale and arguments.check else 0
