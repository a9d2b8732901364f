"""The live process that hooks ask: a socket of `remem serve`, which holds lessons and model.

It lives in a thread of the agent's own server and dies with it. Where there are no Unix sockets, or
the path is too long for one, it is a port on the loopback interface, and a token that only the
owner can read.
"""

import contextlib
import hmac
import os
import secrets
import shutil
import socket
import threading
import time
from collections import OrderedDict
from pathlib import Path

from remem_agents.answering import PROTOCOL, log_line
from remem_agents.ports import Judge, LoadJudge
from remem_agents.priming.attend import attend

BACKLOG = 128
LONGEST_PATH = 100  # of a Unix socket: 104 bytes on macOS, 108 on Linux
HEAD_BYTES, PAYLOAD_BYTES = 1_024, 16 << 20
READ_SECONDS = 0.3
MARGIN = 0.01  # for the way back to the hook
SESSIONS_KEPT = 64
SAID_KEPT_SECONDS = 90 * 86_400


class PrimeSocket:
    """Answers hooks from a thread of its own, until it is closed or its process ends.

    Until `warm` has brought the judge, which may take seconds, hooks are told `warming`.
    """

    def __init__(self, primed: Path, load: LoadJudge, *, unix: bool | None = None) -> None:
        self._primed = primed
        self._load = load
        self._judge: Judge | None = None
        self._judging = threading.Lock()
        self._failed = ""
        self._prompts: OrderedDict[str, str] = OrderedDict()
        self.ready = threading.Event()
        self._unix = hasattr(socket, "AF_UNIX") and os.name == "posix" if unix is None else unix

    def start(self) -> None:
        """Listen."""
        live = self._primed / "live"
        for folder in (self._primed, live):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = f"{os.getppid()}-{os.getpid()}-{secrets.token_hex(3)}"
        path = live / f"{name}.sock"
        if self._unix and len(os.fsencode(path)) <= LONGEST_PATH:
            self._path, self._token = path, "-"
            self._listener = _listen_unix(path)
        else:
            self._path, self._token = live / f"{name}.port", secrets.token_hex(16)
            self._listener = _listen_port(self._path, self._token)
        threading.Thread(target=self._accept, daemon=True).start()

    def warm(self) -> None:
        """Load the judge in the background."""
        for work in (self._load_judge, self._tidy):
            threading.Thread(target=work, daemon=True).start()

    def close(self) -> None:
        """Stop listening, and leave nothing behind."""
        self._path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # wakes the thread that waits for the next hook
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _load_judge(self) -> None:
        try:
            self._judge = self._load()
        except Exception as error:  # it stays a server that says why it can't judge
            self._failed = f"error: {type(error).__name__}"
        self.ready.set()

    def _tidy(self) -> None:
        """Drop what was said in sessions that nobody has resumed for months."""
        with contextlib.suppress(OSError):
            for folder in (self._primed / "said").iterdir():
                if time.time() - folder.stat().st_mtime > SAID_KEPT_SECONDS:
                    shutil.rmtree(folder, ignore_errors=True)

    def _accept(self) -> None:
        while True:
            try:
                asked, _ = self._listener.accept()
            except OSError:  # closed
                return
            threading.Thread(target=self._answer, args=(asked,), daemon=True).start()

    def _answer(self, asked: socket.socket) -> None:
        with contextlib.closing(asked), contextlib.suppress(OSError, ValueError):
            asked.settimeout(READ_SECONDS)
            with asked.makefile("rb") as stream:
                head = stream.readline(HEAD_BYTES)
                magic, agent, event, token, deadline, size = head.rsplit(maxsplit=5)
                if magic != PROTOCOL or not hmac.compare_digest(token.decode(), self._token):
                    return
                payload = stream.read(min(int(size), PAYLOAD_BYTES))
            answer = self._attend(agent.decode(), event.decode(), payload, float(deadline))
            asked.sendall(answer)

    def _attend(self, agent: str, event: str, payload: bytes, deadline: float) -> bytes:
        deadline -= MARGIN
        if self._judge is None:
            return f"miss {self._failed or 'warming'}\n".encode()
        if not self._judging.acquire(timeout=max(0.0, deadline - time.monotonic())):
            return b"miss busy\n"
        try:
            primed = str(self._primed)
            entry, out = attend(agent, event, payload, primed, self._with_prompt, deadline)
        finally:
            self._judging.release()
        line = log_line(agent, event, entry | {"by": "server"})
        return b"\n".join([PROTOCOL, line, out])

    def _with_prompt(
        self, moment: dict[str, str], said: set[str]
    ) -> tuple[list[tuple[str, str, str]], int, str]:
        """Judge, at a hand-back with what the person had asked for: few hosts tell it again."""
        session = moment["session"]
        if moment["kind"] == "prompt":
            self._prompts[session] = moment["prompt"]
            if len(self._prompts) > SESSIONS_KEPT:
                self._prompts.popitem(last=False)
        elif moment["kind"] == "handback" and not moment["prompt"]:
            moment["prompt"] = self._prompts.get(session, "")
        assert self._judge is not None
        return self._judge(moment, said)


def _listen_unix(path: Path) -> socket.socket:
    """Listen at a path, which is there only once somebody answers: hooks clear away the others."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    unheard = path.with_suffix(".new")
    before = os.umask(0o177)  # nobody but the owner may ask, from the first moment on
    try:
        listener.bind(str(unheard))
    finally:
        os.umask(before)
    listener.listen(BACKLOG)
    unheard.rename(path)
    return listener


def _listen_port(path: Path, token: str) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.bind(("127.0.0.1", 0))
    listener.listen(BACKLOG)
    unheard = path.with_suffix(".new")
    file = os.open(unheard, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(file, "w", encoding="ascii") as out:
        out.write(f"{listener.getsockname()[1]} {token}")
    unheard.rename(path)
    return listener
