"""What is to be written where, decided from lessons and from what is there: no file is touched."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from remem_agents.ports import Known
from remem_agents.render.lesson_file import body_of, file_name, id_of, index_line, lesson_file
from remem_agents.render.section import (
    SectionError,
    joint,
    split,
    with_section,
    without_section,
)


@dataclass(frozen=True)
class Place:
    """Where an agent looks: the file that gets our section, and the folder of lessons' files.

    `within` is the folder that nothing may lead out of; `project` whose lessons may stand here, ""
    for those of every project alone.
    """

    agent: str
    index: Path
    within: Path
    project: str
    folder: Path | None = None
    section_lines: int = 60
    section_bytes: int = 12_000
    file_lines: int = 200
    file_bytes: int = 25_000


class Written(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is ours at a place: whether we made the index, what we ended its last line with, and
    each file with its body's hash."""

    agent: str
    created: bool = False
    joint: str = ""
    files: dict[str, str] = {}


@dataclass(frozen=True)
class Present:
    """What is there now: the index, None for none, and the files of our names."""

    index: bytes | None
    files: Mapping[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
    """What is to be done at a place. `changes` maps a path to its new bytes, None to be removed.

    `vetoed` are lessons whose file the owner deleted, `reworded` those whose file they rewrote,
    with their words. `refused` says why nothing is done, `present` what it was decided on.
    """

    place: Place
    changes: Mapping[Path, bytes | None] = field(default_factory=dict)
    vetoed: tuple[str, ...] = ()
    reworded: Mapping[str, str] = field(default_factory=dict)
    written: Written | None = None
    refused: str = ""
    present: Present | None = None


def plan(place: Place, lessons: Sequence[Known], present: Present, written: Written | None) -> Plan:
    """Return what makes a place say these lessons, and nothing twice.

    `lessons` has the strongest first: they are the last to be left out. Those of another project
    are left out here, whatever is given (FIL-009).
    """
    content = present.index or b""
    try:
        had_section = split(content).ours is not None
    except SectionError as error:
        return Plan(place, written=written, refused=error.code)
    before = written or Written(place.agent)
    vetoed = _vetoed(before, present) if had_section else ()
    reworded = _reworded(before, present)
    wanted = [
        known
        for known in lessons
        if known.lesson.project in (None, place.project) and known.lesson.id not in vetoed
    ]
    shown = _fitting(place, wanted, without_section(content, joined=before.joint.encode()))
    lines = [index_line(known, linked=place.folder is not None) for known in _standing(shown)]
    changes: dict[Path, bytes | None] = {}
    files = _files(place, shown, present, before, reworded, changes)
    index = with_section(content, lines)
    now = Written(
        place.agent,
        created=before.created if had_section else present.index is None,
        joint=before.joint if had_section else joint(content).decode(),
        files=files,
    )
    if not lines:
        index = without_section(content, joined=before.joint.encode())
    if index != content:
        changes[place.index] = None if not index and now.created else index
    kept = now if lines or files else None
    return Plan(place, changes, vetoed, reworded, kept, present=present)


def removal(place: Place, present: Present, written: Written) -> Plan:
    """Return what takes us out of a place again; what the owner rewrote stays theirs."""
    content = present.index or b""
    try:
        index = without_section(content, joined=written.joint.encode())
    except SectionError as error:
        return Plan(place, written=written, refused=error.code)
    changes: dict[Path, bytes | None] = {}
    reworded = _reworded(written, present)
    for name in present.files:
        if place.folder is not None and name in written.files and id_of(name) not in reworded:
            changes[place.folder / name] = None
    if index != content:
        changes[place.index] = None if not index and written.created else index
    return Plan(place, changes, reworded=reworded, present=present)


def _vetoed(written: Written, present: Present) -> tuple[str, ...]:
    """Return the lessons whose file is gone while our section is still there (FIL-006)."""
    return tuple(sorted(id_of(name) for name in written.files if name not in present.files))


def _reworded(written: Written, present: Present) -> dict[str, str]:
    return {
        id_of(name): body_of(content)
        for name, content in sorted(present.files.items())
        if name in written.files and _hash(content) != written.files[name]
    }


def _files(
    place: Place,
    shown: Sequence[Known],
    present: Present,
    written: Written,
    reworded: Mapping[str, str],
    changes: dict[Path, bytes | None],
) -> dict[str, str]:
    """Plan the lessons' files into `changes`; return name → hash of those that are ours then."""
    if place.folder is None:
        return {}
    files: dict[str, str] = {}
    for known in shown:
        name, content = file_name(known), lesson_file(known)
        if known.lesson.id in reworded:  # the owner's words stay as they are (FIL-014)
            files[name] = written.files[name]
            continue
        files[name] = _hash(content)
        # An agent may have added to the front matter: only other words are written anew.
        if name not in present.files or _hash(present.files[name]) != files[name]:
            changes[place.folder / name] = content
    for name in present.files.keys() & written.files.keys() - files.keys():
        if id_of(name) in reworded:
            files[name] = written.files[name]
        else:
            changes[place.folder / name] = None
    return dict(sorted(files.items()))


def _standing(shown: Sequence[Known]) -> list[Known]:
    """Return lessons in an order that only news changes: strengths fade (FIL-004)."""
    return sorted(shown, key=lambda known: (-known.lesson.seen, known.lesson.id))


def _fitting(place: Place, lessons: Sequence[Known], others: bytes) -> list[Known]:
    """Return the strongest lessons that fit into the section and into the file (FIL-005)."""
    lines = min(place.section_lines, place.file_lines - others.count(b"\n")) - 2
    room = min(place.section_bytes, place.file_bytes - len(others)) - 80
    shown: list[Known] = []
    for known in lessons:
        room -= len(index_line(known, linked=place.folder is not None).encode()) + 2
        if len(shown) >= lines or room < 0:
            break
        shown.append(known)
    return shown


def _hash(content: bytes) -> str:
    return hashlib.sha256(body_of(content).encode()).hexdigest()
