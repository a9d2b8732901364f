"""The implementation under test: a child process that answers JSON lines, one reply a request.

Whatever goes wrong with the child (it dies, hangs, prints something else, answers another
request) is a finding about it: `ChildError` carries the words for the report, and the caller
starts a fresh child. A watchdog kills the whole process group, so that neither a full pipe nor a
grandchild which keeps the pipe open can hold the run up.
"""

import contextlib
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
from typing import Any

import msgspec

from remem_conformance.cases import REVISION
from remem_protocol import RememError, decode_object

CONTRACT = 1
START_SECONDS = 30.0  # a runtime may have to be loaded first
STOP_SECONDS = 5.0
MAX_REPLY = 64 << 20
STDERR_TAIL = 2000


class StartError(Exception):
    """The adapter would not start, or refused the version: exit code 3."""


class ChildError(Exception):
    """The child broke the contract; it has been killed."""


class Implementation(msgspec.Struct, frozen=True):
    """What an adapter says of itself in its reply to `start` (ADP-011)."""

    implementation: dict[str, Any]
    protocols: tuple[str, ...]
    roles: tuple[str, ...]
    ops: tuple[str, ...]


class Child:
    """One run of the adapter's command, in its own empty home."""

    def __init__(self, command: list[str]) -> None:
        self.home = tempfile.TemporaryDirectory(prefix="remem-conformance-")
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed in close()
        self._next, self._late = 1, False
        places = dict.fromkeys(("HOME", "USERPROFILE", "REMEM_HOME"), self.home.name)
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._stderr,
                cwd=self.home.name,
                env={**os.environ, **places},
                start_new_session=True,
            )
        except OSError as error:
            self._stderr.close()
            self.home.cleanup()
            raise StartError(f"{command[0]}: {error.strerror}") from None

    def start(self) -> Implementation:
        """Ask who this is; raise StartError unless it speaks the revision of the vectors."""
        try:
            hello = {"op": "start", "adapter": CONTRACT, "protocol": REVISION}
            reply = self.ask(hello, START_SECONDS)
            if "error" in reply:
                raise StartError(f"refused to start: {reply['error']}")
            about = msgspec.convert(reply.get("ok"), Implementation)
        except ChildError as error:
            raise StartError(f"would not start: {error}") from None
        except msgspec.ValidationError as error:
            raise StartError(f"the reply to start: {error}") from None
        if REVISION not in about.protocols:
            raise StartError(f"speaks {', '.join(about.protocols) or 'nothing'}, not {REVISION}")
        return about

    def ask(self, request: dict[str, Any], timeout: float) -> dict[str, Any]:
        """Send one request, return the reply's object; raise ChildError and kill otherwise."""
        number, self._next = self._next, self._next + 1
        line = self._exchange(msgspec.json.encode({"id": number, **request}) + b"\n", timeout)
        if self._late:
            raise self._failed(f"no reply within {timeout:g} s")
        if not line.endswith(b"\n"):
            raise self._failed("died" if not line else "a reply without a line end")
        try:
            reply = decode_object(line[:-1], limit=MAX_REPLY)
        except RememError:
            raise self._failed(f"not a JSON object on stdout: {line[:80]!r}") from None
        if type(reply.get("id")) is not int or reply["id"] != number:
            raise self._failed(f"answered {reply.get('id')!r}, asked {number}")
        return reply

    def stop(self) -> str:
        """Ask the child to leave; return "" or what it did wrong."""
        try:
            self.ask({"op": "stop"}, STOP_SECONDS)
            code = self._process.wait(STOP_SECONDS)
            extra = self._pipes()[1].read(80)
        except ChildError as error:
            return f"stop: {error}"
        except subprocess.TimeoutExpired:
            return f"still there {STOP_SECONDS:g} s after stop"
        if extra:
            return f"wrote after its last reply: {extra!r}"
        return f"left with {code} after stop" if code else ""

    def close(self) -> None:
        """Kill what is left of the child and remove its home."""
        self._kill()
        for pipe in self._pipes():
            with contextlib.suppress(OSError):  # unsent bytes of a dead child
                pipe.close()
        self._process.wait()
        self._stderr.close()
        self.home.cleanup()

    def _exchange(self, request: bytes, timeout: float) -> bytes:
        stdin, stdout = self._pipes()
        watchdog = threading.Timer(timeout, self._expire)
        watchdog.start()
        try:
            stdin.write(request)
            stdin.flush()
            line: bytes = stdout.readline(MAX_REPLY)
        except OSError:  # it died before it had read all
            line = b""
        finally:
            watchdog.cancel()
            watchdog.join()
        return line

    def _expire(self) -> None:
        self._late = True
        self._kill()

    def _failed(self, why: str) -> ChildError:
        self._kill()
        code = self._process.wait()
        self._stderr.seek(max(0, self._stderr.seek(0, os.SEEK_END) - STDERR_TAIL))
        said = self._stderr.read().decode("utf-8", "replace").strip()
        why += f" (exit {code})" if why == "died" else ""
        return ChildError(f"{why}; stderr: {said}" if said else why)

    def _kill(self) -> None:
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        else:
            self._process.kill()

    def _pipes(self) -> tuple[Any, Any]:
        return self._process.stdin, self._process.stdout


def split_command(text: str) -> list[str]:
    """Split a command as a shell would, its files made absolute (the child runs elsewhere)."""
    words = shlex.split(text)
    if not words:
        raise StartError("an empty command")
    program = shutil.which(words[0])
    rest = [str(pathlib.Path(w).resolve()) if pathlib.Path(w).is_file() else w for w in words[1:]]
    # Not resolved: an environment's python is a link, and knows itself by the link's place.
    return [str(pathlib.Path(program).absolute()) if program else words[0], *rest]
