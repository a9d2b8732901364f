"""What an agent's files are once lessons were written there: sound at all, then as a case has it.

The files of a request are its own, or those that an earlier step was answered with, as their owner
changed them since. What is looked at of a reply is a view of it: the index around the section, the
section, and of each lesson's file its front matter and its words.
"""

import base64
import binascii
import json
import re
from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from remem_conformance.cases import Case, Expect, Input, Place, Step, expand
from remem_conformance.partial import brief, difference
from remem_conformance.showable import may_be_shown

Value = dict[str, Any]
Files = dict[str, bytes]
START, END = "<!-- remem:start -->", "<!-- remem:end -->"
SECTION_LINES, LINE_CHARACTERS, INDEX_LINES, INDEX_BYTES = 60, 190, 200, 25_000
FRONT = ("name", "description", "metadata", "type", "managed", "seen", "strength", "updated")
_LINK = re.compile(r"\]\((remem-[a-z2-7]+\.md)\)")
_SHORT = re.compile(r"\(lesson ([a-z2-7]{8})\)")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


class UnsoundError(Exception):
    """A reply that no case could expect; the words say why."""


def files_of(given: Input, replies: Sequence[Any]) -> Files:
    """Return the files that a request is about, path → bytes."""
    if not isinstance(given.after, int):
        return {
            file.path: base64.b64decode(file.raw)
            if isinstance(file.raw, str)
            else expand(file.raw_parts or ())
            for file in given.files or ()
        }
    files = _files(replies[given.after - 1])
    for edit in given.edits or ():
        if isinstance(edit.words, tuple):
            old, new = (words.encode("utf-8") for words in edit.words)
            files[edit.path] = files.get(edit.path, b"").replace(old, new, 1)
        elif isinstance(edit.raw, str):
            files[edit.path] = base64.b64decode(edit.raw)
        else:
            files.pop(edit.path, None)
    return files


def carried_on(given: Input, replies: Sequence[Any]) -> Value:
    """Return what a request has instead of `after` and `edits`."""
    assert isinstance(given.after, int)
    files = [
        {"path": path, "raw": base64.b64encode(data).decode("ascii")}
        for path, data in sorted(files_of(given, replies).items())
    ]
    return {"files": files, "written": replies[given.after - 1].get("written")}


def judge_rendered(step: Case | Step, got: Any, before: Sequence[Any]) -> str | None:
    """Return what is wrong with the value of a reply, or None."""
    given, expect = step.input, step.expect
    assert isinstance(given.place, Place)
    try:
        there, now = files_of(given, before), _files(got)
        view = _view(given.place, there, now, got)
        _check(step.op, given, there, now, view)
    except UnsoundError as error:
        return str(error)
    if expect is UNSET:
        return None
    if expect.raw_of is not UNSET and now != _files(before[expect.raw_of - 1]):
        return f"other files than step {expect.raw_of} was answered with"
    return _judge(expect, view)


def _judge(expect: Expect, view: Value) -> str | None:
    text = "\n".join(view["files"].values())
    for words in expect.says:
        if words not in text:
            return f"nowhere {words!r}: {brief(text)}"
    for words in expect.silent:
        if words in text:
            return f"somewhere {words!r}: {brief(text)}"
    return None if expect.match is UNSET else difference(expect.match, view)


def _files(got: Any) -> Files:
    """Return the files of a reply; raise UnsoundError."""
    try:
        found = [(f["path"], base64.b64decode(f["raw"], validate=True)) for f in got["files"]]
    except (binascii.Error, ValueError, TypeError, KeyError):
        raise UnsoundError(f"no files with path and raw: {brief(got)}") from None
    if len(dict(found)) < len(found):
        raise UnsoundError(f"a file stands there twice: {[path for path, _ in found]}")
    return dict(found)


def _view(place: Place, there: Files, now: Files, got: Value) -> Value:
    """Return what is looked at; texts are those of files that are UTF-8."""
    paths = sorted(now)
    changed = [p for p in sorted({*there, *now}) if there.get(p) != now.get(p)]
    told = {"vetoed": sorted(got.get("vetoed") or ()), "reworded": got.get("reworded") or {}}
    view: Value = {"paths": paths, "changed": changed, "refused": got.get("refused"), **told}
    view["files"] = {p: t for p in paths if (t := _text(now[p])) is not None}
    if view["refused"] is not None:
        return view
    around, section = _split(view["files"].get(place.index, ""))
    view |= {
        "before": around[0],
        "after": around[1],
        "section": section,
        "fronts": {},
        "bodies": {},
    }
    links = [_LINK.findall(line) or _SHORT.findall(line) for line in section or ()]
    view["shown"] = sorted(_id(link[-1]) if link else "" for link in links)
    for path in (p for p in paths if isinstance(place.folder, str) and _is_lesson(place, p)):
        front, body = _lesson_file(view["files"].get(path, ""))
        view["fronts"][path], view["bodies"][path] = front, body
    return view


def _check(op: str, given: Input, there: Files, now: Files, view: Value) -> None:
    """Raise UnsoundError for what no reply may be."""
    place = given.place
    assert isinstance(place, Place)
    if view["refused"] is not None:
        if view["changed"]:
            raise UnsoundError(f"refused, and yet changed: {view['changed']} (FIL-003)")
        return
    foreign = [p for p in view["changed"] if p != place.index and not _is_lesson(place, p)]
    if foreign:
        raise UnsoundError(f"changed files that are not its own: {foreign} (FIL-002)")
    _check_around(there.get(place.index, b""), now.get(place.index, b""), view)
    if op == "take-out":
        if view["section"] is not None:
            raise UnsoundError("taken out, and its section is still there (FIL-008)")
        return
    _check_section(place, now.get(place.index, b""), view)
    _check_shown(given, view)
    _check_lesson_files(place, view)


def _check_around(old: bytes, new: bytes, view: Value) -> None:
    was, _ = _split(_text(old) or "")
    kept, told = ("".join(was), view["before"] + view["after"])
    if re.sub(r"[\r\n]", "", kept) != re.sub(r"[\r\n]", "", told):
        raise UnsoundError(f"other text around the section: {brief(told)} (FIL-002)")
    ends = {bytes(end) for end in re.findall(rb"\r?\n", old)}
    if len(ends) == 1 and set(re.findall(rb"\r?\n", new)) - ends:
        raise UnsoundError("other line ends than before (FIL-013)")


def _check_section(place: Place, index: bytes, view: Value) -> None:
    lines = view["section"]
    if lines is None:
        return
    if not lines:
        raise UnsoundError("a section that says nothing (FIL-002)")
    if len(lines) + 2 > SECTION_LINES:
        raise UnsoundError(f"a section of {len(lines) + 2} lines (FIL-005)")
    if len(index.splitlines()) > INDEX_LINES or len(index) > INDEX_BYTES:
        raise UnsoundError(f"{len(index.splitlines())} lines, {len(index)} bytes (FIL-005)")
    for line in lines:
        if not line.startswith("- ") or "<!--" in line or _CONTROL.search(line):
            raise UnsoundError(f"no line that is one lesson: {brief(line)} (FIL-001, FIL-010)")
        if isinstance(place.folder, str) and len(line) > LINE_CHARACTERS:
            raise UnsoundError(f"a line of {len(line)} characters: {brief(line)}")


def _check_shown(given: Input, view: Value) -> None:
    """Each once, of those that may be, and the weaker ones left out first (FIL-005, FIL-009)."""
    shown = view["shown"]
    allowed = {one["id"]: one["strength"] for one in may_be_shown(given, given.place)}
    known = {id_: next((k for k in allowed if k.startswith(id_)), "") for id_ in shown if id_}
    if len(set(shown)) < len(shown) or not all(shown) or not all(known.values()):
        raise UnsoundError(f"shows {shown}, of {sorted(allowed)} (FIL-001, FIL-009)")
    left = allowed.keys() - set(known.values()) - set(view["vetoed"])
    if any(allowed[one] > allowed[other] for one in left for other in known.values()):
        raise UnsoundError(f"left out a stronger one: {sorted(left)} (FIL-005)")


def _check_lesson_files(place: Place, view: Value) -> None:
    if not isinstance(place.folder, str):
        return
    for id_ in view["shown"]:
        path = f"{place.folder}/remem-{id_}.md"
        if path not in view["paths"]:
            raise UnsoundError(f"a line without its file: {path} (FIL-001)")
        if id_ not in view["reworded"]:
            _check_lesson_file(id_, view["fronts"][path], view["files"][path])
    linked = {f"{place.folder}/remem-{id_}.md" for id_ in view["shown"]}
    if alone := [p for p in view["fronts"] if p in view["changed"] and p not in linked]:
        raise UnsoundError(f"a file without its line: {alone} (FIL-001)")


def _check_lesson_file(id_: str, front: Value, text: str) -> None:
    if tuple(name for name in front if name in FRONT) != FRONT:
        raise UnsoundError(f"front matter of {list(front)} (FIL-001)")
    if front["name"] != f"remem-{id_}" or front["managed"] != "remem":
        raise UnsoundError(f"front matter of another: {brief(front)} (FIL-001)")
    if "<!--" in text or _CONTROL.search(text):
        raise UnsoundError(f"a comment or a control character: {brief(text)} (FIL-010)")


def _split(text: str) -> tuple[tuple[str, str], list[str] | None]:
    """Return an index around its section, and the section's lines; raise UnsoundError."""
    if START not in text and END not in text:
        return (text, ""), None
    before, _, rest = text.partition(START)
    inside, _, after = rest.partition(END)
    alone = re.fullmatch(r"(?s)(?:.*\n)?[ \t\ufeff]*", before) and re.match(r"[ \t]*\r?\n", inside)
    if text.count(START) != 1 or text.count(END) != 1 or not alone or not inside.endswith("\n"):
        raise UnsoundError(f"no one pair of markers on lines of their own: {brief(text)}")
    lines = inside.split("\n")[1:-1]
    return (before, after), [line.removesuffix("\r") for line in lines]


def _lesson_file(text: str) -> tuple[Value, str]:
    """Return the front matter, flat, as names and texts, and the words below it."""
    head, separator, body = text.replace("\r\n", "\n").removeprefix("---\n").partition("\n---\n")
    if not separator or not text.startswith("---"):
        return {}, text.strip()
    front = {}
    for line in head.split("\n"):
        name, _, told = line.partition(":")
        front[name.strip()] = _scalar(told.strip())
    return front, body.strip()


def _scalar(told: str) -> str:
    """Return a scalar of YAML that is plain, or quoted as JSON is."""
    try:
        return str(json.loads(told)) if told.startswith('"') else told
    except ValueError:
        raise UnsoundError(f"no string: {told} (FIL-010)") from None


def _is_lesson(place: Place, path: str) -> bool:
    folder, _, name = path.rpartition("/")
    return folder == place.folder and re.fullmatch(r"remem-.+\.md", name) is not None


def _id(link: str) -> str:
    return link.removeprefix("remem-").removesuffix(".md")


def _text(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None
