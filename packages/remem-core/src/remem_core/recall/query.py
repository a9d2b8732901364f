"""What a question asks for: identifiers exactly, other words by the keyword index.

Codenames, paths, flags, versions and error codes are found as phrases: the index splits them at
their punctuation, and only their order tells `amber-raven-00123` from its decoys.
"""

import re
from dataclasses import dataclass

# English words that stand in nearly every text: they cost time and rank nothing.
STOP_WORDS = frozenset(
    "a about an and any are as at be been but by can could did do does for from had has have how"
    " i if in into is it its me my no not of on or our should so some than that the their them"
    " then there these they this those to too was we were what when where which who whom whose"
    " why will with would you your".split()
)
_TOKEN = re.compile(r"[^\W_]+(?:[-_./:@#+~=\\][^\W_]+)*", re.UNICODE)
_QUOTED = re.compile(r"[\"“«]([^\"“”«»]{2,200})[\"”»]")
_JOINT = re.compile(r"[-_./:@#+~=\\]")
MAX_TERMS = 64


@dataclass(frozen=True)
class Query:
    """A parsed question: `phrases` are lists of words in order, `words` stand alone."""

    text: str
    phrases: tuple[tuple[str, ...], ...]
    words: tuple[str, ...]

    @property
    def exact(self) -> str | None:
        """FTS5 expression of the phrases alone, None without any."""
        return " OR ".join(map(_phrase, self.phrases)) or None

    @property
    def any_word(self) -> str | None:
        """FTS5 expression of every phrase and word, None when nothing can be searched."""
        terms = [*map(_phrase, self.phrases), *(_quote(w) for w in self.words)]
        return " OR ".join(terms) or None

    def within(self, gate: str) -> str:
        """FTS5 expression: must match the gate; every word counts for the rank."""
        return f"({gate}) AND ({self.any_word})"


def parse_query(text: str) -> Query:
    """Split a question into phrases and words; stop words go unless nothing else is left."""
    phrases, words, common = [], [], []
    for quoted in _QUOTED.findall(text):
        phrases.append(tuple(_split(quoted)))
    for token in _TOKEN.findall(text):
        parts = _split(token)
        if len(parts) > 1:
            phrases.append(tuple(parts))
        elif token.casefold() in STOP_WORDS:
            common.append(token)
        else:
            words.append(token)
    unique = [p for p in dict.fromkeys(phrases) if p][:MAX_TERMS]
    chosen = list(dict.fromkeys(words))[:MAX_TERMS]
    if not unique and not chosen:
        chosen = list(dict.fromkeys(common))[:MAX_TERMS]
    return Query(text=text, phrases=tuple(unique), words=tuple(chosen))


def _split(text: str) -> list[str]:
    """Split as the index does: at everything that is no letter, mark or digit."""
    return re.findall(r"[^\W_]+", _JOINT.sub(" ", text), re.UNICODE)


def _phrase(parts: tuple[str, ...]) -> str:
    return '"' + " ".join(parts) + '"'


def _quote(word: str) -> str:
    return f'"{word}"'
