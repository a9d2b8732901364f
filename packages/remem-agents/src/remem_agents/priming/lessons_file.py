"""What hooks know of lessons where no live process answers: one small file, and how it is written.

It holds no more than is needed to judge by words and to say a lesson: no store is opened for it.
"""

import json
import os
import re
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from remem_agents.ports import Known
from remem_agents.priming.attend import SHORT_ID
from remem_agents.priming.keywords import names_of, program_of, telling, words_of
from remem_protocol import Correction, Event, Failure, Note, Surprise

LINE_CHARACTERS = 580  # so that three lessons and what is around them stay under 2,000
WORDS_KEPT = 200
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")  # all but the ends of lines


def observation(known: Known) -> str:
    """Return a lesson as it is said: how often and when last, then its own words."""
    lesson = known.lesson
    where = "in any project" if lesson.project is None else "in this project"
    head = f"Seen {lesson.seen}×, last on {known.last[:10]}, {where}. "
    tail = f" (lesson {lesson.id[:SHORT_ID]})"
    words = " ".join(harmless(lesson.text).split())
    room = LINE_CHARACTERS - len(head) - len(tail)
    return head + (words if len(words) <= room else words[: room - 1].rstrip() + "…") + tail


def harmless(text: str) -> str:
    """Return words without control characters, and with none that begin a comment (FIL-010)."""
    return _CONTROL.sub("", text).replace("<!--", "<!‐‐")


def lessons_file(lessons: Iterable[Known], folders: Mapping[str, str]) -> bytes:
    """Return the file's bytes. `folders` says which project a folder's real path belongs to."""
    kept = {
        "v": 1,
        "folders": dict(sorted(folders.items())),
        "lessons": [_cues(known) for known in lessons],
    }
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def write_lessons(primed: Path, content: bytes) -> bool:
    """Lay the file where hooks look, at once or not at all; return whether it changed."""
    path = primed / "lessons.json"
    if path.is_file() and path.read_bytes() == content:
        return False
    primed.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = primed / f".lessons-{secrets.token_hex(4)}"
    file = os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(file, "wb") as out:
        out.write(content)
    new.replace(path)
    return True


def _cues(known: Known) -> dict[str, Any]:
    about = "\n".join(part for event in known.sources for part in _texts(event) if part)
    programs: dict[str, set[str]] = {}
    for event in known.sources:
        if isinstance(event, Failure) and event.call:
            program, options = program_of(command_of(event.call))
            programs.setdefault(program, set()).update(options)
    return {
        "id": known.lesson.id,
        "project": known.lesson.project,
        "kind": known.lesson.kind,
        "say": observation(known),
        "names": sorted(names_of(about))[:WORDS_KEPT],
        "words": sorted(telling(about))[:WORDS_KEPT],
        "triggers": _triggers(known.sources),
        "programs": {program: sorted(options) for program, options in sorted(programs.items())},
    }


def _texts(event: Event) -> tuple[str | None, ...]:
    match event:
        case Correction():
            return event.said, event.agent_did
        case Failure():
            return event.description, event.call and command_of(event.call)
        case Surprise():
            return (event.statement,)
        case Note():
            return (event.text,)
        case _:
            return ()


def command_of(call: str) -> str:
    """Return the command of a stored call: the call itself, or what its JSON names so."""
    try:
        given = json.loads(call)
    except ValueError:
        return call
    return str(given.get("command") or call) if isinstance(given, dict) else call


def _triggers(sources: Iterable[Event]) -> list[str]:
    told = [e.trigger for e in sources if isinstance(e, Note) and e.trigger]
    phrases = {" ".join(words_of(phrase)) for trigger in told for phrase in trigger.split(",")}
    return sorted(phrases - {""})
