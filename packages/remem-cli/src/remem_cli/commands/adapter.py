"""`remem adapter`: what `remem-conformance run --adapter "remem adapter"` talks to."""

import argparse

from remem_cli.output import Output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments: none."""


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Answer requests on stdin until told to stop."""
    from remem_cli import adapter

    return adapter.main()
