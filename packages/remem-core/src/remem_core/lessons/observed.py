"""Whether a sentence that a model wrote may tell a lesson: it observes, and says no more than the
sources do. What is refused costs nothing, for the quote is told instead; what is let through stands
in the owner's list and before agents. So these rules refuse too much rather than too little.
"""

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Protocol

from remem_core.lessons.sources import Source
from remem_core.surprise.cues import plain
from remem_core.surprise.words import REMEM_START, sentences
from remem_protocol import Lesson

WORDS, CHARACTERS = 30, 240  # that a sentence has at most; a script without spaces has a third
REWORDED = ("error", "surprise")  # never a correction: the owner's words are theirs
_FOUNDED = 0.5  # of the telling words that stand in the sources, too
_CONTINUED = r"[^\W_]"
_DENSE = "\u3000"  # from here on scripts don't part words
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
# Where a clause may begin: after a mark, or after a word that joins two.
_CLAUSE = re.compile(
    r"(?:[.!?…:;,()–—]|\s-)\s+|[。！？、，：；]|[\"“”„«»‘'`(\[]|(?:^|\s)(?:and|so|then|therefore|thus|hence"
    r"|instead|but|or|just|und|also|oder|y|et|ou|e|o|en|dus|i|ve|и|та)\s+"
)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
# A name that only a source can have told: a path, a flag, an identifier, a word in capitals.
_NAME = re.compile(
    r"(?<!\S)--?\w[\w-]*|[\w.-]*[/\\][\w./\\-]+|\w+(?:[._:@#$=]\w+)+|\w*_\w*|\b[a-z]+[A-Z]\w*|\b[A-Z]{2,}\w*"
)
_QUOTED = re.compile(r"[\"“„«`]([^\"”“»`]+)[\"”“»`]|(?<!\w)['‘]([^'’]+)['’](?!\w)")
_CAPITAL = re.compile(r"(?<=[\w,;:)] )[A-Z][\w-]*")
_FORBIDDEN = re.compile(
    r"://|\bwww\.|<!--|-->|\]\(|```|\bremem\b|\[redacted|</?\w|\{\{|\bhttps?\b|data:|javascript:",
    re.IGNORECASE,
)


class Worder(Protocol):
    """Something that may word what sources say; None when it can't."""

    def word(self, sources: Sequence[Source]) -> str | None:
        """Return a sentence, unchecked."""


def reword(lesson: Lesson, sources: Sequence[Source], worder: Worder) -> str | None:
    """Return a sentence that may stand for a lesson's quotes, None when they are to be told.

    Who stores it marks the lesson's wording as a model's.
    """
    if lesson.kind not in REWORDED or lesson.wording == "owner" or not sources:
        return None
    said = worder.word(sources)
    if said is None or refusal(said, sources) is not None:
        return None
    return said.strip()


def refusal(sentence: str, sources: Sequence[Source]) -> str | None:
    """Return why a sentence may not tell what the sources say, None when it may."""
    text = sentence.strip()
    if not text or any(unicodedata.category(c)[0] == "C" for c in text):
        return "no line of text"
    if _FORBIDDEN.search(text) or REMEM_START in text:
        return "a mark or an address in it"
    if _is_long(text):
        return "too long"
    if len(sentences(text)) != 1:
        return "more than a sentence"
    if is_instruction(text):
        return "an instruction"
    told = " \n ".join(part for s in sources for part in (s.tool, s.said, s.did, s.fixed) if part)
    return _added(text, told)


def is_instruction(text: str) -> bool:
    """Say whether a text, or a clause of it, tells somebody what to do, in any of the languages."""
    words = plain(text)
    if _rules("modal").search(words):
        return True
    return any(_rules("opening").match(clause.strip()) for clause in _CLAUSE.split(words) if clause)


def _is_long(text: str) -> bool:
    dense = sum(c >= _DENSE for c in text)
    return len(text) + 2 * dense > CHARACTERS or len(text.split()) + dense / 3 > WORDS


def _added(text: str, told: str) -> str | None:
    """Return what a text adds to what was told, None for nothing."""
    known = " ".join(told.casefold().split())
    numbers = set(_NUMBER.findall(told))
    if not set(_NUMBER.findall(text)) <= numbers:
        return "a number that no source has"
    names = [*_NAME.findall(text), *_CAPITAL.findall(text)]
    names += [a or b for a, b in _QUOTED.findall(text)]
    for name in names:
        if " ".join(name.casefold().split()).rstrip(".") not in known:
            return "a name that no source has"
    return None if _is_founded(text, known) else "words that no source has"


def _is_founded(text: str, known: str) -> bool:
    """Say whether enough of the telling words begin as a word of the sources does."""
    stems = {word[:5] for word in _WORD.findall(known)}
    telling = [w for w in _WORD.findall(text.casefold()) if len(w) > 3 and w not in _plain_words()]
    if not telling:
        return any(c >= _DENSE for c in text) and _shares_pairs(text, known)
    return sum(word[:5] in stems for word in telling) >= _FOUNDED * len(telling)


def _shares_pairs(text: str, known: str) -> bool:
    """Do the same by pairs of letters, for scripts that don't part words."""
    dense = "".join(c for c in text.casefold() if c >= _DENSE and c.isalnum())
    pairs = [dense[i : i + 2] for i in range(len(dense) - 1)]
    return bool(pairs) and sum(pair in known for pair in pairs) >= _FOUNDED * len(pairs)


@cache
def _plain_words() -> frozenset[str]:
    """Words that tell how things hang together, and nothing of what they are."""
    return frozenset(
        "agent tool call command call calls fails failed failure error errors because when while"
        " with without that this what which were been have does into from after before until again"
        " only still then there their returned gave given found turned instead rather than worked"
        " works result happened caused".split()
    )


@cache
def _rules(table: str) -> re.Pattern[str]:
    loaded = tomllib.loads((files(__package__) / "observed.toml").read_text("utf-8"))[table]
    rules = [rule for language in loaded.values() for rule in language]
    parted = [rule for rule in rules if rule.lstrip("(?:[")[:1] < _DENSE]
    dense = [rule for rule in rules if rule not in parted]
    return re.compile("|".join([f"(?<!{_CONTINUED})(?:{'|'.join(parted)})", *dense]))
