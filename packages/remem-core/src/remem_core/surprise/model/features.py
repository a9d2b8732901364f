"""A message and what it answers, as numbers: the same ones in training and at run time.

Four bags of hashed n-grams (the message's characters and words, the reply's words, the message's
words told apart by how the reply handed back), a short row of named signs, and, where there is an
embedder, the vectors of both texts. Raised VERSION: the weights must be trained again.
"""

import itertools
import math
import re
import zlib
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from remem_core.surprise.corrections import is_question, strip_fillers
from remem_core.surprise.cues import Cues, cues, plain
from remem_core.surprise.judging import Heard
from remem_core.surprise.words import own_words

VERSION = 1
BUCKETS = 1 << 16
BAGS = ("characters", "words", "reply", "answer")

_SAID = 400  # characters of a message whose n-grams count, and that are embedded
_WORDED, _WORDS = 600, 80  # characters and words of a message that are cut into words
_REPLY = 400  # characters of a reply's end that are cut into words
CLOSING = 700  # of a reply's end that are looked at
_EMBEDDED = 300  # of these that are embedded: as good as 700, in half the time
_NGRAMS = (2, 3, 4, 5)
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*|[?!.…]+|[^\w\s]")
_DONE = re.compile(r"\b(?:done|all (?:tests|checks) pass|fixed|committed|pushed|ready)\b")
_LISTS = (
    ("correction", "opening"),
    ("correction", "contrary"),
    ("correction", "pointed"),
    ("correction", "complaint"),
    ("answer", "corrected"),
    ("answer", "approved"),
    ("answer", "declined"),
    ("person", "asking"),
    ("person", "consent"),
)
# Signs that follow rules which were written with the training texts in view. There they are right
# more often than elsewhere, so training holds them down.
CUE_SIGNS = frozenset({"cue"} | {f"{name}.{how}" for _, name in _LISTS[:7] for how in ("in", "on")})


@dataclass(frozen=True)
class Features:
    """One message: its bags of buckets, its signs (in the order of `sign_names`), its texts."""

    bags: dict[str, NDArray[np.int64]]
    signs: NDArray[np.float64]
    said: str
    closing: str


def features_of(heard: Heard) -> Features:
    """Return the features of one message."""
    own = own_words(heard.text)
    words = plain(own)
    said, opening = words[:_SAID], strip_fillers(words[:_SAID])
    tokens = _WORD.findall(words[:_WORDED])[:_WORDS]
    reply = plain(heard.reply[-CLOSING:])
    grams = _ordered(tokens)
    bags = {
        "characters": _characters(said),
        "words": grams,
        "reply": _pairs(_WORD.findall(reply[-_REPLY:])[:_WORDS]),
        "answer": {f"{heard.act}|{gram}" for gram in grams},
    }
    signs = _cue_signs(heard, said, opening) | _plain_signs(heard, own, said, reply)
    return Features(
        bags={name: _hashed(bag) for name, bag in bags.items()},
        signs=np.array([signs[name] for name in sign_names()]),
        said=own[:_SAID],
        closing=heard.reply[-_EMBEDDED:],
    )


@cache
def sign_names() -> tuple[str, ...]:
    """Return the names of the signs, in order."""
    heard = Heard(text="", via="prompt", reply="", act=None, cue=False)
    return tuple(sorted(_cue_signs(heard, "", "") | _plain_signs(heard, "", "", "")))


def _cue_signs(heard: Heard, said: str, opening: str) -> dict[str, float]:
    signs = {"cue": float(heard.cue)}
    for table, name in _LISTS:
        rules: Cues = cues(table, name)
        signs[f"{name}.on"] = float(rules.opens(opening) or rules.opens(said))
        signs[f"{name}.in"] = float(rules.find(said) is not None)
    return signs


def _plain_signs(heard: Heard, own: str, said: str, reply: str) -> dict[str, float]:
    """Return the signs of length, marks, pastes and the reply; all about 0 to 1."""
    count = len(_WORD.findall(own))
    pasted = 1 - len(own) / max(1, len(heard.text.strip()))
    mine, theirs = set(_WORD.findall(said)), set(_WORD.findall(reply))
    letters = sum(c.isalpha() and not c.isascii() for c in said)
    signs: dict[str, float | bool] = {
        "act.none": heard.act is None,
        "act.offer": heard.act == "offer",
        "act.waiting": heard.act == "waiting",
        "act.question": heard.act == "question",
        "asks": is_question(said),
        "question mark": "?" in said,
        "length": math.log1p(count) / 4,
        "short": count <= 4,
        "long": count > 60,
        "pasted share": pasted,
        "some pasted": pasted > 0.1,
        "all pasted": len(own) < 3,
        "no reply": not heard.reply.strip(),
        "reply's length": math.log1p(min(CLOSING, len(heard.reply))) / 7,
        "shared words": len(mine & theirs) / max(3, len(mine)),
        "says done": _DONE.search(reply) is not None,
        "exclaims": "!" in said,
        "image": "[image" in heard.text.lower(),
        "link": "http" in heard.text,
        "code": "`" in heard.text,
        "path": "/" in said,
        "lines": "\n" in own,
        "dots": ".." in said,
        "other letters": letters > 0.1 * len(said),
    }
    return {name: float(value) for name, value in signs.items()}


def _characters(text: str) -> set[str]:
    text = f" {' '.join(text.split())} "
    return {f"{n}{text[i : i + n]}" for n in _NGRAMS for i in range(len(text) - n + 1)}


def _pairs(tokens: list[str]) -> set[str]:
    return set(tokens) | {f"{a} {b}" for a, b in itertools.pairwise(tokens)}


def _ordered(tokens: list[str]) -> set[str]:
    """Return words and pairs, and how a message begins and ends."""
    starts = {"^" + " ".join(tokens[:n]) for n in range(1, 5)}
    return _pairs(tokens) | starts | {"$" + token for token in tokens[-1:]}


def _hashed(bag: set[str]) -> NDArray[np.int64]:
    """Return the buckets, sorted: sums must not depend on a set's order."""
    buckets = {zlib.crc32(gram.encode("utf-8", "replace")) % BUCKETS for gram in bag}
    return np.array(sorted(buckets), dtype=np.int64)
