"""What an agent runs at a prompt, a tool call and a hand-back: `python -I -S hook.py AGENT EVENT`.

It must never be in the way: it always exits with 0, prints nothing unless it has something to say,
and is done in 300 ms. A live `remem serve` is asked first: it holds the lessons and the model, and
gives back the very bytes to print. Where none answers in time, `remem_agents.priming` judges here,
by words alone. Only the standard library is imported, and of it as little as can be: this file is
compiled at every call, and what it imports is paid at every prompt.
"""

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _age() -> float:
    """Return the seconds since this process was started; a loaded machine takes long over that."""
    try:
        with open("/proc/self/stat", "rb") as file:  # noqa: PTH123
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        started = ticks / os.sysconf("SC_CLK_TCK")
        return min(0.2, max(0.0, time.clock_gettime(time.CLOCK_BOOTTIME) - started))
    except (OSError, ValueError, AttributeError, IndexError):
        return 0.02  # what it takes elsewhere


STARTED = time.monotonic() - _age()
# Seconds of the 300 ms that a call may take: a loaded machine needs the rest to log and to end.
DEADLINE = 0.24
PATIENCE = 0.6  # the share of it in which a live process may answer
LOG_BYTES = 4_096  # what one write appends whole, whoever else is appending
PROTOCOL = b"remem-hook 1"


class SilentError(Exception):
    """No live process answered; the text says why, for the log."""


def ask(
    primed: str, agent: str, event: str, payload: bytes, deadline: float
) -> tuple[bytes, bytes]:
    """Return (line for the log, what to print) as a live `remem serve` gives them.

    The agent's own is asked first, else the latest. Raises SilentError: `no server`, `slow`, or
    what the server says.
    """
    live = f"{primed}/live"
    try:
        names = [n for n in os.listdir(live) if n.endswith((".sock", ".port"))]  # noqa: PTH208
    except OSError:
        names = []
    own = f"{os.getppid()}-"
    for name in sorted(
        names, key=lambda name: (not name.startswith(own), _newest(f"{live}/{name}"))
    ):
        try:
            return _ask_one(f"{live}/{name}", f"{agent} {event}", payload, deadline)
        except (ConnectionRefusedError, FileNotFoundError):  # its process is gone
            _forget(f"{live}/{name}")
        except TimeoutError:
            raise SilentError("slow") from None
    raise SilentError("no server")


def _newest(path: str) -> float:
    try:
        return -os.stat(path).st_mtime  # noqa: PTH116
    except OSError:
        return 0.0


def _forget(path: str) -> None:
    try:  # noqa: SIM105 - contextlib takes time to import
        os.unlink(path)  # noqa: PTH108
    except OSError:
        pass  # another hook was faster


def _ask_one(path: str, call: str, payload: bytes, deadline: float) -> tuple[bytes, bytes]:
    """Ask one process: by its socket, or by the port and the token in its file."""
    try:
        import _socket as sockets  # what `socket` wraps; that one takes as long again to import
    except ImportError:
        import socket as sockets  # type: ignore[no-redef]

    token, address, family = "-", path, 0
    if path.endswith(".port"):
        with open(path, encoding="ascii") as file:  # noqa: PTH123
            port, token = file.read().split()
        address, family = ("127.0.0.1", int(port)), sockets.AF_INET  # type: ignore[assignment]
    else:
        family = sockets.AF_UNIX
    asked = sockets.socket(family, sockets.SOCK_STREAM)
    try:
        asked.settimeout(max(0.001, deadline - time.monotonic()))
        asked.connect(address)
        head = f" {call} {token} {deadline!r} {len(payload)}\n".encode()
        asked.sendall(PROTOCOL + head + payload)
        answer = b""
        while part := asked.recv(65_536):
            answer += part
            asked.settimeout(max(0.001, deadline - time.monotonic()))
    finally:
        asked.close()
    return parse_answer(answer)


def parse_answer(answer: bytes) -> tuple[bytes, bytes]:
    """Return (line for the log, what to print) of a server's answer; raises SilentError."""
    head, _, rest = answer.partition(b"\n")
    if head.startswith(b"miss "):
        raise SilentError(head[5:].decode("utf-8", "replace"))
    line, _, out = rest.partition(b"\n")
    if head != PROTOCOL or not line:
        raise SilentError("cut short")
    return line, out


def main(argv: list[str]) -> None:
    """Answer one call of a host; nothing raises, nothing is printed but what is to be said."""
    agent, event = ([*argv[1:], "", ""])[:2]
    agent = {"gemini": "gemini-cli", "claude": "claude-code"}.get(agent, agent)
    home = os.path.expanduser(os.environ.get("REMEM_HOME") or "~/.remem")  # noqa: PTH111
    primed = os.environ.get("REMEM_PRIMED") or f"{home}/primed"
    if not os.path.exists(f"{home}/.remem-home"):  # noqa: PTH110
        return  # no memory, or another program's folder: nothing is written there
    seconds = _seconds()
    patience, deadline = STARTED + seconds * PATIENCE, STARTED + seconds
    disarm = _leave_at(deadline, primed, agent, event)
    payload = _read_payload(patience)
    try:
        line, out = ask(primed, agent, event, payload, patience)
    except SilentError as silent:
        line, out = _alone(primed, agent, event, payload, str(silent), deadline)
    except Exception as error:
        why = f"error: {type(error).__name__}"
        line, out = _alone(primed, agent, event, payload, why, deadline)
    disarm()
    beat(primed, agent, event)
    append(primed, _timed(line))
    if out:
        os.write(1, out)


def _seconds() -> float:
    """Return how long a call may take; a slow machine's owner may give it more."""
    try:
        return min(5.0, float(os.environ["REMEM_HOOK_SECONDS"]))
    except (KeyError, ValueError):
        return DEADLINE


def _read_payload(deadline: float) -> bytes:
    """Read what the host wrote, however it is cut, until it closes or the time is over."""
    parts = []
    if os.name == "posix":
        import select

        while select.select([0], [], [], max(0.0, deadline - time.monotonic()))[0]:
            if not (part := os.read(0, 1 << 20)):
                break
            parts.append(part)
    else:
        while part := os.read(0, 1 << 20):
            parts.append(part)
    return b"".join(parts)


def _alone(
    primed: str, agent: str, event: str, payload: bytes, why: str, deadline: float
) -> tuple[bytes, bytes]:
    """Judge without a live process; `why` there is none goes into the log."""
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120
    from remem_agents.priming.attend import attend
    from remem_agents.priming.keywords import by_words

    entry, out = attend(agent, event, payload, primed, by_words(primed), deadline)
    return log_line(agent, event, entry | {"by": "words", "without": why}), out


def _leave_at(deadline: float, primed: str, agent: str, event: str) -> "Callable[[], object]":
    """Leave at the deadline, whatever hangs, and log that; return what calls this off."""
    try:
        # Built in; `signal` itself imports enum and much else.
        import _signal as signal  # type: ignore[import-not-found]
    except ImportError:
        import signal

    if not hasattr(signal, "setitimer"):  # Windows: the socket's own time limits must do
        return lambda: None

    def leave(*_: object) -> None:
        # By hand: the signal may come in the middle of an import, the one of json too.
        host, what = _plain(agent), _plain(event)
        line = f'{{"at":"{now()}","agent":"{host}","event":"{what}","miss":"deadline"}}'
        append(primed, _timed(line.encode()))
        os._exit(0)

    signal.signal(signal.SIGALRM, leave)
    signal.setitimer(signal.ITIMER_REAL, max(0.001, deadline - time.monotonic()))
    return lambda: signal.setitimer(signal.ITIMER_REAL, 0)


def _plain(word: str) -> str:
    return "".join(c for c in word if c.isascii() and (c.isalnum() or c == "-"))


def now() -> str:
    """Return the time as records spell it."""
    seconds = time.time()
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{int(seconds % 1 * 1e6):06d}Z"


def log_line(agent: str, event: str, entry: "dict[str, Any]") -> bytes:
    """Return an entry as a line that one write appends whole: at most 4,096 bytes."""
    import json

    entry = {"at": now(), "agent": agent, "event": event, **entry}
    line = json.dumps(entry, separators=(",", ":")).encode("ascii")
    if len(line) >= LOG_BYTES:
        short = {k: v[:200] if isinstance(v, str) else v for k, v in entry.items() if k != "chosen"}
        line = json.dumps(short | {"cut": True}, separators=(",", ":")).encode("ascii")
    return line


def _timed(line: bytes) -> bytes:
    """Return a line of the log with the milliseconds that the call took so far."""
    return line[:-1] + b',"took":%.1f}' % ((time.monotonic() - STARTED) * 1_000)


def append(primed: str, line: bytes) -> None:
    """Append one line to the month's log, whole, whoever else is appending."""
    try:
        os.makedirs(primed, mode=0o700, exist_ok=True)  # noqa: PTH103
        path = f"{primed}/log-{time.strftime('%Y-%m', time.gmtime())}.jsonl"
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(file, line + b"\n")
        os.close(file)
    except OSError:
        pass  # a full disk is no reason to be in the way


def beat(primed: str, agent: str, event: str) -> None:
    """Leave the sign of life that `remem doctor` looks for: a file whose time is the last call."""
    name = _plain(f"{agent}-{event}")
    try:
        os.makedirs(f"{primed}/beats", mode=0o700, exist_ok=True)  # noqa: PTH103
        file = os.open(f"{primed}/beats/{name}", os.O_WRONLY | os.O_CREAT, 0o600)
        os.utime(file)
        os.close(file)
    except OSError:
        pass


if __name__ == "__main__":
    try:  # noqa: SIM105
        main(sys.argv)
    except BaseException:  # a host takes any other end for a refusal or an error
        pass
    os._exit(0)
