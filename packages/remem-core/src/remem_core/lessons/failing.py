"""What of a failed call's output says what went wrong, and which failures could teach anything."""

import re

LINE_CHARACTERS = 300
_M, _I = re.MULTILINE, re.IGNORECASE
# The line that names the failure, the surest sign first.
_NAMING = (
    re.compile(r"^(?:E\s+)?[\w.]*(?:Error|Exception|Refused|NotFound)\b\s*[:(]"),
    re.compile(r"^(?:\w[\w .-]{0,30}: )?(?:fatal|error|ERR!|panic|failed)\b[ :\[]", _I),
    re.compile(
        r"command not found|no such file|not found|permission denied|no matches|unknown option"
        r"|unrecognized|invalid|cannot|can't|could not|must be|is required|denied|unexpected",
        _I,
    ),
)
_SENTENCE = re.compile(r"[A-Z][a-z]*(?: \S+){3}")
_TAG = re.compile(r"</?tool_use_error>")
# A test run that found failing tests did what it was asked to; so did a linter with findings.
_OUTCOME = re.compile(
    r"={3,} .*\b(?:test session starts|FAILURES|short test summary)\b|\b\d+ (?:failed|failing)\b"
    r"|^--- FAIL:|^FAIL\s|\btest result: FAILED|\bTests:\s+\d+ failed|\bFound \d+ errors?\b"
    r"|\b\d+ problems? \(\d+ errors?|\b\d+ issues?:",
    _M,
)


def telling_line(failure: str) -> str:
    """Return the one line of an output that says what went wrong.

    Where none has a known sign: the first if it is a sentence, as tools of agents write them, else
    the last, as programs do.
    """
    lines = [line.strip() for line in _TAG.sub("", failure).splitlines() if line.strip()]
    for naming in _NAMING:
        for line in lines if naming is _NAMING[-1] else reversed(lines):
            if naming.search(line):
                return line[:LINE_CHARACTERS]
    if not lines:
        return ""
    return lines[0 if _SENTENCE.match(lines[0]) else -1][:LINE_CHARACTERS]


def is_an_outcome(failure: str) -> bool:
    """Tell whether a call failed because it reports findings: tests that fail, lint, a build.

    That is what such a call is for; that it happens again teaches nothing.
    """
    return _OUTCOME.search(failure) is not None


def what_changed(call: str, fixed: str) -> str:
    """Return what a call that worked was given otherwise than the one that failed.

    A command line is returned whole; of arguments in JSON, which may be cut, the short ones that
    differ, as `name: value`. Nothing when these tell no difference.
    """
    if not fixed.startswith("{"):
        return fixed
    before = set(_ARGUMENT.findall(call))
    given = [pair for pair in _ARGUMENT.findall(fixed) if pair not in before]
    return ", ".join(f"{name}: {value}" for name, value in given)


_ARGUMENT = re.compile(r'"(\w+)":\s*("(?:[^"\\]|\\.){1,60}"|true|false|-?\d+(?:\.\d+)?)(?=[,}])')
