"""A command line, taken apart far enough to compare two: programs, subcommands, flags, arguments.

This is no shell. It has to be right about which program does what, and never to fail.
"""

import re
import shlex
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import PurePosixPath

from remem_core.surprise.outcomes import outcomes

_PARTS = re.compile(r"\s*(?:&&|\|\||[;\n]|\|(?!\|))\s*")
_QUOTED = re.compile(r"'[^']*+'|\"(?:[^\"\\]|\\.)*+\"")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=\S*")
# Programs that run another one: (words of their own that may follow, as flags with a value)
_WRAPPERS = frozenset(
    {"sudo", "env", "time", "nohup", "nice", "npx", "bunx", "uvx", "xargs", "exec", "timeout",
     "stdbuf", "command", "then", "do", "watch"}
)  # fmt: skip
_RUNNERS = {"uv": "run", "poetry": "run", "pipenv": "run", "conda": "run", "pnpm": "exec",
            "bundle": "exec", "docker": "exec", "hatch": "run", "pdm": "run"}  # fmt: skip
_VALUED = frozenset({"-n", "-C", "-m", "-u", "-c", "-J", "-i", "--group", "--with", "-s", "-p"})
_SHORT_BUNDLE = re.compile(r"-[A-Za-z]{2,4}\Z")
_SHOWS = re.compile(
    r"(?:\S*/)?(?:\S+ )*?(?:--help|--version|-h|help)\Z"
    r"|(?:npm|pip|uv|cargo|brew|gem|conda|pnpm|yarn)"
    r" (?:list|ls|show|info|view|search|tree|outdated)\b"
    r"|git (?:branch(?: -\S+)?\Z|tag(?: -l.*)?\Z|remote|fetch|rev-parse|shortlog|config --get)"
    r"|terraform\b(?: -\S+)* (?:plan|show|validate|output|state list)"
    r"|helm (?:list|status|template|get)|gh \S+ (?:view|list|diff|checks|status)"
    r"|docker (?:ps|images|inspect)|aws \S+ (?:ls|list|describe)\S*"
    r"|kubectl\b(?: -\S+(?: (?!get|logs|describe)\S+)?)*"
    r" (?:get|logs|describe|config get|rollout status|top|explain)\b"
    r"|systemctl (?:status|show)|which\b|type\b|stat\b"
    r"|file\b|pgrep\b|date\b|pwd\b|id\b|uname\b|hostname\b|nproc\b|free\b|sha256sum\b|diff\b|cmp\b"
    r"|(?:psql|mysql|sqlite3|bq)\b.{0,80}?['\"]\s*(?:select|explain|show|describe)\b(?!.*\b(?:into|delete|drop|update)\b)",
    re.IGNORECASE,
)


# What a program of any name is asked when nothing is to change; not where such a word may be the
# name of a file.
_LOOKS = frozenset(
    {"list", "ls", "status", "show", "describe", "inspect", "info", "view", "devices", "help",
     "get-contexts", "history", "log", "logs", "diff", "version", "ps", "top", "tree", "whoami",
     "which", "outdated", "search", "check-ignore", "blame"}
)  # fmt: skip
_LOOKING_FLAGS = frozenset({"--help", "--version", "--dry-run", "-list", "--list-tests"})
_TAKE_NAMES = frozenset(
    {"rm", "mv", "cp", "mkdir", "rmdir", "touch", "ln", "chmod", "chown", "tar", "zip", "unzip",
     "dd", "tee", "sed", "python", "python3", "node", "bash", "sh", "make", "rsync", "scp",
     "convert", "mogrify", "shred", "truncate", "open"}
)  # fmt: skip


@dataclass(frozen=True)
class Invocation:
    """One program with what it is given."""

    program: str
    words: tuple[str, ...]  # arguments that are no flags, in order; the first may be a subcommand
    flags: frozenset[str]
    assigned: frozenset[str]  # VAR=value before it
    runner: str  # what runs it: uv, conda, sudo …; "" for none
    text: str

    @property
    def subcommand(self) -> str:
        """The first word, when it looks like a name and not like a file or a text."""
        first = self.words[0] if self.words else ""
        return first if re.fullmatch(r"[a-z][a-z0-9:_-]{1,24}", first) else ""

    @cached_property
    def only_shows(self) -> bool:
        """Whether it changes nothing."""
        if self.flags & _LOOKING_FLAGS:
            return True
        if self.program not in _TAKE_NAMES and _LOOKS & set(self.words[:2]):
            return True
        return outcomes("shows").open(self.text) or _SHOWS.match(self.text) is not None


@lru_cache(maxsize=1024)
def parse(line: str) -> tuple[Invocation, ...]:
    """Return the invocations of a command line, in order; `cd` is left out."""
    found = (_invocation(part) for part in _parts(line[:2000]))
    return tuple(i for i in found if i is not None and i.program != "cd")


def _parts(line: str) -> list[str]:
    """Split at the operators that stand outside of quotes."""
    hidden = _QUOTED.sub(lambda m: "\x00" * len(m[0]), line)
    parts, start = [], 0
    for match in _PARTS.finditer(hidden):
        parts.append(line[start : match.start()])
        start = match.end()
    parts.append(line[start:])
    return [part.strip() for part in parts if part.strip()]


def _invocation(part: str) -> Invocation | None:
    words = _split(part)
    assigned: set[str] = set()
    runner = ""
    while words:
        head = words[0]
        if _ASSIGNED.fullmatch(head):
            assigned.add(words.pop(0))
        elif head in _WRAPPERS:
            runner = words.pop(0)
            words = _skip_flags(words, numbers=True)
        elif head in _RUNNERS and _RUNNERS[head] in words[1:3]:
            runner = head
            words = _skip_flags(words[words.index(_RUNNERS[head]) + 1 :])
        else:
            break
    if not words:
        return None
    return Invocation(
        program=PurePosixPath(words[0]).name or words[0],
        words=tuple(w for w in words[1:] if not w.startswith("-") or w == "-"),
        flags=frozenset(_flags(words[1:])),
        assigned=frozenset(assigned | {w for w in words[1:] if _ASSIGNED.fullmatch(w)}),
        runner=runner,
        text=part,
    )


def _split(part: str) -> list[str]:
    try:
        return shlex.split(part)
    except ValueError:  # an open quote: still worth comparing
        return part.split()


def _skip_flags(words: list[str], *, numbers: bool = False) -> list[str]:
    while words and (words[0].startswith("-") or (numbers and words[0][:1].isdigit())):
        flag = words.pop(0)
        if flag in _VALUED and words:
            words.pop(0)
    return words


def _flags(words: list[str]) -> list[str]:
    """Return flags without values; `-sm` also as `-s` and `-m`."""
    found = []
    for word in words:
        if not word.startswith("-") or word in ("-", "--"):
            if word == "--":
                found.append(word)
            continue
        found.append(word.partition("=")[0])
        if _SHORT_BUNDLE.match(word):
            found += [f"-{letter}" for letter in word[1:]]
    return found
