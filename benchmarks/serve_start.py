"""How long `remem serve` takes from its start to the answer to `tools/list`, and with what.

Usage: serve_start.py [--runs 10]

Starts it as an agent does, on an empty memory, with the revision that agents offer. The parts are
processes of their own that end after the part. The bare interpreter is started before each, so
that `to bare` holds on a machine with other work. Prints medians, in milliseconds.
"""

import argparse
import functools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

PARTS = {
    "import of the MCP library": "import mcp.server.mcpserver",
    "the same and our server": "import remem_agents.mcp_server",
    "our command line": "import remem_cli.__main__, remem_cli.commands.serve, remem_agents.live",
    "opening the memory": "from remem_cli import wiring; wiring.served_memory()",
}
OFFER = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "benchmark", "version": "1"},
}


def main() -> int:
    """Time the parts and the whole, and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=10)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory(prefix="rm-") as folder:
        os.environ |= {"HOME": folder, "REMEM_HOME": str(Path(folder) / "memory")}
        subprocess.run([sys.executable, "-c", PARTS["opening the memory"]], check=True)
        print("| | p50 | to bare |\n|---|---|---|")
        for name, code in PARTS.items():
            _tell(name, runs, functools.partial(_run, code))
        _tell("start to `initialize`", runs, lambda: _serve("initialize"))
        _tell("start to `tools/list`", runs, lambda: _serve("tools/list"))
    return 0


def _tell(name: str, runs: int, once: Callable[[], float]) -> None:
    bare, took = [], []
    for _ in range(runs):
        bare.append(_run("pass"))
        took.append(once())
    p50 = statistics.median(took)
    print(f"| {name} | {p50 * 1e3:.0f} | {p50 / statistics.median(bare):.1f} |", flush=True)


def _run(code: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - began


def _serve(until: str) -> float:
    """Return the seconds from the start of a server to its answer."""
    began = time.perf_counter()
    server = subprocess.Popen(
        [sys.executable, "-m", "remem_cli", "serve"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert server.stdin is not None
    assert server.stdout is not None
    asked = [{"id": 1, "method": "initialize", "params": OFFER}]
    if until == "tools/list":
        asked += [{"method": "notifications/initialized"}, {"id": 2, "method": until}]
    for message in asked:
        server.stdin.write(json.dumps({"jsonrpc": "2.0"} | message) + "\n")
    server.stdin.flush()
    while json.loads(server.stdout.readline())["id"] != asked[-1]["id"]:
        pass
    took = time.perf_counter() - began
    server.kill()
    server.communicate()
    return took


if __name__ == "__main__":
    sys.exit(main())
