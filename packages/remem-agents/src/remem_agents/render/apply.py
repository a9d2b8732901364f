"""Reading what is at a place and carrying out a plan: atomically, within the folder given."""

import os
import secrets
import stat
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from remem_agents.ports import Known
from remem_agents.render.lesson_file import PREFIX, SUFFIX
from remem_agents.render.plan import Place, Plan, Present, Written, plan, removal


class Book(msgspec.Struct, frozen=True):
    """What is ours, by the path of the index: the content of `written.json`."""

    v: int = 1
    places: dict[str, Written] = {}


def read_book(path: Path) -> Book:
    """Read what is ours; nothing is where the file is none of ours."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Book)
    except (OSError, msgspec.MsgspecError):
        return Book()


def write_book(path: Path, book: Book) -> None:
    """Keep what is ours."""
    _replace(path, msgspec.json.format(msgspec.json.encode(book, order="sorted")) + b"\n")


def plan_all(
    places: Iterable[Place], lessons: Sequence[Known], book: Book, busy: Mapping[str, str]
) -> list[Plan]:
    """Return the plan of every place. `busy` says of an agent why its files can't change now."""
    return [_plan(place, lessons, book.places.get(str(place.index)), busy) for place in places]


def plan_removal(places: Iterable[Place], book: Book) -> list[Plan]:
    """Return the plan that takes everything of ours out of these places."""
    plans = []
    for place in places:
        if (written := book.places.get(str(place.index))) is not None:
            refused = _refusal(place)
            if refused:
                plans.append(Plan(place, written=written, refused=refused))
            else:
                plans.append(removal(place, read(place), written))
    return plans


def _plan(
    place: Place, lessons: Sequence[Known], written: Written | None, busy: Mapping[str, str]
) -> Plan:
    refused = busy.get(place.agent) or _refusal(place)
    if refused:
        return Plan(place, written=written, refused=refused)
    return plan(place, lessons, read(place), written)


def read(place: Place) -> Present:
    """Return what is at a place now."""
    files = {}
    if place.folder is not None and place.folder.is_dir():
        names = sorted(place.folder.glob(f"{PREFIX}*{SUFFIX}"))
        files = {path.name: path.read_bytes() for path in names if path.is_file()}
    index = place.index.read_bytes() if place.index.is_file() else None
    return Present(index, files)


def _refusal(place: Place) -> str:
    """Return why a place can't be written to, "" when it can (FIL-007)."""
    paths = [place.index] if place.folder is None else [place.index, place.folder]
    within = place.within.resolve()
    for path in paths:
        real = path.resolve()
        if ".git" in real.parts or ".git" in path.parts:
            return "below-git"
        if real != within and within not in real.parents:
            return "outside-folder"
    if place.folder is not None and place.folder.is_dir():
        linked = (p for p in place.folder.glob(f"{PREFIX}*{SUFFIX}") if p.is_symlink())
        if any(within not in path.resolve().parents for path in linked):
            return "outside-folder"
    return ""


def carry_out(plans: Iterable[Plan], book: Book) -> Book:
    """Make the changes; return what is ours then. A file that changed meanwhile is left alone."""
    places = dict(book.places)
    for done in plans:
        if done.refused or (done.changes and read(done.place) != done.present):
            continue
        for path, content in done.changes.items():
            if content is None:
                path.unlink(missing_ok=True)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                _replace(path, content)
        folder = done.place.folder
        if folder is not None and folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
        if done.written is None:
            places.pop(str(done.place.index), None)
        else:
            places[str(done.place.index)] = done.written
    return Book(places=dict(sorted(places.items())))


def _replace(path: Path, content: bytes) -> None:
    """Lay new bytes over a file at once, through a link to where it really is, its mode kept."""
    path = path.resolve()
    mode = stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o600
    new = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    file = os.open(new, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode)
    try:
        with os.fdopen(file, "wb") as out:
            out.write(content)
        new.chmod(mode)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
