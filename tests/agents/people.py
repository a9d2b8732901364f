"""A person at each agent, through the protocol that the agent has for its front ends.

So a session has several prompts, calls that are allowed and calls that are refused, as at a
terminal, and the process lives as long as the session.
"""

import contextlib
import json
import os
import queue
import signal
import subprocess
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

PATIENCE = 90.0  # seconds until an agent that says nothing has failed
LEAVING = 5.0  # seconds that it may take to end, each time it is asked
Message = dict[str, Any]
# Given a call as text, what the person says to refuse it; None allows it.
Refuses = Callable[[str], str | None]


class AgentError(Exception):
    """The agent ended, fell silent or answered with an error; its stderr is in the text."""


class Child:
    """An agent as a child process that reads and writes one JSON value a line."""

    def __init__(self, argv: Sequence[str], env: Mapping[str, str], cwd: Path) -> None:
        self._stderr: list[str] = []
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._process = subprocess.Popen(
            argv,
            env=dict(env),
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        self._readers = [
            threading.Thread(target=one, daemon=True) for one in (self._read, self._overhear)
        ]
        for reader in self._readers:
            reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _overhear(self) -> None:
        assert self._process.stderr is not None
        self._stderr += self._process.stderr

    def send(self, message: Message) -> None:
        """Write one message."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def messages(self) -> Iterator[Message]:
        """Yield what the agent writes, for as long as somebody asks."""
        while True:
            try:
                line = self._lines.get(timeout=PATIENCE)
            except queue.Empty:
                raise AgentError(f"silent\n{self._said()}") from None
            if line is None:
                raise AgentError(f"ended\n{self._said()}")
            with contextlib.suppress(ValueError):  # a warning of the run-time's
                yield json.loads(line)

    def _said(self) -> str:
        return "".join(self._stderr)[-3_000:]

    def close(self) -> None:
        """Close its input, which ends most, and wait; then ask it to end, as an editor would."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        for end in (lambda: None, self._process.terminate, self._kill_all):
            end()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=LEAVING)
                break
        for reader in self._readers:
            reader.join(timeout=20)
        self._process.stdout.close()
        self._process.stderr.close()

    def _kill_all(self) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)


class Person:
    """Somebody at an agent: `session` is its id, `says` is one prompt and all that follows."""

    session: str

    def __init__(self, child: Child, refuses: Refuses) -> None:
        self._child = child
        self._refuses = refuses

    def says(self, prompt: str) -> None:
        """Give a prompt and see the turn to its end."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._child.close()


class AtClaudeCode(Person):
    """`claude -p` with streams of JSON, asked for permission like an editor's extension."""

    def __init__(
        self,
        program: str,
        env: Mapping[str, str],
        cwd: Path,
        refuses: Refuses,
        fits: Callable[[str], bool],
    ) -> None:
        self.session = next(s for _ in range(64) if fits(s := str(uuid.uuid4())))
        streams = ("--input-format", "stream-json", "--output-format", "stream-json", "--verbose")
        asking = ("--permission-prompt-tool", "stdio", "--session-id", self.session)
        super().__init__(Child([program, "-p", *streams, *asking], env, cwd), refuses)

    def says(self, prompt: str) -> None:
        content = [{"type": "text", "text": prompt}]
        self._child.send({"type": "user", "message": {"role": "user", "content": content}})
        for told in self._child.messages():
            if told.get("type") == "result":
                if told.get("is_error"):
                    raise AgentError(json.dumps(told)[:2_000])
                return
            if told.get("type") == "control_request":
                self._child.send(self._permission(told))

    def _permission(self, told: Message) -> Message:
        asked = told["request"]
        words = self._refuses(json.dumps(asked.get("input")))
        if words is None:
            answer = {"behavior": "allow", "updatedInput": asked.get("input")}
        else:
            answer = {"behavior": "deny", "message": words}
        response = {"subtype": "success", "request_id": told["request_id"], "response": answer}
        return {"type": "control_response", "response": response}


class Rpc(Person):
    """An agent that speaks JSON-RPC both ways."""

    _version: ClassVar[Message] = {}

    def __init__(self, child: Child, refuses: Refuses) -> None:
        super().__init__(child, refuses)
        self._ids = 0

    def _call(self, method: str, params: Message, until: str = "") -> Message:
        """Call, answer what is asked meanwhile, and return the result, or what `until` tells."""
        self._ids += 1
        self._child.send({**self._version, "id": self._ids, "method": method, "params": params})
        result: Message | None = None
        for told in self._child.messages():
            if "method" in told and "id" in told:
                answer = self._asked(told["method"], told.get("params") or {})
                self._child.send({**self._version, "id": told["id"], "result": answer})
            elif told.get("id") == self._ids:
                if "error" in told:
                    raise AgentError(f"{method}: {told['error']}")
                result = told.get("result") or {}
                if not until:
                    return result
            elif until and told.get("method") == until:
                return dict(told.get("params") or {})
        raise AgentError("unreachable")

    def _asked(self, method: str, params: Message) -> Message:
        raise NotImplementedError


class AtCodex(Rpc):
    """`codex app-server`, as its editor extension starts it."""

    def __init__(
        self,
        program: str,
        env: Mapping[str, str],
        cwd: Path,
        refuses: Refuses,
        fits: Callable[[str], bool],
    ) -> None:
        super().__init__(Child([program, "app-server"], env, cwd), refuses)
        who = {"name": "remem-tests", "title": "remem's tests", "version": "1"}
        self._call("initialize", {"clientInfo": who})
        self._child.send({"method": "initialized"})
        # What is not plainly harmless is asked about; a sandbox needs more than a container has.
        asked = {"cwd": str(cwd), "approvalPolicy": "untrusted", "sandbox": "danger-full-access"}
        for _ in range(64):
            self.session = self._call("thread/start", asked)["thread"]["id"]
            if fits(self.session):
                break

    def says(self, prompt: str) -> None:
        given = [{"type": "text", "text": prompt}]
        params = {"threadId": self.session, "input": given}
        turn = self._call("turn/start", params, until="turn/completed")["turn"]
        if turn.get("status") != "completed":
            raise AgentError(json.dumps(turn)[:2_000])

    def _asked(self, method: str, params: Message) -> Message:
        words = self._refuses(json.dumps(params))
        if method == "mcpServer/elicitation/request":
            return {"action": "accept" if words is None else "decline", "content": {}}
        return {"decision": "accept" if words is None else "decline"}


class AtGemini(Rpc):
    """`gemini --acp`, as editors that know the Agent Client Protocol start it."""

    _version: ClassVar[Message] = {"jsonrpc": "2.0"}

    def __init__(
        self,
        program: str,
        env: Mapping[str, str],
        cwd: Path,
        refuses: Refuses,
        fits: Callable[[str], bool],
    ) -> None:
        super().__init__(Child([program, "--acp"], env, cwd), refuses)
        self._call("initialize", {"protocolVersion": 1, "clientCapabilities": {}})
        for _ in range(64):
            new = self._call("session/new", {"cwd": str(cwd), "mcpServers": []})
            self.session = new["sessionId"]
            if fits(self.session):
                break

    def says(self, prompt: str) -> None:
        given = [{"type": "text", "text": prompt}]
        self._call("session/prompt", {"sessionId": self.session, "prompt": given})

    def _asked(self, method: str, params: Message) -> Message:
        words = self._refuses(json.dumps(params))
        kind = "allow_once" if words is None else "reject_once"
        option = next(one for one in params["options"] if one["kind"] == kind)
        return {"outcome": {"outcome": "selected", "optionId": option["optionId"]}}
