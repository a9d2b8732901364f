"""`remem paths`: every place the program reads or writes, and how to move each."""

import argparse
import os

from remem_cli.options import add_json
from remem_cli.output import DIM, Output
from remem_cli.wiring import agent_roots
from remem_core.paths import Locations, locate


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Print the places; read nothing but their existence."""
    places = [
        {"name": name, "path": str(path), "variable": Locations.variable(name)}
        for name, path in locate(env=os.environ).items()
    ]
    roots = [{"agent": agent, "path": str(path)} for agent, path in agent_roots(os.environ)]
    if arguments.json:
        output.json({"places": places, "agents": roots})
        return 0
    width = max(len(place["path"]) for place in places)
    for place in places:
        variable = output.style(f"({place['variable']})", DIM)
        output.say(f"{place['name']:<10} {place['path']:<{width}}  {variable}")
    output.say()
    output.say("Sessions are read from (never written to):")
    for root in roots:
        output.say(f"  {root['agent']:<12} {root['path']}")
    return 0
