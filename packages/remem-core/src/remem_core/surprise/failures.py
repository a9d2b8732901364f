"""What a call's failure was: the agent's mistake, the machine's state, a probe, or the person's no.

The host's status comes first, then the command (a probe may fail, that is its answer), then the
text of the output. Texts lie: a log that is read, a test that is called `test_denied`, a grep for
"error". So the text of a call that the host calls fine only counts where a runner or compiler
gives its verdict, and a tool that reads is never judged by what it read.
"""

import re
from typing import Literal

from remem_core.surprise.outcomes import outcomes
from remem_protocol import Call

Verdict = Literal["ok", "error", "environment", "refused", "interrupted", "collateral", "missing"]

_HEAD, _TAIL = 600, 900  # characters of an output that are judged
_SHORT = 600  # characters of an output that may be no more than an error
_OPENING = 300  # of a tool's that is no shell: its own message comes first
_QUOTED = re.compile(r"'[^']*+'|\"[^\"]*+\"")
# A command line first goes where it works; a log says of most tests that they passed.
_ENTERED = re.compile(r"^(?:(?:cd \S+|set -[a-z]+|[A-Z_]+=\S*) ?(?:&&|;|\n)? *)+")
_PASSED = re.compile(
    r"^\s*(?:\(pass\)|ok\b|PASS\b|--- PASS|✓|✔|√).*$", re.MULTILINE | re.IGNORECASE
)
_VERDICT_WORDS = ("fail", "error", "traceback", "err!", "not found", "could not compile")
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
_EXIT_LINE = re.compile(
    r"^\s*\(?(?:Process )?exit(?:ed)?(?: with)?(?: code| status)?:? *(-?\d{1,3})"
    r"(?:, no output)?\)?(?=\s|\Z)",
    re.IGNORECASE | re.MULTILINE,
)


def judge_call(call: Call) -> Verdict:
    """Judge one call with its result."""
    status = call.result.status
    if status in ("refused", "interrupted", "collateral", "missing"):
        return status
    text = _ends(call.result.text)
    if status == "ok":
        return _judge_fine(call, text)
    if is_refusal(call, text):
        return "refused"
    if outcomes("interrupted").open(text):
        return "interrupted"
    if outcomes("collateral").open(text):
        return "collateral"
    if status == "unknown" and not _has_failed(call, text):
        return "ok"
    return _blame(call, text)


def is_shell(tool: str) -> bool:
    """Say whether a tool runs command lines."""
    return tool.lower() in _SHELLS


def is_refusal(call: Call, text: str) -> bool:
    """Say whether an output begins as a host words the person's no (formats §1.6, §2.5, §3)."""
    if call.tool.startswith("mcp__"):  # a server chooses its words: only a whole short one counts
        return len(text) < 200 and outcomes("refused_by_server").open(text)
    return outcomes("refused").open(text)


def _judge_fine(call: Call, text: str) -> Verdict:
    """Judge what the host calls fine: a pipe or a `|| true` may have hidden how it ended.

    It shows in a runner's verdict, and in a short output that begins with a program's own error.
    """
    if not is_shell(call.tool) or _tolerates(call):
        return "ok"
    if len(text) < _SHORT and outcomes("own_error").open(text):
        return _blame(call, text)
    if not _gives_verdict(text) or _shows(call):
        return "ok"
    return _blame(call, text)


def _has_failed(call: Call, text: str) -> bool:
    """Say whether a call failed that no host has judged."""
    if call.tool.lower() in _READERS:
        return outcomes("reading").open(text)
    if _tolerates(call):
        return False
    codes = {int(code) for code in _EXIT_LINE.findall(text)}
    if codes:
        return codes != {0}
    if not text:
        return is_shell(call.tool) and _is_probe(call)
    if is_shell(call.tool) and _shows(call):
        return outcomes("own_error").are_in(text)
    if is_shell(call.tool) and _gives_verdict(text):
        return True
    said = text if is_shell(call.tool) else text[:_OPENING]
    if outcomes("success").are_in(text):
        return False
    return any(outcomes(name).are_in(said) for name in ("failed", "environment", "mistake"))


def _gives_verdict(text: str) -> bool:
    lower = text.lower()  # a few substring searches spare nearly every output the long one
    return any(word in lower for word in _VERDICT_WORDS) and outcomes("verdict").are_in(text)


def _blame(call: Call, text: str) -> Verdict:
    """Say whose failure it is, of a call that failed."""
    if outcomes("mistake").are_in(text):
        return "error"
    if _is_probe(call) or outcomes("environment").are_in(_PASSED.sub("", text)):
        return "environment"
    return "error"


def _is_probe(call: Call) -> bool:
    command = _ENTERED.sub("", call.input[:400].strip()) if is_shell(call.tool) else ""
    if outcomes("probe").are_in(command):
        return True
    if outcomes("runs").are_in(command):
        return False  # "check whether the tests pass": if they don't, something is wrong
    return outcomes("asks").are_in(call.description[:120]) and len(call.result.text) < 400


def _shows(call: Call) -> bool:
    """Say whether every part of a command line only shows what is there."""
    parts = _PARTS.split(_QUOTED.sub("", call.input[:400]).strip())
    return all(outcomes("shows").open(part.strip()) for part in parts)


def _tolerates(call: Call) -> bool:
    rules = outcomes("tolerates")
    return rules.are_in(call.input[-400:]) or rules.are_in(call.description[:120])


def _ends(text: str) -> str:
    text = text.strip()
    return text if len(text) <= _HEAD + _TAIL else f"{text[:_HEAD]}\n{text[-_TAIL:]}"
