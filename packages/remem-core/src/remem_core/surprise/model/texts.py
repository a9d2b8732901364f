"""Hashed n-grams and named signs of two more kinds of text: the agent's admissions, calls' outputs.

Both are judged by rules first. The models answer where no rule is sure, so what they read is kept
small: words and pairs and triples of them, and a short row of signs. Raised VERSION: train again.
"""

import itertools
import re
import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from remem_core.surprise.cues import cues
from remem_core.surprise.failures import exit_codes, is_probe, is_shell, only_shows, tolerates
from remem_core.surprise.outcomes import outcomes
from remem_protocol import Call

VERSION = 1
BUCKETS = 1 << 15
BAGS = {"admissions": ("words",), "blame": ("output", "command"), "fine": ("output", "command")}

PASSAGE = 500  # characters of a passage that are read
_TOKENS = 120
_HEAD, _TAIL = 700, 300  # characters of an output
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[?!.…,:;—-]")
_PART = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
_STATED = ("concession", "fault", "own", "contradiction", "outcome", "not", "explicit", "opening")
_OUTCOMES = ("mistake", "environment", "failed", "verdict", "success", "own_error", "reading")
_TROUBLE = ("error", "fail", "cannot", "unable")
# How a sentence speaks, whatever of: the person, the tense, the turn, the contrast.
_MANNER = {
    name: re.compile(pattern)
    for name, pattern in {
        "first person": r"\b(?:i|i'm|i've|i'd|my|mine)\b",
        "my": r"\bmy\b",
        "i did": r"\bi (?:\w+ly )?(?:\w+ed|was|had|did|put|left|forgot|wrote|gave|made|took|read"
        r"|got|thought|broke|meant|built|saw)\b",
        "i am doing": r"\bi(?:'m| was) \w+ing\b",
        "i should": r"\bi should(?:n't)?\b",
        "let me": r"\blet me\b",
        "i need, i will": r"\bi (?:need|will|'ll|would)\b|\bi'll\b",
        "no": r"n't\b|\bnot\b|\bnever\b|\bno\b",
        "contrast": r"\b(?:but|instead|rather than|actually|only|although|whereas|while)\b",
        "cause": r"\b(?:because|so|since|that's why|which is why)\b",
        "wrong": r"\b(?:wrong|incorrect|mistake|broken?|missed|incomplete|bug|error)\b",
        "starts": r"^(?:wait|oh|ah|oops|hm+|hold on|actually|right|no|sorry|apolog\w+|strange"
        r"|turns|it turns)\b",
        "sees": r"^now i\b|^i see\b",
        "finds": r"^(?:found|that's|there it is)",
        "asks": r"\?",
        "you": r"\byou(?:r|'re)?\b",
        "i, but it": r"\bi\b.*\b(?:but|it|they|isn't|doesn't|is|are)\b",
        "explains": r"[:;—–]",
    }.items()
}

Silent = frozenset[str]


@dataclass(frozen=True)
class Seen:
    """What a model sees of one text: buckets a bag, rule signs and plain signs."""

    bags: dict[str, NDArray[np.int64]]
    rules: NDArray[np.float64]
    signs: NDArray[np.float64]


def see_passage(words: str, silent: Silent = frozenset()) -> Seen:
    """Return what is seen of a passage of `plain` words without quotations.

    `silent` are the rules that are known not to hold: the long ones aren't tried twice.
    """
    words = words[:PASSAGE]
    tokens = _WORD.findall(words)[:_TOKENS]
    grams = _triples(tokens) | {f"{a} _ {b}" for a, b in zip(tokens, tokens[2:], strict=False)}
    grams |= {"^" + " ".join(tokens[:n]) for n in range(1, 5)}
    manner = [float(pattern.search(words) is not None) for pattern in _MANNER.values()]
    return Seen(
        bags={"words": _hashed(grams)},
        rules=np.array([float(name not in silent and _states(name, words)) for name in _STATED]),
        signs=np.array([*manner, min(1.0, len(words) / 300)]),
    )


def see_outcome(call: Call, text: str, silent: Silent = frozenset()) -> Seen:
    """Return what is seen of a call and of the ends of its output; `silent` as above."""
    tokens = _parts(text[:_HEAD])[:160] + _parts(text[_HEAD:][-_TAIL:])[:60]
    given = _parts(call.input[:200])[:40]
    asked = {f"?{gram}" for gram in _pairs(_parts(call.description[:100])[:20])}
    starts = {"^" + " ".join(given[:n]) for n in (1, 2)}
    codes = exit_codes(text)
    signs = (
        is_probe(call),
        only_shows(call),
        tolerates(call),
        is_shell(call.tool),
        bool(codes - {0}),
        codes == {0},
        not text,
        any(word in text.lower() for word in _TROUBLE),
        min(1.0, len(text) / 600),
    )
    return Seen(
        bags={
            "output": _hashed(_triples(tokens)),
            "command": _hashed(_pairs(given) | starts | asked | {f"tool {call.tool.lower()}"}),
        },
        rules=np.array(
            [float(name not in silent and outcomes(name).are_in(text)) for name in _OUTCOMES]
        ),
        signs=np.array([float(sign) for sign in signs]),
    )


def _states(name: str, words: str) -> bool:
    rules = cues("stated", name)
    return rules.opens(words) if name == "opening" else rules.find(words) is not None


def _parts(text: str) -> list[str]:
    """Return the words and marks of a text; every number is the same."""
    return ["0" if part.isdigit() else part for part in _PART.findall(text.lower())]


def _pairs(tokens: list[str]) -> set[str]:
    return set(tokens) | {f"{a} {b}" for a, b in itertools.pairwise(tokens)}


def _triples(tokens: list[str]) -> set[str]:
    three = zip(tokens, tokens[1:], tokens[2:], strict=False)
    return _pairs(tokens) | {" ".join(three_words) for three_words in three}


def _hashed(bag: set[str]) -> NDArray[np.int64]:
    """Return the buckets, sorted: sums must not depend on a set's order."""
    buckets = {zlib.crc32(gram.encode("utf-8", "replace")) % BUCKETS for gram in bag}
    return np.array(sorted(buckets), dtype=np.int64)
