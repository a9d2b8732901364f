"""Arguments that several commands share, and how their texts are understood."""

import argparse
import datetime
import re
from typing import Final

_AGO = re.compile(r"(\d{1,5})([dwh])")
_BUDGET = re.compile(r"([1-9][0-9]{0,8})(t?)")
# What tokenizers make of English and code, on average; other scripts take more tokens.
TOKEN_BYTES: Final = 4
LAYERS: Final = ("semantic", "identity", "procedural")
_HOURS: Final = {"h": 1, "d": 24, "w": 24 * 7}


def add_json(parser: argparse.ArgumentParser) -> None:
    """Declare `--json`: stdout carries JSON alone."""
    parser.add_argument("--json", action="store_true", help="answer in JSON, for programs")


def add_agent(parser: argparse.ArgumentParser) -> None:
    """Declare `--agent`: whose format a file has."""
    parser.add_argument(
        "--agent",
        default="auto",
        metavar="NAME",
        help="whose files these are, e.g. claude-code (default: look at the file)",
    )


def moment(text: str) -> datetime.datetime:
    """Read a day, a time or an age (`2026-11-29`, `2026-11-29T08:00`, `36h`, `7d`, `2w`).

    A day or time without a zone is the owner's own.
    """
    if (ago := _AGO.fullmatch(text)) is not None:
        hours = int(ago[1]) * _HOURS[ago[2]]
        return datetime.datetime.now(datetime.UTC) - datetime.timedelta(hours=hours)
    return _point(text, "2026-11-29, 2026-11-29T08:00, 36h, 7d or 2w")


def point(text: str) -> datetime.datetime:
    """Read a day or a time, past or to come; an age would say neither."""
    return _point(text, "2026-11-29 or 2026-11-29T08:00")


def _point(text: str, examples: str) -> datetime.datetime:
    try:
        return datetime.datetime.fromisoformat(text).astimezone(datetime.UTC)
    except (ValueError, OverflowError):
        message = f"not a time: {text!r} (write {examples})"
        raise argparse.ArgumentTypeError(message) from None


def positive(text: str) -> int:
    """Read a whole number from 1."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"not a number from 1 to 10000: {text!r}")
    return int(text)


def kind(text: str) -> str:
    """Read one kind of event."""
    from remem_protocol import EVENT_KINDS

    if text not in EVENT_KINDS:
        raise argparse.ArgumentTypeError(
            f"no such kind: {text!r} (one of {', '.join(EVENT_KINDS)})"
        )
    return text


def layer(text: str) -> str:
    """Read one layer of notes."""
    if text not in LAYERS:
        raise argparse.ArgumentTypeError(f"no such layer: {text!r} (one of {', '.join(LAYERS)})")
    return text


def budget(text: str) -> int:
    """Read a number of bytes, or of tokens as `500t`; return bytes."""
    if (found := _BUDGET.fullmatch(text)) is None:
        message = f"not a budget: {text!r} (write 4000 for bytes, 500t for tokens)"
        raise argparse.ArgumentTypeError(message)
    return int(found[1]) * (TOKEN_BYTES if found[2] else 1)
