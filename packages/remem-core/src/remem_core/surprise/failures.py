"""What a call's failure was: the agent's mistake, the machine's state, a probe, or the person's no.

The host's status comes first, then the command (a probe may fail, that is its answer), then the
text of the output. Texts lie: a log that is read, a test that is called `test_denied`, a grep for
"error". So the text of a call that the host calls fine only counts where a runner or compiler
gives its verdict, and a tool that reads is never judged by what it read.
"""

import re
from typing import Literal

from remem_core.surprise.judging import CuesAlone, Judge
from remem_core.surprise.outcomes import outcomes
from remem_protocol import Call

Verdict = Literal["ok", "error", "environment", "refused", "interrupted", "collateral", "missing"]

_HEAD, _TAIL = 600, 900  # characters of an output that are judged
_SHORT = 600  # characters of an output that may be no more than an error
_ASKING = 400  # characters of a command's end that may say what it prints when there is nothing
_ANSWERED = 40  # lines of an output's end that may say so
_OPENING = 300  # of a tool's that is no shell: its own message comes first
_QUOTED = re.compile(r"'[^']*+'|\"[^\"]*+\"")
# A command line first goes where it works; a log says of most tests that they passed.
_ENTERED = re.compile(r"^(?:(?:cd \S+|set -[a-z]+|[A-Z_]+=\S*) ?(?:&&|;|\n)? *)+")
_PASSED = re.compile(
    r"^\s*(?:\(pass\)|ok\b|PASS\b|--- PASS|✓|✔|√).*$", re.MULTILINE | re.IGNORECASE
)
_VERDICT_WORDS = (
    "fail", "error", "traceback", "err!", "not found", "could not compile", "issues:", "✖",
)  # fmt: skip
_FAILURES = ("failed", "environment", "mistake")
_PARTS = re.compile(r"&&|\|\|?|;|\n")
_SHELLS = frozenset(
    {"bash", "shell", "local_shell", "run_shell_command", "exec_command", "exec", "container.exec",
     "powershell", "terminal", "execute_command", "run_command", "write_stdin"}
)  # fmt: skip
_READERS = frozenset(
    {"read", "read_file", "read_many_files", "view", "cat", "grep", "glob", "ls", "search",
     "search_file_content", "list_directory", "webfetch", "web_fetch", "websearch", "web_search"}
)  # fmt: skip
# A host's line about the exit, not a program's: `Exit code 1`, `(exit code 1, no output)`.
_FALLBACK = re.compile(r"\|\|\s*\(?\s*(?:echo|printf)\s+(?:\"([^\"]+)\"|'([^']+)'|([^\s;&|()]+))")
_ASKED_CODE = re.compile(r"\b(?:echo|printf)\b[^;|&]*\$\?")
_SAID_CODE = re.compile(r"(?:^|[ :=(])(-?\d{1,3})\)?\s*\Z")
_UNKNOWN_COMMAND = re.compile(r"not found: (\S+)|(\S+): (?:command )?not found(?!:)")
_EXIT_LINE = re.compile(
    r"^\s*\(?(?:Process )?exit(?:ed)?(?: with)?(?: code| status)?:? *(-?\d{1,3})"
    r"(?:, no output)?\)?(?=\s|\Z)",
    re.IGNORECASE | re.MULTILINE,
)

# What a host puts before an output, with the exit code in it: its own flag may not know of it.
_HEADER = re.compile(
    r"\A\s*(?:(?:Chunk ID|Wall time|Command|Directory|Total output lines|Original token count)"
    r"\b[^\n]*\n)*(?:Process )?exit(?:ed)?(?: with)?(?: code| status)?:? *(-?\d{1,3})\b",
    re.IGNORECASE,
)
_METADATA = re.compile(r'\A\s*\{"output":.*"exit_code": ?(-?\d{1,3})\b', re.DOTALL)


def judge_call(call: Call, judge: Judge | None = None) -> Verdict:
    """Judge one call with its result. Where no rule is sure, the judge is asked."""
    status = call.result.status
    if status in ("refused", "interrupted", "collateral", "missing"):
        return status
    text = ends(call.result.text)
    judge = judge or CuesAlone()
    if status == "ok":
        return _judge_fine(call, text, judge)
    if is_refusal(call, text):
        return "refused"
    if outcomes("interrupted").open(text):
        return "interrupted"
    if outcomes("collateral").open(text):
        return "collateral"
    if status == "unknown":
        failed = _has_failed(call, text)
        if failed is None:
            failed = judge.fails(call, text)
        if not failed:
            return "ok"
    return _blame(call, text) or judge.blames(call, text)


def is_shell(tool: str) -> bool:
    """Say whether a tool runs command lines."""
    return tool.lower() in _SHELLS


def is_reader(tool: str) -> bool:
    """Say whether a tool only reads."""
    return tool.lower() in _READERS


def is_refusal(call: Call, text: str) -> bool:
    """Say whether an output begins as a host words the person's no (formats §1.6, §2.5, §3)."""
    if call.tool.startswith("mcp__"):  # a server chooses its words: only a whole short one counts
        return len(text) < 200 and outcomes("refused_by_server").open(text)
    return outcomes("refused").open(text)


def _judge_fine(call: Call, text: str, judge: Judge) -> Verdict:
    """Judge what the host calls fine: a pipe or a `|| true` may have hidden how it ended.

    It shows in the exit code before the output, in a runner's verdict, and in a short output that
    begins with a program's own error.
    """
    if not is_shell(call.tool) or _expects(call):
        return "ok"
    exited = _HEADER.match(text) or _METADATA.match(text)
    if exited is not None and int(exited[1]) != 0:
        return _blame(call, text) or judge.blames(call, text)
    if _answers_no(call, text):
        return "environment"
    if tolerates(call):
        return "environment" if _meets_environment(call, text) else "ok"
    if len(text) < _SHORT and outcomes("own_error").open(text):
        return _blame(call, text) or judge.blames(call, text)
    if _meets_environment(call, text):
        return "environment"
    if only_shows(call) or not _gives_verdict(text):
        return "ok"
    return _blame(call, text) or judge.blames(call, text)


def _answers_no(call: Call, text: str) -> bool:
    """Say whether a command that asks for something prints that it isn't there.

    `ls x || echo none` prints the word that it keeps for this; `test -f x; echo $?` the code.
    """
    if "echo" not in call.input and "printf" not in call.input:
        return False
    command = call.input[-_ASKING:]
    if outcomes("runs").are_in(command):
        return False  # what was made has failed: that is no answer
    lines = {line.strip() for line in text.splitlines()[-_ANSWERED:]}
    for said in _FALLBACK.findall(command):
        if (words := "".join(said).replace("\\n", "").strip()) and words in lines:
            return True
    code = _SAID_CODE.search(text[-20:]) if _ASKED_CODE.search(command) else None
    return code is not None and int(code[1]) != 0 and is_probe(call)


def _meets_environment(call: Call, text: str) -> bool:
    """Say whether a short output holds a program's own line about the machine or the outside."""
    if len(text) >= _SHORT or only_shows(call):
        return False
    return any(
        outcomes("own_error").open(line) and outcomes("environment").are_in(line)
        for line in text.splitlines()
    )


def _has_failed(call: Call, text: str) -> bool | None:
    """Say whether a call failed that no host has judged, None where no rule knows."""
    if is_reader(call.tool):
        return outcomes("reading").open(text)
    if _expects(call):
        return False
    if is_shell(call.tool) and _answers_no(call, text):
        return True
    if tolerates(call):
        return is_shell(call.tool) and _meets_environment(call, text)
    if codes := exit_codes(text):
        return codes != {0}
    if not text:
        return is_shell(call.tool) and is_probe(call)
    if is_shell(call.tool) and only_shows(call):
        return outcomes("own_error").are_in(text)
    if is_shell(call.tool) and _gives_verdict(text):
        return True
    said = text if is_shell(call.tool) else text[:_OPENING]
    if outcomes("success").are_in(text):
        return False
    return any(outcomes(name).are_in(said) for name in _FAILURES) or None


def _gives_verdict(text: str) -> bool:
    lower = text.lower()  # a few substring searches spare nearly every output the long one
    return any(word in lower for word in _VERDICT_WORDS) and outcomes("verdict").are_in(text)


def _blame(call: Call, text: str) -> Verdict | None:
    """Say whose failure it is, of a call that failed; None where no rule knows."""
    if outcomes("mistake").are_in(text) or _is_misquoted(call, text):
        return "error"
    if is_shell(call.tool) and _answers_no(call, text):
        return "environment"
    if is_probe(call) or outcomes("environment").are_in(_PASSED.sub("", text)):
        return "environment"
    if _gives_verdict(text):
        return "error"
    return None


def exit_codes(text: str) -> set[int]:
    """Return the exit codes that a host put into an output."""
    return {int(code) for code in _EXIT_LINE.findall(text)}


def _is_misquoted(call: Call, text: str) -> bool:
    """Say whether the shell took a word between backquotes of a longer text for a command."""
    if "`" not in call.input:
        return False
    unknown = _UNKNOWN_COMMAND.search(text)
    return unknown is not None and f"`{unknown[1] or unknown[2]}" in call.input


def is_probe(call: Call) -> bool:
    """Say whether a call asks whether something is there."""
    command = _ENTERED.sub("", call.input[:400].strip()) if is_shell(call.tool) else ""
    if outcomes("probe").are_in(command):
        return True
    if outcomes("runs").are_in(command):
        return False  # "check whether the tests pass": if they don't, something is wrong
    return outcomes("asks").are_in(call.description[:120]) and len(call.result.text) < 400


def only_shows(call: Call) -> bool:
    """Say whether every part of a command line only shows what is there."""
    parts = _PARTS.split(_QUOTED.sub("", call.input[:400]).strip())
    return all(outcomes("shows").open(part.strip()) for part in parts)


def tolerates(call: Call) -> bool:
    """Say whether a command goes on as if nothing had happened."""
    return outcomes("tolerates").are_in(call.input[-400:])


def _expects(call: Call) -> bool:
    """Say whether a call was made to see something fail."""
    rules = outcomes("expects")
    return rules.are_in(call.input[-400:]) or rules.are_in(call.description[:120])


def ends(text: str) -> str:
    """Return of an output what is judged: all, or how it begins and ends."""
    text = text.strip()
    if len(text) <= _HEAD + _TAIL:
        return text
    # From the start of a line: what a line begins with says whether it counts.
    tail = text[-_TAIL:]
    return "\n".join((text[:_HEAD], tail.partition("\n")[2] or tail))
