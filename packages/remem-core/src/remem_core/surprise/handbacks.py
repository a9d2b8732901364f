"""How a reply handed back to the person, and how the person answered."""

from remem_core.surprise.corrections import is_correction, strip_fillers
from remem_core.surprise.cues import cues, plain
from remem_core.surprise.words import own_words, prose, sentences, unquoted
from remem_protocol import Act, Answer

_CLOSING = 700  # characters of a reply's end in which it hands back
_SENTENCES = 3
_REACH = 160


def closing_of(reply: str) -> list[str]:
    """Return the last sentences of a reply, without code."""
    return sentences(prose(reply[-_CLOSING:]))[-_SENTENCES:]


def judge_closing(reply: str) -> tuple[Act, str] | None:
    """Return how a reply hands back and the words that do, or None.

    The last sentence decides; those before it count when the last is no act of its own.
    """
    for sentence in reversed(closing_of(reply)):
        words = plain(unquoted(sentence))
        if cues("handback", "none").find(words):
            continue
        act = _act_of(words)
        if act is not None:
            return act, sentence
    return None


def _act_of(words: str) -> Act | None:
    asks = words.rstrip(" )*_\"'").endswith(("?", "？", "؟"))
    if cues("handback", "question").find(words):
        return "question"
    if cues("handback", "waiting").find(words) and not asks:
        return "waiting"
    if cues("handback", "offer").find(words):
        return "offer"
    return "question" if asks else None


def judge_answer(text: str, act: Act) -> Answer:
    """Judge how a person's message answers a reply that handed back."""
    own = plain(own_words(text)[:_REACH])
    words = strip_fillers(own)
    if cues("answer", "corrected").find(own):
        return "corrected"
    if act != "question" and (cues("answer", "approved").opens(words) or _signs(text)):
        return "approved"
    if act == "offer" and cues("answer", "declined").opens(words):
        return "declined"
    return "corrected" if is_correction(text, "prompt", act) else "other"


def _signs(text: str) -> bool:
    return cues("answer", "approved_signs").find(text[:8]) is not None
