"""A night that was missed, made up for while an agent is at work: the machine was off at night.

`remem serve` looks when it starts. A sleep that finished leaves the morning's report; where that is
more than a day old and sessions are newer, a process of its own reads and sleeps, behind everything
else. It holds on to a pipe from the server and ends with it, whatever ended that; what it did stays
and the next goes on there.
"""

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from remem_core.paths import Locations

AFTER_SECONDS: Final = 86_400
LOCK: Final = "catch-up.lock"
NICE: Final = 19


def begin(ready: threading.Event, env: Mapping[str, str], started: float) -> None:
    """Catch up in the background where it is due, once the server has done its own loading."""

    def look() -> None:
        from remem_core.paths import locate

        ready.wait()
        with contextlib.suppress(OSError):  # folders come and go, and it is no duty
            if is_due(locate(env=env), env, started):
                start_child()

    threading.Thread(target=look, daemon=True).start()


def is_due(places: "Locations", env: Mapping[str, str], now: float) -> bool:
    """Tell whether the last night is more than a day ago and sessions ended since.

    What is written after `now`, seconds since the epoch, is the session that just begins.
    """
    from remem_cli import wiring

    try:
        slept = places.morning.stat().st_mtime
    except FileNotFoundError:
        slept = 0.0
    if now - slept < AFTER_SECONDS:
        return False
    return any(
        slept < path.stat().st_mtime < now
        for reader in wiring.readers()
        for root in reader.roots(env)
        for path in reader.files(root)
    )


def start_child() -> "subprocess.Popen[bytes]":
    """Start the process that catches up; its input ends with us, and it with its input."""
    more: dict[str, Any] = {}
    if sys.platform == "win32":
        more["creationflags"] = subprocess.CREATE_NO_WINDOW | subprocess.BELOW_NORMAL_PRIORITY_CLASS
    return subprocess.Popen(
        [sys.executable, "-m", "remem_cli.catching_up"],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more,
    )  # fmt: skip


def main() -> None:
    """Show what the last catch-up learned, read, and sleep; or end, while another does."""
    from remem_cli import wiring
    from remem_cli.__main__ import main as remem
    from remem_core.errors import BusyError
    from remem_core.locking import alone
    from remem_core.paths import locate

    threading.Thread(target=_end_with_the_server, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(NICE)
    places = locate()
    with contextlib.suppress(BusyError), alone(places.home / LOCK, "another is at it"):
        if is_due(places, os.environ, time.time()):
            # An agent that begins is not at work yet; once it is, its files are left alone.
            wiring.keep_shown(os.environ)
            remem(["ingest", "--quiet"])
            remem(["sleep"])


def _end_with_the_server() -> None:
    while os.read(0, 1024):
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
