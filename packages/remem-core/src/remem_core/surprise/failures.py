"""What a call's failure was: the agent's mistake, the machine's state, a probe, or the person's no.

The host's status comes first, then the command (a probe may fail, that is its answer), then the
text of the output. Texts lie: a log that is read, a test that is called `test_denied`, a grep for
"error". So the text of a call that the host calls fine only counts where a runner or compiler
gives its verdict, and a tool that reads is never judged by what it read.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal

from remem_protocol import Call

Verdict = Literal["ok", "error", "environment", "refused", "interrupted", "collateral", "missing"]

_HEAD, _TAIL = 1500, 1500  # characters of an output that are judged
_OPENING = 300  # of a tool's that is no shell: its own message comes first
_QUOTED = re.compile(r"'[^']*+'|\"[^\"]*+\"")
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


@cache
def _rules(name: str) -> re.Pattern[str]:
    tables = tomllib.loads((files(__package__) / "outcomes.toml").read_text("utf-8"))
    body = "|".join(f"(?:{pattern})" for pattern in tables[name]["any"])
    return re.compile(body, re.MULTILINE | re.IGNORECASE)


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
    if _rules("interrupted").match(text):
        return "interrupted"
    if _rules("collateral").match(text):
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
        return len(text) < 200 and _rules("refused_by_server").match(text) is not None
    return _rules("refused").match(text) is not None


def _judge_fine(call: Call, text: str) -> Verdict:
    """Judge what the host calls fine: a pipe or a `|| true` may have hidden a runner's verdict."""
    if not is_shell(call.tool) or not _rules("verdict").search(text):
        return "ok"
    if _shows(call) or _tolerates(call):
        return "ok"
    return _blame(call, text)


def _has_failed(call: Call, text: str) -> bool:
    """Say whether a call failed that no host has judged."""
    if call.tool.lower() in _READERS:
        return _rules("reading").match(text) is not None
    if _tolerates(call):
        return False
    codes = {int(code) for code in _EXIT_LINE.findall(text)}
    if codes:
        return codes != {0}
    if not text:
        return is_shell(call.tool) and _is_probe(call)
    if is_shell(call.tool) and _shows(call):
        return _rules("own_error").search(text) is not None
    if is_shell(call.tool) and _rules("verdict").search(text):
        return True
    said = text if is_shell(call.tool) else text[:_OPENING]
    if _rules("success").search(text):
        return False
    return any(_rules(name).search(said) for name in ("failed", "environment", "mistake"))


def _blame(call: Call, text: str) -> Verdict:
    """Say whose failure it is, of a call that failed."""
    if _rules("mistake").search(text):
        return "error"
    if _is_probe(call) or _rules("environment").search(text):
        return "environment"
    return "error"


def _is_probe(call: Call) -> bool:
    if is_shell(call.tool) and _rules("probe").search(call.input[:400].strip()):
        return True
    return _rules("asks").search(call.description[:120]) is not None and len(call.result.text) < 400


def _shows(call: Call) -> bool:
    """Say whether every part of a command line only shows what is there."""
    parts = _PARTS.split(_QUOTED.sub("", call.input[:400]).strip())
    return all(_rules("shows").match(part.strip()) for part in parts)


def _tolerates(call: Call) -> bool:
    rules = _rules("tolerates")
    return (rules.search(call.input[-400:]) or rules.search(call.description[:120])) is not None


def _ends(text: str) -> str:
    text = text.strip()
    return text if len(text) <= _HEAD + _TAIL else f"{text[:_HEAD]}\n{text[-_TAIL:]}"
