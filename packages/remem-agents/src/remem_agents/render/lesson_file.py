"""A lesson as a file of its own and as a line of an index: the same lesson, the same bytes."""

import json

from remem_agents.ports import Known
from remem_agents.priming.lessons_file import harmless, observation

PREFIX, SUFFIX = "remem-", ".md"
LINE_CHARACTERS = 190
# What Claude Code's own memories are called: how the person wants it, how the project is.
TYPES = {"correction": "feedback", "error": "project", "surprise": "project", "note": "reference"}


def file_name(known: Known) -> str:
    """Return the name of a lesson's file."""
    return f"{PREFIX}{known.lesson.id}{SUFFIX}"


def id_of(name: str) -> str:
    """Return the lesson's id that a file is named after."""
    return name.removeprefix(PREFIX).removesuffix(SUFFIX)


def lesson_file(known: Known) -> bytes:
    """Return a lesson's file (FIL-001)."""
    lesson = known.lesson
    where = "in any project" if lesson.project is None else f"in {lesson.project}"
    lines = [
        "---",
        f"name: {PREFIX}{lesson.id}",
        f"description: {_quoted(title(known))}",
        "metadata:",
        f"  type: {TYPES[lesson.kind]}",
        "managed: remem",
        f"seen: {lesson.seen}",
        f"strength: {lesson.strength:.1f}",
        f"updated: {lesson.updated}",
        "---",
        *_harmless(lesson.text).splitlines(),
        "",
        f"Seen {lesson.seen}×, last on {known.last[:10]}, {where}.",
    ]
    return "".join(f"{line}\n" for line in lines).encode()


def body_of(content: bytes) -> str:
    """Return a file's text without its front matter, which agents write to as well."""
    text = content.decode("utf-8", "replace").replace("\r\n", "\n")
    _, separator, body = text.removeprefix("---\n").partition("\n---\n")
    return (body if text.startswith("---\n") and separator else text).strip()


def title(known: Known) -> str:
    """Return a lesson's words on one line."""
    words = " ".join(_harmless(known.lesson.text).split())
    return words if len(words) <= 120 else words[:119].rstrip() + "…"


def index_line(known: Known, *, linked: bool) -> str:
    """Return a lesson's line: with a link where it has a file, else the lesson itself."""
    if not linked:
        return f"- {observation(known)}"
    name = file_name(known)
    told = f" — seen {known.lesson.seen}×, last on {known.last[:10]}"
    room = LINE_CHARACTERS - len(f"- []({name}){told}")
    words = title(known).replace("[", "(").replace("]", ")")
    words = words if len(words) <= room else words[: room - 1].rstrip() + "…"
    return f"- [{words}]({name}){told}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # a double-quoted scalar of YAML as well


def _harmless(text: str) -> str:
    """Return words that can't end the front matter or our section, nor begin another."""
    lines = (line if line.strip() != "---" else "- - -" for line in harmless(text).splitlines())
    return "\n".join(lines)
