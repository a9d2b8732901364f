"""How a lesson is worded: the sources' own words, quoted, never paraphrased (MEM-031, MEM-032).

What is told beside the quotes – how often, in which projects, since when – comes from the lesson's
fields where it is shown: it changes with every source, and the words must not.
"""

import re
from collections.abc import Iterable, Sequence

from remem_core.lessons.failing import telling_line
from remem_core.lessons.sources import Source
from remem_core.surprise.words import clip, own_words, sentences

TEXT_CHARACTERS = 2_000  # what a lesson's text may have (MEM)
SAID, DID, CALL = (260, 80), (160, 60), (160, 0)  # characters of a quote's two ends
QUOTES = 3
_PATH = re.compile(r"(?:[A-Za-z]:)?[\\/]\S+")
CALLS_MARK = "[calls]"  # before what the agent called, in `agent_did` as the detectors write it
# Shorter says too little to be understood alone ("no", "stop"); such a quote comes after others.
TELLING_CHARACTERS = 12


def tell(kind: str, sources: Sequence[Source]) -> str:
    """Return the text of a lesson that rests on these sources, whatever their order.

    The shortest telling quotes first, at most three; what was said twice in the same words once.
    """
    told: dict[str, str] = {}
    for source in sorted(sources, key=_telling):
        told.setdefault(_plain(source), _quote(kind, source))
    return _fitting(list(told.values())[:QUOTES])


def narrowed(text: str, source: Source) -> str:
    """Return a lesson's text with the words that narrowed it below, nothing of it lost."""
    return f"{text}\nbut also: {_quote(source.kind, source)}"[:TEXT_CHARACTERS]


def expected(kind: str, sources: Sequence[Source]) -> str:
    """Return what a lesson on these sources says will happen again."""
    first = min(sources, key=_telling)
    if kind == "correction":
        return f"The person will have to say again: {_quoted(_said(first), SAID)}"
    if kind == "error":
        return f"{first.tool} will fail again with {_quoted(telling_line(first.said), SAID)}"
    return f"The agent will find again: {_quoted(first.said, SAID)}"


def _telling(source: Source) -> tuple[bool, int, tuple[str, str]]:
    said = _said(source) or source.did
    return len(said) < TELLING_CHARACTERS, len(said), source.order


def _plain(source: Source) -> str:
    """Return the words but for case, spaces and the marks at their ends."""
    words = source.item[0] or source.did
    return " ".join(words.casefold().split()).strip(" .,!?…-")


def _quote(kind: str, source: Source) -> str:
    if kind == "correction":
        return _correction(source)
    if kind == "error":
        return _error(source)
    return f"The agent found: {_quoted(source.said, SAID)}"


def _correction(source: Source) -> str:
    did = _quoted(_did(source.did), DID) if source.did.strip() else ""
    said = f"The person said: {_quoted(_said(source), SAID)}"
    return f"{said}, after the agent: {did}" if did else said


def _error(source: Source) -> str:
    called = f" on {_quoted(_aim(source.did), CALL)}" if source.did.strip() else ""
    failed = f"{source.tool} failed{called}: {_quoted(telling_line(source.said), SAID)}"
    return f"{failed}; what worked next: {_quoted(source.fixed, CALL)}" if source.fixed else failed


def _aim(text: str) -> str:
    """Return what a call was about; of a path alone its last part, which the next one shares."""
    return text.rsplit("/", 1)[-1] if _PATH.fullmatch(text) else text


def _did(text: str) -> str:
    """Return how the agent's reply ended and what it called, without what came before."""
    prose, _, calls = text.partition(CALLS_MARK)
    closing = (sentences(prose) or [""])[-1]
    return f"{closing} {CALLS_MARK}{calls}".strip() if calls else closing or text


def _said(source: Source) -> str:
    """Return the person's own words, without what they pasted, unless that is all there is."""
    return (own_words(source.said) if source.kind == "correction" else "") or source.said


def _quoted(text: str, ends: tuple[int, int]) -> str:
    """Return the words on one line in quotation marks, their middle left out when long."""
    return f"“{clip(' '.join(text.split()), *ends)}”"


def _fitting(quotes: Iterable[str]) -> str:
    text = ""
    for quote in quotes:
        longer = f"{text}\n{quote}" if text else quote
        if len(longer) > TEXT_CHARACTERS:
            break
        text = longer
    return text
