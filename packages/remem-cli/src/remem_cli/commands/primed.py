"""`remem primed`: what was said to agents, when, to whom and why; and what could not be judged."""

import argparse
import datetime
from collections import Counter
from typing import Any

from remem_cli import options, wiring
from remem_cli.output import DIM, Output, plural, printable
from remem_protocol import format_time

DAYS = 7


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "--since", type=options.moment, metavar="TIME", help=f"e.g. 36h (default: {DAYS}d)"
    )
    parser.add_argument("--limit", type=options.positive, default=50, metavar="N")
    parser.add_argument("--all", action="store_true", help="every call, also the silent ones")
    options.add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Print what was said, the newest last, then how many calls were silent and why."""
    week = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=DAYS)
    calls = list(wiring.primed_log(format_time(arguments.since or week)))
    told = [call for call in calls if arguments.all or call.get("chosen")][-arguments.limit :]
    if arguments.json:
        output.json({"calls": told, "counts": _counts(calls)})
        return 0
    lines = wiring.lesson_lines({c["id"] for call in told for c in call.get("chosen", ())})
    for call in told:
        _say(call, lines, output)
    if not calls:
        output.say("No hook has fired. `remem doctor` says whether any is set up.")
        return 0
    counts = _counts(calls)
    output.note(
        f"{plural(counts['calls'], 'call')}: {counts['told']} told, {counts['held_out']} held out,"
        f" {counts['silent']} with nothing to say, {counts['left']} none of ours,"
        f" {counts['missed']} missed."
    )
    for why, count in counts["why_missed"].items():
        output.note(f"  missed {count} times: {why}")
    return 0


def _say(call: dict[str, Any], lines: dict[str, str], output: Output) -> None:
    unsaid = call.get("chosen") and call.get("arm") == "held-out"
    held = " (held out: not said)" if unsaid else ""
    session = printable(str(call.get("session", ""))[:8])
    agent = printable(f"{call.get('agent')} {call.get('event')}")
    output.say(f"{call['at'][:16].replace('T', ' ')}  {agent}, session {session}{held}")
    for chosen in call.get("chosen", ()):
        output.say(f"  {printable(lines.get(chosen['id'], chosen['id']))}")
        output.say(output.style(f"    because of {printable(chosen['why'])}", DIM))
    if reason := call.get("miss") or call.get("left"):
        output.say(output.style(f"    {printable(reason)}", DIM))


def _counts(calls: list[dict[str, Any]]) -> dict[str, Any]:
    """Count calls by what came of them; one judged by words for want of a server is no miss."""
    said = [call for call in calls if call.get("chosen")]
    missed = Counter(str(call["miss"]) for call in calls if call.get("miss"))
    held_out = sum(call.get("arm") == "held-out" for call in said)
    left = sum("left" in call for call in calls)
    return {
        "calls": len(calls),
        "told": len(said) - held_out,
        "held_out": held_out,
        "left": left,
        "missed": missed.total(),
        "silent": len(calls) - len(said) - left - missed.total(),
        "why_missed": dict(missed.most_common()),
        "without_server": dict(
            Counter(str(call["without"]) for call in calls if "without" in call).most_common()
        ),
    }
