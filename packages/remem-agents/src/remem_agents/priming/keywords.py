"""The judge of last resort: names and words, where no live process answers in time.

A lesson is said when a trigger of it stands in the moment, when a program is called that failed
before, with no other options and words in common, or when a name and some words are shared. That
is right most of the time and seldom: hand-backs, whose act words don't tell, are never spoken at.
"""

import json
import os
import re

from remem_agents.priming.attend import SHORT_ID

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from remem_agents.ports import Judge

# How many words a lesson and a moment must share: beside the program of a failed call, beside a
# name, and without one. Chosen on the invented moments of training/moments.
TOOL_WORDS, NAMED_WORDS, UNNAMED_WORDS = 2, 3, 5


def by_words(primed: str) -> "Judge":
    """Return the judge that needs no process, no model and no store: only the primed lessons."""

    def judge(
        moment: dict[str, str], said: set[str]
    ) -> tuple[list[tuple[str, str, str]], int, str]:
        try:
            with open(f"{primed}/lessons.json", "rb") as file:  # noqa: PTH123
                kept = json.load(file)
        except FileNotFoundError:
            return [], 0, ""
        project = _project_of(moment["cwd"], kept["folders"])
        known = [one for one in kept["lessons"] if one["project"] in (None, project)]
        found = []
        for lesson in known:
            weight, why = _weigh(moment, lesson)
            if weight and lesson["id"][:SHORT_ID] not in said:
                found.append((-weight, lesson["id"], why, lesson["say"]))
        return [(id_, why, line) for _, id_, why, line in sorted(found)], len(known), project

    return judge


def _project_of(cwd: str, folders: dict[str, str]) -> str:
    """Return the project of a folder that is known by its path; "" for any other.

    The nearest repository decides: what lies inside a known one may be another's.
    """
    here = os.path.realpath(cwd) if cwd else ""
    while here:
        if here in folders:
            return folders[here]
        above = os.path.dirname(here)  # noqa: PTH120
        if above == here or os.path.exists(f"{here}/.git"):  # noqa: PTH110
            return ""
        here = above
    return ""


def _weigh(moment: dict[str, str], lesson: "dict[str, Any]") -> tuple[int, str]:
    """Return how much of a lesson a moment has, 0 for too little, and what it is.

    What a hand-back is takes more than words to tell: it is left to the live process.
    """
    if moment["kind"] == "handback":
        return 0, ""
    told = [moment.get(part, "") for part in ("prompt", "description", "command")]
    about = "\n".join(told)
    spaced = f" {' '.join(words_of(about))} "
    for phrase in lesson["triggers"]:
        if f" {phrase} " in spaced:
            return 1_000, f"trigger: {phrase}"
    names = sorted(names_of(about).intersection(lesson["names"]))
    words = sorted(telling(about).intersection(lesson["words"]))
    why = ", ".join(names + words)
    if moment["kind"] == "tool" and lesson["kind"] == "error":
        program, options = program_of(moment["command"])
        # With an option that never failed it may well be what works.
        failed = lesson["programs"].get(program)
        if failed is None or not options.issubset(failed) or len(words) < TOOL_WORDS:
            return 0, ""
        return 10 * len(names) + len(words), f"{program}: {why}"
    if (names and len(words) >= NAMED_WORDS) or len(words) >= UNNAMED_WORDS:
        return 10 * len(names) + len(words), why
    return 0, ""


def words_of(text: str) -> list[str]:
    """Return the words of a text in order, lower case."""
    return re.findall(r"[^\W_]+", text.lower())


def telling(text: str) -> set[str]:
    """Return the words that say what a text is about, without their commonest endings."""
    return {_stem(word) for word in words_of(text) if len(word) > 2} - STOPS


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def names_of(text: str) -> set[str]:
    """Return what is called by a name: paths, options, codes, identifiers; lower case."""
    found = re.findall(r"--?[A-Za-z][\w-]*|[\w@~./-]*\w", text)
    named = (re.search(r"[\d_./@-]|[a-z][A-Z]|[A-Z]{3}", name[1:]) for name in found)
    return {name.lower() for name, mark in zip(found, named, strict=True) if mark and len(name) > 3}


def program_of(command: str) -> tuple[str, set[str]]:
    """Return (the program that a command runs with its subcommand, its options)."""
    words = [word for word in command.split() if word not in ("sudo", "env")]
    named = [word for word in words if word[0].isalnum() and "=" not in word]
    options = {word.partition("=")[0] for word in words if not word[0].isalnum()}
    return " ".join(named[:2]).lower(), options


STOPS = frozenset(
    "the and for not you with that this are was but have from all can its now one out use into run"
    " just don dont your what when then than there their them they will would should could has had"
    " been were our mine any some more most only also too very here how why who which make mad get"
    " got let see set put add new old file fil code cod line lin thing please pleas need want like"
    " look work try first next last still same other again befor after about over under without"
    " does did do done doing agent said say end ended calls bash read edit writ true false null"
    " none".split()
)
