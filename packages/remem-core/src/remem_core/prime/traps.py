"""A call that failed against a call about to be made: the same program, the same trap, or the fix.

A failure's text often names what was missing ("needs --features async", `-count=1 needed`). A call
that carries it has learned already; one that is spelled like those that failed has not.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from remem_core.prime.commandline import Invocation, parse
from remem_core.prime.moment import Failed, ToolCall
from remem_core.prime.wording import stems
from remem_core.surprise.failures import is_shell

_QUOTED = re.compile(r"'[^']*+'|\"[^\"]*+\"")
_HINT = re.compile(
    r"(?<![\w-])--?[A-Za-z][\w-]*(?:=[\w./:@,-]+)?|(?<!\w)[A-Z][A-Z0-9_]+=\S+?(?=[)\s;,]|\Z)"
    r"|(?<![\w-])-[A-Z](?= )"
)
_BACKQUOTED = re.compile(r"`([^`\n]{2,80})`")
_TOKEN = re.compile(r"[^\s'\"|;&()]+")
_PATTERN_FIRST = re.compile(r"(?:^|\s)['\"]?-[\w-]+['\"](?:\s|$)|\s'-|\s\"-")
_CAPITALISED = re.compile(r"[A-ZÄÖÜÉ]\w+")
_NAMED_FILE = re.compile(r"[\w-]+\.[a-z]{2,4}")
_EDITOR = re.compile(
    r"(?:rebase -i|rebase --interactive|add -p"
    r"|commit(?! .*(?:-\w*[mFC]\b|--no-edit|--message|--fixup)))\b"
)
_SCREENS = frozenset(
    {"vim", "vi", "nano", "less", "more", "top", "htop", "screen", "minicom", "picocom", "ncdu",
     "tig", "emacs", "nvim"}
)  # fmt: skip
_SERVERS = re.compile(
    r"\b(?:serve|runserver|uvicorn|gunicorn|flask run|streamlit|tensorboard|http\.server|watch)\b"
)


@dataclass(frozen=True)
class Traps:
    """How a call about to be made compares to calls that failed; every number is 0 to 1."""

    tool: float  # the same tool
    program: float  # the same program
    subcommand: float  # and what it is asked to do
    core: float  # share of what all failed calls have in common that is here too
    shape: float  # the same spelling that trips a shell or waits for ever
    reshaped: float  # failed calls share such a spelling, and this one hasn't it
    hinted: float  # the failure names what to add
    obeyed: float  # and it is here
    named: float  # what is new in this call stands in a failure's text
    only_shows: float  # this call changes nothing, and those that failed were no mere looks
    described: float  # words of the description in common

    @property
    def bears(self) -> bool:
        """Whether there is any reason to look further."""
        return bool(self.tool) and (self.program > 0 or self.shape > 0 or self.core >= 0.5)


def compare(call: ToolCall, failed: tuple[Failed, ...]) -> Traps:
    """Compare a call with the failed ones of a lesson."""
    now, before = (
        _invocations(call.tool, call.command),
        [_invocations(f.tool, f.command) for f in failed],
    )
    shapes = _common(shapes_of(f.command) for f in failed)
    mine = shapes_of(call.command)
    hints = frozenset().union(*(hints_of(f) for f in failed))
    pairs = [_pair(now, then) for then in before]
    return Traps(
        tool=float(any(_same_tool(call.tool, f.tool) for f in failed)),
        program=max(p for p, _ in pairs),
        subcommand=max(s for _, s in pairs),
        core=_core(call.command, [f.command for f in failed]),
        shape=float(bool(shapes & mine)),
        reshaped=float(bool(shapes) and not shapes & mine),
        hinted=float(bool(hints)),
        obeyed=float(any(_carries(call.command, now, hint) for hint in hints)),
        named=_named(call.command, failed),
        only_shows=float(
            bool(now)
            and all(i.only_shows for i in now)
            and not all(i.only_shows for then in before for i in then)
        ),
        described=_overlap(
            stems(call.description), frozenset().union(*(stems(f.description) for f in failed))
        ),
    )


@lru_cache(maxsize=2048)
def hints_of(failed: Failed) -> frozenset[str]:
    """Return what a failure, or the call that worked later, names beyond the call that failed."""
    text = failed.failure
    found = {hint.rstrip(".,;)") for hint in _HINT.findall(text)}
    for quoted in _BACKQUOTED.findall(text):
        found.update(_TOKEN.findall(quoted)[:1] if " " not in quoted else _TOKEN.findall(quoted))
    if failed.fixed:
        found.update(_TOKEN.findall(failed.fixed))
    given = set(_TOKEN.findall(failed.command))
    return frozenset(hint for hint in found - given if len(hint) > 1 and hint not in failed.command)


@lru_cache(maxsize=2048)
def shapes_of(command: str) -> frozenset[str]:
    """Return the spellings in a command line that trip a shell or wait for ever."""
    bare = _QUOTED.sub("''", command)
    found = set()
    if re.search(r"[\w/]*(?:\[[\w.-]+\]|\([\w-]+\))[\w/.]*", bare.replace("$(", "")):
        found.add("brackets")
    if _PATTERN_FIRST.search(command) and not re.search(r"\s(?:-\w*e|--)\s", command):
        found.add("dash first")
    if _has_blank_in_name(bare.split()):
        found.add("blank")
    if re.search(r"\"[^\"]*`[^\"]*\"", command):
        found.add("backquotes")
    if re.search(r"\"[^\"]*![^\"]*\"", command):
        found.add("bang")
    for invocation in parse(command):
        found |= _waits(invocation, command)
    return frozenset(found)


def _has_blank_in_name(words: list[str]) -> bool:
    """Say whether two words look like one file's name: `mv Angebot Kessel.pdf sent/`."""
    return any(
        _CAPITALISED.fullmatch(one) and _NAMED_FILE.fullmatch(two) and not before.startswith("-")
        for before, one, two in zip(words, words[1:], words[2:], strict=False)
    )


def _waits(invocation: Invocation, command: str) -> set[str]:
    found: set[str] = set()
    background = command.rstrip().endswith("&") or invocation.runner in ("timeout", "nohup")
    if background:
        return found
    if _EDITOR.search(invocation.text) and invocation.program == "git":
        found.add("editor")
    if invocation.program in _SCREENS:
        found.add("terminal")
    if invocation.flags & {"-f", "--follow", "-w", "--watch"} and invocation.only_shows:
        found.add("endless")
    if invocation.runner == "watch" or _SERVERS.search(invocation.text):
        found.add("endless")
    return found


def _invocations(tool: str, command: str) -> tuple[Invocation, ...]:
    return parse(command) if is_shell(tool) else ()


def _same_tool(one: str, other: str) -> bool:
    return one == other or (is_shell(one) and is_shell(other))


def _pair(now: tuple[Invocation, ...], then: tuple[Invocation, ...]) -> tuple[float, float]:
    """Return (same program, same subcommand) of the likest two invocations."""
    best = (0.0, 0.0)
    for mine in now:
        for theirs in then:
            if mine.program == theirs.program:
                both = mine.subcommand, theirs.subcommand
                same = 1.0 if both[0] and both[0] == both[1] else (0.5 if not all(both) else 0.0)
                best = max(best, (1.0, same))
    return best


def _core(command: str, failed: list[str]) -> float:
    common = _common(frozenset(_TOKEN.findall(f)) for f in failed)
    return len(common & set(_TOKEN.findall(command))) / len(common) if common else 0.0


def _named(command: str, failed: tuple[Failed, ...]) -> float:
    """Say whether this call has a word that no failed call had and that a failure names."""
    before = set().union(*(_TOKEN.findall(f.command) for f in failed))
    told = " ".join(f.failure for f in failed).lower()
    new = (token.lower() for token in set(_TOKEN.findall(command)) - before)
    return float(
        any(
            len(token) > 3 and re.search(rf"(?<!\w){re.escape(token)}(?!\w)", told) for token in new
        )
    )


def _carries(command: str, now: tuple[Invocation, ...], hint: str) -> bool:
    name = hint.partition("=")[0]
    if hint.startswith("-"):
        return any(name in i.flags for i in now) or (len(name) > 2 and name in command)
    return (
        hint in command
        or any(name == a.partition("=")[0] for i in now for a in i.assigned)
        or any(hint in (i.runner, i.program) for i in now)
    )


def _common(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    listed = list(sets)
    return frozenset.intersection(*listed) if listed else frozenset()


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, min(len(one), len(other)))
