"""A missed night is made up for while an agent is at work, behind it and never beyond it."""

import contextlib
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from remem_cli.catching_up import AFTER_SECONDS, LOCK, is_due, start_child
from remem_core import Memory
from remem_core.locking import alone
from remem_core.paths import claim, locate

# The fixtures of conftest.py.
Run = Callable[..., Any]
Write = Callable[..., Path]

DAY = AFTER_SECONDS


@pytest.fixture
def sessions(machine: Path, write_session: Write) -> Path:
    """Claude Code's folder with sessions of three days ago."""
    folder = machine / ".claude" / "projects" / "-orchard"
    for name in ("rate-limit", "release", "slow-tests"):
        age(write_session(name, 0, folder), 3)
    return folder


def age(path: Path, days: float) -> None:
    at = time.time() - days * DAY
    os.utime(path, (at, at))


def due() -> bool:
    return is_due(locate(), os.environ, time.time())


def test_it_is_due_when_sessions_are_newer_than_a_night_of_long_ago(
    sessions: Path, run: Run
) -> None:
    assert due()  # nobody ever slept
    run("ingest", "--quiet")
    run("sleep")
    assert not due()
    age(locate().morning, 0.9)
    assert not due()
    age(locate().morning, 2)
    assert not due()  # all that there is was slept on
    age(next(sessions.glob("*.jsonl")), 1.5)
    assert due()


def test_the_session_that_begins_makes_nothing_due(sessions: Path, run: Run) -> None:
    run("sleep")
    age(locate().morning, 2)
    began = time.time()
    os.utime(next(sessions.glob("*.jsonl")), (began + 5, began + 5))
    assert not is_due(locate(), os.environ, began)


@pytest.fixture
def server(sessions: Path, machine: Path) -> Iterator["subprocess.Popen[str]"]:
    """`remem serve` as an agent starts it, and said hello to."""
    started = subprocess.Popen(
        [sys.executable, "-m", "remem_cli", "serve"],
        cwd=machine, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert started.stdin is not None
    assert started.stdout is not None
    about = {"protocolVersion": "2025-06-18", "capabilities": {}}
    about |= {"clientInfo": {"name": "test", "version": "1"}}
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about}
    started.stdin.write(json.dumps(hello) + "\n")
    started.stdin.flush()
    assert json.loads(started.stdout.readline())["id"] == 1
    yield started
    started.kill()
    started.communicate()


def test_a_server_that_starts_after_a_missed_night_sleeps_on_it(
    server: "subprocess.Popen[str]", machine: Path
) -> None:
    wait_beside(server, locate().morning.exists)
    with Memory.open() as memory:
        assert memory.status().episodes > 0
    out, _ = server.communicate("", timeout=60)
    assert out == ""  # nothing but the protocol
    assert server.returncode == 0


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="processes are watched so on Linux")
@pytest.mark.parametrize("end", ["kill", "close"])
def test_what_catches_up_ends_with_the_server(server: "subprocess.Popen[str]", end: str) -> None:
    wait_beside(server, lambda: bool(children_of(server.pid)))
    child = os.pidfd_open(children_of(server.pid)[0])
    if end == "kill":
        server.kill()
        server.communicate()
    else:
        server.communicate("", timeout=60)
    assert select.select([child], [], [], 60)[0]
    os.close(child)
    assert not due() or alone_is_free()  # it was through, or left the lock


def alone_is_free() -> bool:
    with alone(locate().home / LOCK, "held"):
        return True


def children_of(parent: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) == parent:
            found.append(int(stat.parent.name))
    return found


def wait_beside(server: "subprocess.Popen[str]", there: Callable[[], bool]) -> None:
    """Wait until something is there, and leave the processor to who makes it."""
    while not there():
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(0.05)
        assert server.poll() is None


def test_only_one_catches_up_at_a_time(sessions: Path) -> None:
    claim(locate())
    with alone(locate().home / LOCK, "busy"):
        child = start_child()
        assert child.wait(60) == 0
        assert not locate().morning.exists()
    child.communicate()
    again = start_child()
    assert again.wait(120) == 0
    assert locate().morning.exists()
    again.communicate()
