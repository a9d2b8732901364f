"""How set-up and its way back are told: what would change where, and what was left and why."""

import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remem_cli.output import DIM, GREEN, RED, YELLOW, Output, printable

if TYPE_CHECKING:
    from remem_agents.setup.definitions import Commands, Host
    from remem_agents.setup.plan import Plan, Refusal
    from remem_agents.setup.removal import Removal
    from remem_cli.showing import Shown


def say_plan(plan: "Plan", hosts: Sequence["Host"], commands: "Commands", output: Output) -> None:
    """Say what set-up would change, agent by agent."""
    for host in hosts:
        lines = list(_lines(plan, host.name, output))
        if lines:
            output.say(host.title)
            for line in lines:
                output.say(f"  {line}")
    say_refusals(plan.refusals, output)
    if plan.changes or plan.additions:
        output.say()
        output.say(f"Hooks run   {printable(shlex.join(commands.hook))} AGENT EVENT")
        output.say(f"Agents ask  {printable(shlex.join(commands.serve))}")


def _lines(plan: "Plan", host: str, output: Output) -> Iterable[str]:
    for change in plan.changes:
        if change.host == host:
            yield home_short(change.state.path)
            for label in change.adds:
                yield output.style(f"  + {label}", GREEN)
            yield output.style(f"    {change.why}", DIM)
    for addition in plan.additions:
        if addition.host == host:
            yield output.style(f"$ {printable(shlex.join(addition.argv))}", GREEN)
            yield output.style(f"    {addition.change.why}", DIM)
    for owner, run in plan.runs:
        if owner == host:
            yield output.style(f"$ {shlex.join(run.argv)}", GREEN)
    for owner, path in plan.settled:
        if owner == host:
            yield f"{home_short(path)}: nothing to do"


def say_removal(removal: "Removal", output: Output) -> None:
    """Say what removal would change, file by file."""
    for reversal in removal.reversals:
        path = home_short(reversal.state.path)
        if reversal.after is None:
            how = "is deleted, as it was not there before"
        elif reversal.exact:
            how = "gets the bytes it had before"
        else:
            how = "was changed since: loses our entries alone"
        output.say(f"  {output.style('-', RED)} {path} {how}")
    for undo in removal.undos:
        for argv in filter(None, (undo.first, undo.last)):
            output.say(f"  {output.style('$', RED)} {shlex.join(argv)}")
    say_refusals(removal.refusals, output)


def say_lessons(shown: "Shown", output: Output, sign: str, colour: str) -> None:
    """Say which memory files of agents the lessons come into (+) or go out of (-)."""
    from remem_cli.showing import REFUSED

    if any(plan.changes or plan.refused for plan in shown.plans):
        output.say("Lessons in agents' memory files")
    for plan in shown.plans:
        for path in sorted(plan.changes):
            output.say(f"  {output.style(sign, colour)} {home_short(path)}")
        if plan.refused:
            where = home_short(plan.place.index)
            output.say(f"  {where} is left: {REFUSED[plan.refused]} ({plan.refused})")


def say_refusals(refusals: Sequence["Refusal"], output: Output) -> None:
    """Say what is left as it is, and why."""
    if refusals:
        output.say(output.style("Left as they are", YELLOW))
    for refusal in refusals:
        output.say(f"  {home_short(refusal.path)}")
        output.say(f"    {refusal.reason}: {printable(refusal.words)}")


def home_short(path: Path) -> str:
    """Return a path for a person, `~` for their home."""
    try:
        return printable(f"~/{path.relative_to(Path.home())}")
    except ValueError:
        return printable(str(path))


def plan_json(plan: "Plan", shown: "Shown", *, applied: bool) -> dict[str, Any]:
    """Return a plan for programs."""
    return {
        "applied": applied,
        "changes": [
            {"host": c.host, "path": str(c.state.path), "adds": list(c.adds), "why": c.why}
            for c in plan.changes
        ],
        "commands": [
            *({"host": a.host, "argv": list(a.argv)} for a in plan.additions),
            *({"host": host, "argv": list(run.argv)} for host, run in plan.runs),
        ],
        "settled": [{"host": host, "path": str(path)} for host, path in plan.settled],
        "refused": _refusals_json(plan.refusals),
        "lessons": _lessons_json(shown),
    }


def removal_json(removal: "Removal", shown: "Shown", *, applied: bool) -> dict[str, Any]:
    """Return a removal for programs."""
    return {
        "applied": applied,
        "changes": [
            {
                "host": r.record.host,
                "path": str(r.state.path),
                "deleted": r.after is None,
                "exact": r.exact,
            }
            for r in removal.reversals
        ],
        "refused": _refusals_json(removal.refusals),
        "lessons": _lessons_json(shown),
    }


def _lessons_json(shown: "Shown") -> dict[str, Any]:
    return {
        "files": sorted(str(path) for plan in shown.plans for path in plan.changes),
        "refused": {str(p.place.index): p.refused for p in shown.plans if p.refused},
    }


def _refusals_json(refusals: Sequence["Refusal"]) -> list[dict[str, str]]:
    return [
        {"host": r.host, "path": str(r.path), "reason": r.reason, "words": r.words}
        for r in refusals
    ]
