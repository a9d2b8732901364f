"""Did the person correct the agent? By the words, the reply they answer and their channel."""

from remem_core.surprise.cues import cues, plain
from remem_core.surprise.words import own_words
from remem_protocol import Act, Via

_REACH = 300  # characters of a message in which a correction is put into words


def is_correction(text: str, via: Via, act: Act | None) -> bool:
    """Judge a person's message; `act` is how the reply that it answers had handed back.

    Words given with a refusal correct unless they ask; elsewhere a cue must say so.
    """
    words = plain(own_words(text)[:_REACH])
    if not words:
        return False
    if via == "refusal":
        return not is_question(words)
    opening = strip_fillers(words)
    if cues("correction", "opening").opens(words) or cues("correction", "opening").opens(opening):
        return True
    if act is None and cues("correction", "contrary").opens(opening):
        return not is_question(words)
    if cues("correction", "pointed").find(words):
        return not cues("person", "consent").opens(opening)
    if act == "question" or any(cues("person", k).opens(opening) for k in ("asking", "consent")):
        return False
    return cues("correction", "complaint").find(words) is not None


def is_question(words: str) -> bool:
    """Say whether plain words only ask."""
    return words.rstrip(" )\"'").endswith(("?", "？", "؟"))


def strip_fillers(words: str) -> str:
    """Take `ok, so …` off the start of plain words."""
    return cues("person", "fillers").strip_all(words)
