"""One call of a hook: a live process is asked, else words are judged, and never for too long.

A live `remem serve` holds the lessons and the model, and gives back the very bytes to print. Where
none answers in time, `remem_agents.priming` judges here, by words alone. Only the standard library
is imported, and of it as little as can be: it is paid at every prompt.
"""

# What these rules would have us use, pathlib and contextlib, takes longer to import than all of it.
# ruff: noqa: PTH102, PTH103, PTH108, PTH111, PTH116, PTH123, PTH208, SIM105

import time

try:
    import posix as system  # built in; `os` around it takes 2 ms to import
except ImportError:
    import os as system  # type: ignore[no-redef]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# Seconds of its own that a call may take. A timer ends it before: a busy machine needs a while to
# let it log and leave, the longer, the longer it took to start it. Where that took as long already,
# the agent has waited enough.
LIMIT, LEAVING = 0.3, 0.05
USUAL_START = 0.02  # seconds that a start takes where the system does not tell
PATIENCE = 0.6  # the share of its time in which a live process may answer
LOG_BYTES = 4_000  # a line, its times not counted: one write appends 4,096 whole
PROTOCOL = b"remem-hook 1"


class SilentError(Exception):
    """No live process answered; the text says why, for the log."""


class Call:
    """One call of a host: when it began, how long it may take, and where it is logged."""

    def __init__(self, agent: str, event: str, primed: str, began: float) -> None:
        self.agent = {"gemini": "gemini-cli", "claude": "claude-code"}.get(agent, agent)
        self.event, self.primed = event, primed
        self.began = began
        self.start = start_of_process(began)
        seconds = seconds_allowed(self.start)
        self.is_late = seconds <= 0.0
        self.patience, self.deadline = began + seconds * PATIENCE, began + seconds
        self._log = _open_log(primed)

    def log(self, line: bytes) -> None:
        """Append a line to the log, whole, whoever else is appending."""
        taken = (time.monotonic() - self.began) * 1_000
        started = b"" if self.start is None else b',"start":%.0f' % (self.start * 1_000)
        # `took` is our own, from the first line on; `start` what the machine needed until there.
        try:
            system.write(self._log, line[:-1] + b',"took":%.1f%b}\n' % (taken, started))
        except OSError:
            pass  # a full disk is no reason to be in the way

    def leave(self, *_: object) -> None:
        """End here and now, without a word, and log that."""
        # By hand: this may come in the middle of an import, the one of json too.
        host, what = _plain(self.agent), _plain(self.event)
        why = "slow start" if self.is_late else "deadline"
        line = f'{{"at":"{now()}","agent":"{host}","event":"{what}","miss":"{why}"}}'
        self.log(line.encode())
        system._exit(0)


def start_of_process(began: float) -> float | None:
    """Return the seconds from this process's start to `began`, where the system tells (Linux)."""
    try:
        with open("/proc/self/stat", "rb") as file:
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        started = ticks / system.sysconf("SC_CLK_TCK")  # in hundredths of a second, and so is this
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - started
    except (OSError, ValueError, AttributeError, IndexError):
        return None
    return max(0.0, age - (time.monotonic() - began))


def seconds_allowed(start: float | None) -> float:
    """Return how long a call may take until its timer, 0 for too late already.

    A slow machine's owner may give it more.
    """
    try:
        return min(5.0, float(environment("REMEM_HOOK_SECONDS")))
    except ValueError:
        start = USUAL_START if start is None else start
        return LIMIT - LEAVING - start / 2 if start < LIMIT else 0.0


def main(argv: list[str], began: float) -> None:
    """Answer one call of a host; nothing is printed but what is to be said."""
    agent, event = ([*argv[1:], "", ""])[:2]
    home = _home()
    try:
        system.stat(f"{home}/.remem-home")
    except OSError:
        return  # no memory, or another program's folder: nothing is written there
    call = Call(agent, event, environment("REMEM_PRIMED") or f"{home}/primed", began)
    if call.is_late:
        call.leave()
    disarm = leave_at(call.deadline, call.leave)
    payload = _read_payload(call.patience)
    try:
        line, out = ask(call, payload)
    except SilentError as silent:
        line, out = _alone(call, payload, str(silent))
    except Exception as error:
        line, out = _alone(call, payload, f"error: {type(error).__name__}")
    if not disarm():
        return
    call.log(line)
    beat(call)
    if out:
        system.write(1, out)


def environment(name: str) -> str:
    """Return a variable of the environment, "" where it is not set."""
    if system.__name__ == "posix":
        return system.environ.get(name.encode(), b"").decode("utf-8", "surrogateescape")
    return str(system.environ.get(name, ""))  # type: ignore[call-overload]


def _home() -> str:
    home, own = environment("REMEM_HOME"), environment("HOME")
    if home[:1] == "~" or not (home or own):
        import os

        return os.path.expanduser(home or "~/.remem")
    return home or f"{own}/.remem"


def _make_folder(path: str) -> None:
    try:
        system.mkdir(path, 0o700)
    except FileExistsError:
        pass
    except FileNotFoundError:
        import os

        os.makedirs(path, mode=0o700, exist_ok=True)


def ask(call: Call, payload: bytes) -> tuple[bytes, bytes]:
    """Return (line for the log, what to print) as a live `remem serve` gives them.

    The agent's own is asked first, else the latest. Raises SilentError: `no server`, `slow`, or
    what the server says.
    """
    live = f"{call.primed}/live"
    try:
        names = [n for n in system.listdir(live) if n.endswith((".sock", ".port"))]
    except OSError:
        names = []
    own = f"{system.getppid()}-"
    for name in sorted(
        names, key=lambda name: (not name.startswith(own), _newest(f"{live}/{name}"))
    ):
        try:
            return _ask_one(f"{live}/{name}", call, payload)
        except (ConnectionRefusedError, FileNotFoundError):  # its process is gone
            _forget(f"{live}/{name}")
        except (TimeoutError, BlockingIOError):  # the latter where too many wait already
            raise SilentError("slow") from None
    raise SilentError("no server")


def _newest(path: str) -> float:
    try:
        return -system.stat(path).st_mtime
    except OSError:
        return 0.0


def _forget(path: str) -> None:
    try:
        system.unlink(path)
    except OSError:
        pass  # another hook was faster


def _ask_one(path: str, call: Call, payload: bytes) -> tuple[bytes, bytes]:
    """Ask one process: by its socket, or by the port and the token in its file."""
    try:
        import _socket as sockets  # what `socket` wraps; that one takes as long again to import
    except ImportError:
        import socket as sockets  # type: ignore[no-redef]

    token, address, family = "-", path, 0
    if path.endswith(".port"):
        with open(path, encoding="ascii") as file:
            port, token = file.read().split()
        address, family = ("127.0.0.1", int(port)), sockets.AF_INET  # type: ignore[assignment]
    else:
        family = sockets.AF_UNIX
    asked = sockets.socket(family, sockets.SOCK_STREAM)
    try:
        asked.settimeout(max(0.001, call.patience - time.monotonic()))
        asked.connect(address)
        about = f" {call.agent} {call.event} {token} {call.patience!r} {len(payload)}\n"
        asked.sendall(PROTOCOL + about.encode() + payload)
        answer = b""
        while part := asked.recv(65_536):
            answer += part
            asked.settimeout(max(0.001, call.patience - time.monotonic()))
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


def _read_payload(deadline: float) -> bytes:
    """Read what the host wrote, however it is cut, until it closes or the time is over."""
    parts = []
    if system.__name__ == "posix":
        import select

        while select.select([0], [], [], max(0.0, deadline - time.monotonic()))[0]:
            if not (part := system.read(0, 1 << 20)):
                break
            parts.append(part)
    else:
        while part := system.read(0, 1 << 20):
            parts.append(part)
    return b"".join(parts)


def _alone(call: Call, payload: bytes, why: str) -> tuple[bytes, bytes]:
    """Judge without a live process; `why` there is none goes into the log."""
    from remem_agents.priming.attend import attend
    from remem_agents.priming.keywords import by_words

    judge = by_words(call.primed)
    entry, out = attend(call.agent, call.event, payload, call.primed, judge, call.deadline)
    return log_line(call.agent, call.event, entry | {"by": "words", "without": why}), out


def leave_at(deadline: float, leave: "Callable[..., object]") -> "Callable[[], bool]":
    """Have `leave` called at a time, whatever hangs; return what calls it off.

    That returns whether it was in time to do so.
    """
    try:
        # Built in; `signal` itself imports enum and much else.
        import _signal as signal  # type: ignore[import-not-found]
    except ImportError:
        import signal
    if not hasattr(signal, "setitimer"):
        return leave_by_thread(deadline, leave)
    signal.signal(signal.SIGALRM, leave)
    signal.setitimer(signal.ITIMER_REAL, max(0.001, deadline - time.monotonic()))
    return lambda: signal.setitimer(signal.ITIMER_REAL, 0) is not None


def leave_by_thread(deadline: float, leave: "Callable[..., object]") -> "Callable[[], bool]":
    """Do the same where there is no timer of the system's: on Windows."""
    import _thread

    waited_for, ends = _thread.allocate_lock(), _thread.allocate_lock()
    waited_for.acquire()

    def wait() -> None:
        waited_for.acquire(timeout=max(0.0, deadline - time.monotonic()))
        if ends.acquire(blocking=False):
            leave()

    _thread.start_new_thread(wait, ())
    return lambda: ends.acquire(blocking=False)


def _plain(word: str) -> str:
    return "".join(c for c in word if c.isascii() and (c.isalnum() or c == "-"))


def now() -> str:
    """Return the time as records spell it."""
    seconds = time.time()
    whole = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{whole}.{int(seconds % 1 * 1e6):06d}Z"


def log_line(agent: str, event: str, entry: "dict[str, Any]") -> bytes:
    """Return an entry as a line that one write appends whole, its times too."""
    import json

    entry = {"at": now(), "agent": agent, "event": event, **entry}
    line = json.dumps(entry, separators=(",", ":")).encode("ascii")
    if len(line) >= LOG_BYTES:
        short = {k: v[:200] if isinstance(v, str) else v for k, v in entry.items() if k != "chosen"}
        line = json.dumps(short | {"cut": True}, separators=(",", ":")).encode("ascii")
    return line


def _open_log(primed: str) -> int:
    """Open the month's log for appending, before there is any hurry; -1 where that can't be."""
    try:
        _make_folder(primed)
        path = f"{primed}/log-{time.strftime('%Y-%m', time.gmtime())}.jsonl"
        return system.open(path, system.O_WRONLY | system.O_APPEND | system.O_CREAT, 0o600)
    except OSError:
        return -1


def beat(call: Call) -> None:
    """Leave the sign of life that `remem doctor` looks for: a file whose time is the last call."""
    beats = f"{call.primed}/beats"
    try:
        _make_folder(beats)
        name = _plain(f"{call.agent}-{call.event}")
        file = system.open(f"{beats}/{name}", system.O_WRONLY | system.O_CREAT, 0o600)
        system.utime(file)
        system.close(file)
    except OSError:
        pass
