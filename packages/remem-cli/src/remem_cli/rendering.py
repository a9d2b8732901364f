"""Events and episodes as a person reads them: the words quoted, the rest in few words."""

import datetime
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from remem_cli.output import BOLD, DIM, Output, plural, printable, shorten, wrap
from remem_protocol import (
    Correction,
    Environment,
    Event,
    Failure,
    Handback,
    Note,
    SessionSummary,
    Surprise,
)

if TYPE_CHECKING:
    from remem_core import Hit
    from remem_core.recall.timewords import Narrowing

NOUNS: Final = {
    "correction": "correction",
    "error": "error",
    "environment": "outside failure",
    "surprise": "surprise",
    "note": "note",
    "session": "session",
    "handback": "hand-back",
}
QUOTED: Final = ("correction", "note", "handback")
SHOWN_CHARACTERS: Final = 400
ID_LETTERS: Final = 8
_MONTHS: Final = (
    "January February March April May June July August September October November December"
).split()


def count_kinds(by_kind: dict[str, int]) -> str:
    """Return `2 corrections, 1 error`, in the order of `NOUNS`."""
    return ", ".join(plural(by_kind[kind], noun) for kind, noun in NOUNS.items() if kind in by_kind)


def hit_lines(hit: "Hit", output: Output) -> Iterator[str]:
    """Yield the short block that tells one hit."""
    where = f" · {printable(hit.project)}" if hit.project else ""
    times = f" · said {hit.times:,} times" if hit.times > 1 else ""
    facts = output.style(f"{hit.at[:10]}{where}{times} · score {hit.score:.2f}", DIM)
    yield f"{output.style(hit.kind, BOLD)} · {facts} · {hit.id[:ID_LETTERS]}"
    text = shorten(hit.text, SHOWN_CHARACTERS)
    if text and hit.kind in QUOTED:
        text = f"“{text}”"
    if hit.kind not in ("correction", "note", "surprise", "session") or not text:
        yield from wrap(hit.title, "  ")
    yield from wrap(text, "  ") if text else ()


def explanation(hit: "Hit", output: Output) -> Iterator[str]:
    """Yield how a hit's score came about: each part in 0 to 1, beside its weight."""
    from remem_core.recall import score

    part = hit.parts
    cosine = "none yet" if part.cosine is None else f"{part.cosine:.2f}"
    whole = (
        f"score {hit.score:.2f} = {score.RELEVANCE:.2f} × ({part.relevance:.2f} relevance"
        f" + {score.CONTEXT:.2f} × {part.context:.2f} context)"
        f" + {score.RECENCY:.2f} × {part.recency:.2f} recency"
        f" + {score.STRENGTH:.2f} × {part.strength:.2f} strength"
    )
    near = (
        f"relevance {part.relevance:.2f} = {1 - score.COSINE:.2f} × {part.keyword:.2f} keyword"
        f" + {score.COSINE:.2f} × {cosine} cosine"
    )
    yield output.style(f"  {whole}", DIM)
    yield output.style(f"  {near}", DIM)
    if part.cosine is None:
        yield output.style("  (without a vector yet: as near as the others on average)", DIM)


def days(narrowed: "Narrowing") -> str:
    """Return the days of a narrowed search: `23–29 November`, with the year of another one."""
    if narrowed.since is None and narrowed.until is not None:
        return f"before {_day(narrowed.until)}"
    assert narrowed.since is not None
    if narrowed.until is None:
        return f"since {_day(narrowed.since)}"
    last = narrowed.until - datetime.timedelta(days=1)
    if last == narrowed.since:
        return _day(last)
    if (last.year, last.month) == (narrowed.since.year, narrowed.since.month):
        return f"{narrowed.since.day}–{_day(last)}"
    return f"{_day(narrowed.since)} – {_day(last)}"


def _day(day: datetime.date) -> str:
    # Not strftime: its names follow the locale, and these lines are English.
    year = "" if day.year == datetime.datetime.now().astimezone().year else f" {day.year}"
    return f"{day.day} {_MONTHS[day.month - 1]}{year}"


def event_lines(event: Event, output: Output) -> Iterator[str]:
    """Yield a block that tells one event, its long texts shortened."""
    yield f"{output.style(event.kind, BOLD)} · {output.style(event.at[:19] + 'Z', DIM)}"
    for label, text in parts(event):
        yield f"  {label}: {shorten(text, SHOWN_CHARACTERS)}"


def parts(event: Event) -> list[tuple[str, str]]:
    """Return (label, text) of everything an event says, whole."""
    match event:
        case Correction():
            found = [
                ("said", f"“{event.said}”" if event.said else "(refused without a word)"),
                ("cause", event.cause),
                ("the agent had ended with", event.ended),
                ("the agent did", event.agent_did),
            ]
        case Failure() | Environment():
            found = [
                ("tool", event.tool),
                ("meant to", event.description),
                ("call", event.call),
                ("failure", event.failure),
                ("what worked then", event.fixed if isinstance(event, Failure) else None),
            ]
        case Surprise():
            found = [("the agent stated", event.statement)]
        case Note():
            found = _note_parts(event)
        case SessionSummary():
            found = [
                ("about", event.gist),
                ("turns", str(event.turns)),
                ("from", event.started),
                ("to", event.ended),
            ]
        case Handback():
            found = [
                ("the agent's act", event.act),
                ("the agent said", event.action),
                ("answer", event.answer),
                ("said", event.said and f"“{event.said}”"),
            ]
    return [(label, text) for label, text in found if text]


def _note_parts(note: Note) -> list[tuple[str, str | None]]:
    return [
        ("text", f"“{note.text}”"),
        ("layer", note.layer),
        ("comes to mind at", note.trigger),
        ("valid from", note.valid_from),
        ("valid until", note.valid_until),
        ("replaces", note.supersedes),
    ]
