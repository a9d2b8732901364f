"""`remem doctor`: does everything work, and what to do where it does not."""

import argparse
import dataclasses
import datetime
import os
from typing import Final

from remem_cli import options
from remem_cli.output import GREEN, RED, YELLOW, Output, printable

COLOURS: Final = {"ok": GREEN, "warn": YELLOW, "fail": RED}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    options.add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Print every finding as it is made; 1 if any of them is a failure."""
    from remem_cli.checks import check_all

    findings = []
    for finding in check_all(os.environ, datetime.datetime.now(datetime.UTC)):
        findings.append(finding)
        if not arguments.json:
            verdict = output.style(f"{finding.verdict:<5}", COLOURS[finding.verdict])
            output.say(f"{verdict} {finding.name:<12} {printable(finding.words)}")
            if finding.remedy:
                output.say(f"{'':<18} → {printable(finding.remedy)}")
    healthy = all(finding.verdict != "fail" for finding in findings)
    if arguments.json:
        output.json({"healthy": healthy, "findings": [dataclasses.asdict(f) for f in findings]})
    return 0 if healthy else 1
