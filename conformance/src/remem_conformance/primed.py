"""What was put before an agent at a moment: whatever a case is about, nothing that may not be."""

import binascii
import re
from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from remem_conformance.cases import Case, Step
from remem_conformance.partial import brief, difference
from remem_conformance.showable import may_be_shown

START, END = "<!-- remem:start -->", "<!-- remem:end -->"
MOST, TEXT_CHARACTERS = 3, 2_000
_LINE = re.compile(
    r"- Seen (\d+)×, last on (\d{4}-\d\d-\d\d), in (?:this|any) project\. .*"
    r" \(lesson ([a-z2-7]{8})\)"
)
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")


def judge_primed(step: Case | Step, got: Any, before: Sequence[Any]) -> str | None:
    """Return what is wrong with the value of a reply, or None."""
    if not isinstance(got, dict) or type(got.get("held_out")) is not bool:
        return f"does not say held_out: {brief(got)}"
    session = str(step.input.session)
    if got["held_out"] != is_held_out(session):
        return f"held_out of {session!r}: {got['held_out']} (FIL-024)"
    if step.op == "prime" and (wrong := _unsound(step, got) or _unsound_text(got)):
        return wrong
    expect, text = step.expect, got.get("text") or ""
    if expect is UNSET:
        return None
    if expect.raw_of is not UNSET and got["chosen"] != before[expect.raw_of - 1]["chosen"]:
        return f"others than step {expect.raw_of} was answered with: {brief(got)}"
    for words in expect.says:
        if words not in text:
            return f"does not say {words!r}: {brief(text)}"
    for words in expect.silent:
        if words in text:
            return f"says {words!r}: {brief(text)}"
    return None if expect.match is UNSET else difference(expect.match, got)


def is_held_out(session: str) -> bool:
    """Tell whether a session is of the control arm (FIL-024)."""
    return bool(binascii.crc32(b"remem/1/held-out " + session.encode("utf-8")) & 1 << 16)


def _unsound(step: Case | Step, got: dict[str, Any]) -> str | None:
    chosen = got.get("chosen")
    if not isinstance(chosen, list) or len(chosen) > MOST or len(set(chosen)) < len(chosen):
        return f"not at most {MOST} lessons: {brief(chosen)} (FIL-020)"
    project = step.input.project
    allowed = {record["id"] for record in may_be_shown(step.input, project)}
    if strange := [id_ for id_ in chosen if id_ not in allowed]:
        return f"may not be shown here: {strange} (FIL-009, FIL-020)"
    return None


def _unsound_text(got: dict[str, Any]) -> str | None:
    """Nothing to a session that is held out, else a line for each that was chosen."""
    text, chosen = got.get("text"), got["chosen"]
    if got["held_out"] or not chosen:
        return None if text is None else f"says something: {brief(text)} (FIL-025)"
    if not isinstance(text, str) or len(text) >= TEXT_CHARACTERS:
        return f"no text of less than {TEXT_CHARACTERS} characters: {brief(text)} (FIL-026)"
    first, *lines, last = text.split("\n") if "\n" in text else ("", "")
    if (first, last) != (START, END) or text.count("<!--") != 2 or _CONTROL.search(text):
        return f"not between one pair of markers: {brief(text)} (FIL-026)"
    found = [match for line in lines if (match := _LINE.fullmatch(line))]
    others = [n for n, line in enumerate(lines) if not _LINE.fullmatch(line)]
    if others not in ([], [0]):
        return f"more than lessons and a line above them: {brief(text)} (FIL-026)"
    if [match[3] for match in found] != [id_[:8] for id_ in chosen]:
        return f"not a line for each of {chosen}: {brief(text)} (FIL-026)"
    return None
