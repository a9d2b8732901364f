"""One call of a hook, from what the host tells to what it is told, whoever judges it."""

import binascii
import os
import re
import time

from remem_agents.priming.errors import LeftError, MissError
from remem_agents.priming.moments import EVENTS, read_moment, spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from remem_agents.ports import Judge

MOST = 3
SHORT_ID = 8


def attend(
    agent: str, event: str, payload: bytes, primed: str, judge: "Judge", deadline: float
) -> "tuple[dict[str, Any], bytes]":
    """Judge one call of a hook and return (what to log of it, what to print).

    `primed` is the folder of the state, `deadline` a reading of the monotonic clock. Lessons that
    are to be said are marked as said here. Nothing raises: a miss is a line of the log too.
    """
    began = time.monotonic()
    entry: dict[str, Any] = {}
    out = b""
    try:
        moment = read_moment(agent, event, payload)
        entry |= {"kind": moment["kind"], "session": moment["session"]}
        entry["arm"] = "held-out" if is_held_out(moment["session"]) else "told"
        _, how = EVENTS[agent][event]
        chosen, entry["known"], entry["project"] = judge(moment, said_in(primed, moment))
        if time.monotonic() > deadline:
            raise MissError("deadline")
        new = [c for c in chosen[:MOST] if _claim(primed, moment["session"], c[0])]
        entry["chosen"] = [{"id": id_, "why": why[:200]} for id_, why, _ in new]
        if new and entry["arm"] == "told":
            out = spoken(event, how, [line for _, _, line in new])
    except LeftError as left:
        entry["left"] = left.code
    except MissError as miss:
        entry["miss"] = miss.code
    except Exception as error:
        entry["miss"] = f"error: {type(error).__name__}"
    entry["ms"] = round((time.monotonic() - began) * 1000, 1)
    return entry, out


def is_held_out(session: str) -> bool:
    """Tell whether a session is of the half that is told nothing: the control arm."""
    return bool(binascii.crc32(b"remem/1/held-out " + session.encode("utf-8", "replace")) >> 16 & 1)


def _folder_of(primed: str, session: str) -> str:
    name = "".join(c if c.isascii() and c.isalnum() else "-" for c in session)[:48]
    key = binascii.crc32(session.encode("utf-8", "replace"))
    return f"{primed}/said/{name}-{key:08x}"


def said_in(primed: str, moment: dict[str, str]) -> set[str]:
    """Return the short ids of the lessons that a session was told, or was forked with."""
    folder = _folder_of(primed, moment["session"])
    try:
        return set(os.listdir(folder))  # noqa: PTH208
    except OSError:
        for part in (primed, f"{primed}/said", folder):  # each is the owner's alone
            os.makedirs(part, mode=0o700, exist_ok=True)  # noqa: PTH103
    inherited = _told_by(moment["transcript"])
    for id_ in inherited:
        _claim(primed, moment["session"], id_)
    return inherited


def _told_by(transcript: str) -> set[str]:
    """Return the lessons that the copied beginning of a forked session holds."""
    try:
        with open(transcript, "rb") as file:  # noqa: PTH123
            text = file.read(4_000_000)
    except OSError:
        return set()
    if b"remem:start" not in text:
        return set()
    return {id_.decode() for id_ in re.findall(rb"\(lesson ([a-z2-7]{8})\)", text)}


def _claim(primed: str, session: str, id_: str) -> bool:
    """Mark a lesson as said in a session; False when another call did so before."""
    try:
        path = f"{_folder_of(primed, session)}/{id_[:SHORT_ID]}"
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return False
    return True
