"""`remem serve`: the memory as an MCP server on standard input and output; agents start it."""

import argparse
import contextlib
import os
import time

from remem_cli import wiring
from remem_cli.output import Output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments: there are none, an agent tells the rest."""


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Serve until the agent closes our input or is gone."""
    from remem_agents.live import PrimeSocket

    began = time.time()
    served = wiring.served_memory()
    hooks = PrimeSocket(wiring.primed_folder(), served.judge)
    with contextlib.closing(hooks):
        hooks.start()  # before the library, which takes half a second to import
        from remem_agents.mcp_server import build, watch_parent
        from remem_cli import __version__, catching_up

        def start() -> None:
            hooks.warm()
            catching_up.begin(hooks.ready, os.environ, began)

        def leave() -> None:
            hooks.close()
            os._exit(0)

        watch_parent(leave)
        cwd = os.getcwd()  # noqa: PTH109
        server = build(served, version=__version__, env=os.environ, cwd=cwd, started=start)
        server.run("stdio")
    return 0
