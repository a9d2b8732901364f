"""Events and episodes as a person reads them: the words quoted, the rest in few words."""

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


def count_kinds(by_kind: dict[str, int]) -> str:
    """Return `2 corrections, 1 error`, in the order of `NOUNS`."""
    return ", ".join(plural(by_kind[kind], noun) for kind, noun in NOUNS.items() if kind in by_kind)


def hit_lines(hit: "Hit", output: Output) -> Iterator[str]:
    """Yield the short block that tells one hit."""
    where = f" · {printable(hit.project)}" if hit.project else ""
    facts = output.style(f"{hit.at[:10]}{where} · score {hit.score:.2f}", DIM)
    yield f"{output.style(hit.kind, BOLD)} · {facts} · {hit.id[:ID_LETTERS]}"
    text = shorten(hit.text, SHOWN_CHARACTERS)
    if text and hit.kind in QUOTED:
        text = f"“{text}”"
    if hit.kind not in ("correction", "note", "surprise", "session") or not text:
        yield from wrap(hit.title, "  ")
    yield from wrap(text, "  ") if text else ()


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
