"""What a shell's command line runs: its programs with their subcommands, without what only shows.

No shell is emulated: quotations, here-documents, pipes and the usual wrappers are understood as far
as two lines must be compared.
"""

import re
from dataclasses import dataclass

_HEREDOC = re.compile(
    r"<<-?\s*(['\"]?)(\w+)\1([^\n]*)\n(.*?)(?:\n\s*\2\s*(?=[\n);]|\Z)|\Z)", re.DOTALL
)
_QUOTED = re.compile(r"'[^']*+'|\"(?:[^\"\\]|\\.)*+\"", re.DOTALL)
_PART = re.compile(r"&&|\|\|?|;|\n|(?<![>&\d])&(?![>&\d])")
_REDIRECTION = re.compile(r"\d?>{1,2}\s*(?:&\d|\S+)|&>\s*\S+|<\s*\S+")
_MARK = re.compile(r"\x00(\d+)\x00")  # in place of a quotation or a document
_WORD = re.compile(r"\w+")
_BARE = re.compile(r"[a-z][a-z0-9_:-]*\Z")
_SETS = re.compile(r"[A-Za-z_]\w*=")
# Before the program that is meant; and those that take a script, which is what is run.
_WRAPPERS = frozenset(
    {"sudo", "time", "env", "nohup", "exec", "command", "npx", "bunx", "timeout", "nice", "xargs",
     "then", "do", "else", "if", "while", "!", "(", "{"}
)  # fmt: skip
_RUNNERS = {"uv": "run", "poetry": "run", "pdm": "run", "pipenv": "run", "bundle": "exec"}
_INTERPRETERS = frozenset(
    {"python", "python3", "node", "ruby", "perl", "bash", "sh", "zsh", "deno", "bun", "tsx", "php"}
)
# What shows, waits or goes somewhere: no failure is of these alone once something else was run.
_ASIDE = frozenset(
    {"cd", "ls", "cat", "head", "tail", "echo", "printf", "grep", "rg", "sed", "awk", "wc", "sort",
     "uniq", "cut", "tr", "pwd", "export", "set", "source", ".", "sleep", "true", "false", "which",
     "fi", "done", "for", "test", "[", "tee", "less", "find", "mkdir", "unset", "wait", "column"}
)  # fmt: skip
# How much is said of what is done, not what is done.
_SHOWING = re.compile(
    r"(?<=\s)(?:-v+|-q+|-s|-x|--verbose|--quiet|--silent|--tb[= ]\w+|--no-header|--color[= ]\w+)"
    r"(?=\s|\Z)"
)
_HELP = re.compile(r"(?<=\s)(?:--help|-h|help|--version)(?=\s|\Z)")
_WRITES = re.compile(
    r"\bsed\b[^|;&\n]* -[a-zA-Z]*i|\bperl\b[^|;&\n]* -[a-z]*i|\btee\b|\bpatch\b|"
    r"(?<![0-9&=>-])>{1,2}\s*(?!/dev/|&)[\w./~$\"'-]|"
    r"\bgit (?:apply|checkout|restore|stash|revert|reset|merge|pull|rebase|cherry-pick|am)\b|"
    r"\b(?:mv|cp|rm|ln|install|chmod|mkdir|touch|kill|pkill)\b|\b(?:write_text|writeFile\w*)\b|"
    r"open\([^)\n]*['\"][wa]b?['\"]"
)


@dataclass(frozen=True)
class Command:
    """One part of a line that does something.

    `words` are those beside program, subcommand and options, `names` the last parts of paths and
    addresses; `plain` is the part as it was written, without what shows less or more of it.
    """

    program: str
    subcommand: str
    words: frozenset[str]
    names: frozenset[str]
    plain: str

    @property
    def asks_for_help(self) -> bool:
        """Say whether the program only tells how it is used."""
        return _HELP.search(self.plain) is not None


def commands(line: str) -> tuple[Command, ...]:
    """Return what a command line runs, in order; what only shows counts when it is all there is."""
    bodies: list[str] = []
    line = _HEREDOC.sub(lambda m: _kept(bodies, m[4], m[3]), line)
    line = _QUOTED.sub(lambda m: _kept(bodies, m[0], ""), line)
    found = [c for part in _PART.split(line) if (c := _command(part, bodies)) is not None]
    done = [c for c in found if c.program not in _ASIDE]
    return tuple(done or [c for c in found if c.program not in ("cd", "echo", "sleep")])


def writes(line: str) -> bool:
    """Say whether a command line seems to change files, or what else runs."""
    return _WRITES.search(line) is not None


def _kept(bodies: list[str], body: str, rest: str) -> str:
    """Put a mark for a text that is no part of the line's grammar."""
    bodies.append(body)
    return f" \x00{len(bodies) - 1}\x00 {rest}"


def _command(part: str, bodies: list[str]) -> Command | None:
    part = _REDIRECTION.sub(" ", part)
    plain = _MARK.sub(lambda m: bodies[int(m[1])], _SHOWING.sub("", part))
    words = part.replace("(", " ").replace(")", " ").split()
    program, rest = _program(words)
    if not program:
        return None
    subcommand = _subcommand(rest)
    words = [w for w in plain.split()[1:] if not w.startswith("-")]
    told = frozenset(_WORD.findall(" ".join(words).lower())) - {program.lower(), subcommand}
    # A text of several words is prose or a program, and what has a dot in it names no file.
    single = _MARK.sub(
        lambda m: bodies[int(m[1])] if len(bodies[int(m[1])].split()) < 2 else "", part
    )
    names = frozenset(n for w in single.split()[1:] if w[0] != "-" and (n := _name(w.lower())))
    return Command(program, subcommand, told, names, " ".join(plain.split()))


def _subcommand(rest: list[str]) -> str:
    """Return the first plain word; before it may stand options, each with a path or number."""
    option = False
    for n, word in enumerate(rest):
        if _BARE.match(word):
            return _subcommand(rest[n + 1 :]) or word if word == "run" else word
        if not (option or word.startswith("-")):
            return ""
        option = word.startswith("-")
    return ""


def _name(word: str) -> str:
    """Return the last part of a word that is a path or an address, "" of others."""
    word = word.strip("'\"`,;()").rstrip("/")
    return word.rsplit("/", 1)[-1] if "/" in word or "." in word else ""


def _program(words: list[str]) -> tuple[str, list[str]]:
    """Return what is run, under the wrappers and interpreters, and the words after it."""
    while words:
        first, words = words[0].rsplit("/", 1)[-1], words[1:]
        if first in _WRAPPERS or _SETS.match(first) or first.isdigit():
            continue
        if _RUNNERS.get(first, "") in words[:1]:
            words = words[1:]
            continue
        if first in _INTERPRETERS:
            return _script(first, words)
        return first.strip("\x00"), words
    return "", []


def _script(interpreter: str, words: list[str]) -> tuple[str, list[str]]:
    for n, word in enumerate(words):
        if word == "-m" and n + 1 < len(words):
            return words[n + 1], words[n + 2 :]
        if not word.startswith("-"):
            inline = word.startswith("\x00")
            return (interpreter, []) if inline else (word.rsplit("/", 1)[-1], words[n + 1 :])
    return interpreter, []
