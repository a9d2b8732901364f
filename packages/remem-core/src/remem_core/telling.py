"""How an event is told: its heading, the words that are searched, the words that are embedded.

The owner's words are quoted, never paraphrased; what is added names the tool or the act.
"""

import re

from remem_protocol import (
    Correction,
    Environment,
    Event,
    Failure,
    Handback,
    Note,
    SessionSummary,
    Surprise,
    parse_time,
)

HEADING_CHARACTERS = 100
# The arguments that name what a call is about, the most telling first. A stored call may be cut,
# so its JSON is searched, not decoded.
_TELLING = ("file_path", "path", "notebook_path", "url", "pattern", "query", "command", "prompt")
_GIVEN = re.compile(r'"(\w+)":\s*"((?:[^"\\]|\\.){1,200})"')
EMBEDDED_CHARACTERS = 2_000  # the model reads 256 tokens; more is never looked at

# Spelled here, because the C library's names follow the owner's locale, and an index must not.
_WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_MONTHS = (
    "January February March April May June July August September October November December"
).split()


def heading(event: Event) -> str:
    """Return one line that names the event to a person, at most 100 characters."""
    match event:
        case Correction(said=""):
            line = f"refused: {_first_line(event.agent_did or 'a call')}"
        case Correction():
            line = _first_line(event.said)
        case Failure() | Environment():
            about = event.description or target(event.call) or event.failure
            line = f"{event.tool}: {_first_line(about)}"
        case Surprise():
            line = _first_line(event.statement)
        case Note():
            line = _first_line(event.text)
        case SessionSummary():
            line = _first_line(event.gist)
        case Handback():
            line = f"{event.act}, {event.answer}: {_first_line(event.action or event.said or '')}"
    return line if len(line) <= HEADING_CHARACTERS else line[: HEADING_CHARACTERS - 1] + "…"


def words(event: Event) -> str:
    """Return the words themselves: what the person said, what failed, what was noted."""
    match event:
        case Correction():
            return event.said
        case Failure() | Environment():
            return event.failure
        case Surprise():
            return event.statement
        case Note():
            return event.text
        case SessionSummary():
            return event.gist
        case Handback():
            return event.said or ""


def searched(event: Event) -> tuple[str, str]:
    """Return (title, body) for the keyword index; no word stands in both for one reason only."""
    match event:
        case Correction():
            return event.agent_did or "", event.said
        case Failure() | Environment():
            about = [event.tool, event.description, event.call]
            return "\n".join(part for part in about if part), event.failure
        case Handback():
            return event.action or "", event.said or ""
        case _:
            return "", words(event)


def dated(at: str) -> str:
    """Return a time as people write and ask for it: `Monday 8 May 2023 2023-05-08`."""
    weekday, month = _WEEKDAYS[parse_time(at).weekday()], _MONTHS[int(at[5:7]) - 1]
    return f"{weekday} {int(at[8:10])} {month} {at[:4]} {at[:10]}"


def embedded(event: Event) -> str:
    """Return the text whose vector stands for the event: a correction's is the words alone."""
    match event:
        case Correction():
            text = event.said or event.agent_did or ""
        case _:
            text = "\n".join(part for part in searched(event) if part)
    return text[:EMBEDDED_CHARACTERS]


def target(call: str | None) -> str:
    """Return what a call was about: the command itself, or the file, address or pattern given."""
    call = call or ""
    if not call.startswith("{"):
        return call
    found = {name: value for name, value in _GIVEN.findall(call) if value}
    return next((found[name] for name in _TELLING if name in found), call)


def _first_line(text: str) -> str:
    return next((" ".join(line.split()) for line in text.splitlines() if line.strip()), "")
