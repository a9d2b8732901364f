"""The suite's operations on what is put before an agent: a moment as a host's hook tells it."""

import json
import math
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remem_agents.priming.attend import attend, is_held_out
from remem_cli.adapter_lessons import remembered
from remem_cli.adapter_store import STORE
from remem_cli.serving import ServedMemory, known_lessons

if TYPE_CHECKING:
    from remem_agents.ports import Known
    from remem_core.memory import Memory

Value = dict[str, Any]
HOST = "claude-code"
EVENTS = {"prompt": "UserPromptSubmit", "tool": "PreToolUse", "handback": "Stop"}


class Told:
    """What each session was told, from one reset to the next."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def reset(self) -> None:
        """Forget every session."""
        if self._folder is not None:
            self._folder.cleanup()
        self._folder = None

    def folder(self) -> str:
        """Return where it is kept."""
        self._folder = self._folder or tempfile.TemporaryDirectory(prefix="remem-primed-")
        return self._folder.name


TOLD = Told()


class _Held(ServedMemory):
    """The memory of a request, in its project."""

    def __init__(self, memory: "Memory", project: str) -> None:
        super().__init__()
        self._memory, self._project = memory, project

    def project_of(self, _: str) -> str:
        return self._project

    def known(self, project: str | None) -> "list[Known]":
        return known_lessons(self._memory, project)


def prime(given: Value) -> Value:
    """Return the lessons that a moment calls for, and what its agent is told."""
    from remem_cli.judging import LiveJudge  # with all that judges: not for a reset

    held = _Held(remembered(given), given.get("project", ""))
    judge = LiveJudge(held, STORE.embedder(), Path("no-store"))
    event = EVENTS[given["kind"]]
    entry, out = attend(HOST, event, _payload(given), TOLD.folder(), judge, math.inf)
    if "chosen" not in entry:
        raise RuntimeError(f"nothing was judged: {entry}")
    told = json.loads(out)["hookSpecificOutput"]["additionalContext"] if out else None
    return {
        "chosen": [one["id"] for one in entry["chosen"]],
        "text": told,
        "held_out": entry["arm"] == "held-out",
    }


def held_out(given: Value) -> Value:
    """Tell whether a session is of the control arm."""
    return {"held_out": is_held_out(given["session"])}


def _payload(given: Value) -> bytes:
    """Return a moment as the host tells it to its hook."""
    told = given["moment"]
    payload: Value = {"session_id": given["session"], "cwd": "/"}
    if given["kind"] == "tool":
        call = {name: told[name] for name in ("command", "description") if name in told}
        payload |= {"tool_name": told["tool"], "tool_input": call}
    else:
        payload |= {"prompt": told["prompt"], "last_assistant_message": told.get("reply")}
    return json.dumps(payload).encode("ascii")
