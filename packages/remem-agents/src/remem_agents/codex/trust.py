"""Trusting our hooks in Codex, for an owner who said so.

Codex skips every hook until its owner has reviewed it, and runs it for as long as it stays as it
was reviewed. What it calls a hook and the hash of what it saw come from Codex itself, asked over
its app server; the consent is noted where its own review notes it.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import threading
from collections.abc import Mapping
from typing import IO, Any, Final

from remem_agents.codex.setup import HOST
from remem_agents.setup.definitions import Commands, Definition
from remem_agents.setup.entries import HOOK_MARK, Entry
from remem_agents.setup.errors import SetupError
from remem_agents.setup.machine import Machine

_SECONDS: Final = 30
# A consent holds no word of ours; it is known by its key, which names our hook.
_ANY: Final = r"^"


def consents(machine: Machine, commands: Commands) -> Definition:
    """Return what config.toml gets when its owner trusts our hooks, the server's entry with it.

    Raise SetupError (failed) when Codex can not be asked.
    """
    config = HOST.files(machine, commands)[0]
    hooks, warnings = hooks_known(machine)
    entries = tuple(
        Entry(("hooks", "state", hook["key"]), {"trusted_hash": hook["currentHash"]}, _ANY)
        for hook in hooks
        if hook.get("source") == "user" and re.search(HOOK_MARK, _command_of(hook))
    )
    if not entries:
        raise SetupError("failed", "; ".join(["Codex knows of no hook of ours", *warnings]))
    why = "because you said that Codex may run these hooks as they are now"
    return Definition(config.path, config.format, why, (*config.entries, *entries))


def hooks_known(machine: Machine) -> tuple[list[dict[str, Any]], list[str]]:
    """Ask Codex for the hooks it knows of (key, command, hash and trust), and for its warnings."""
    program = machine.which("codex")
    if program is None:
        raise SetupError("failed", "the program `codex` is not on the PATH")
    try:
        server = subprocess.Popen(
            [program, "app-server"],
            env=dict(machine.env),
            cwd=machine.home,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        raise SetupError("failed", f"codex: {error}") from None
    clock = threading.Timer(_SECONDS, _stop, [server])
    clock.start()
    try:
        return _listed(server, str(machine.home))
    finally:
        clock.cancel()
        _stop(server)
        _close(server)


def _listed(server: subprocess.Popen[bytes], cwd: str) -> tuple[list[dict[str, Any]], list[str]]:
    assert server.stdin is not None
    assert server.stdout is not None
    client = {"clientInfo": {"name": "remem", "version": "1"}}
    try:
        _send(server.stdin, {"id": 1, "method": "initialize", "params": client})
        _answer(server.stdout, 1)
        _send(server.stdin, {"method": "initialized"})
        _send(server.stdin, {"id": 2, "method": "hooks/list", "params": {"cwds": [cwd]}})
        found = _answer(server.stdout, 2)["data"]
        hooks = [hook for folder in found for hook in folder["hooks"]]
        return hooks, [str(w) for folder in found for w in folder.get("warnings", ())]
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise SetupError("failed", f"codex app-server: {error!r}") from None


def _send(stream: IO[bytes], message: Mapping[str, Any]) -> None:
    stream.write(json.dumps(message).encode() + b"\n")
    stream.flush()


def _answer(stream: IO[bytes], number: int) -> Any:
    answers = (json.loads(line) for line in stream)
    return next((a["result"] for a in answers if a.get("id") == number), {})


def _stop(server: subprocess.Popen[bytes]) -> None:
    """Stop the server with whatever its launcher started; npm's is a script around the program."""
    with contextlib.suppress(OSError):  # it has ended already
        if hasattr(os, "killpg"):
            os.killpg(server.pid, signal.SIGTERM)
        else:
            server.terminate()


def _close(server: subprocess.Popen[bytes]) -> None:
    for stream in (server.stdin, server.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):  # unsent words of ours
                stream.close()
    server.wait()


def _command_of(hook: Mapping[str, Any]) -> str:
    return str(hook.get("command") or "").replace("\\", "/")
