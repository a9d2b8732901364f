"""The agent's own admissions: in the first person, something was not as it had believed or said."""

from remem_core.surprise.cues import cues, plain
from remem_core.surprise.words import clip, prose, sentences, unquoted

_READ = 8000  # characters of a reply that are read: readers clip it there
_LONGEST = 600  # characters of a statement that are kept


def find_statement(text: str) -> str | None:
    """Return the sentence that admits a surprise, with the one after it, or None."""
    if not cues("stated", "gate").gate(plain(text[:_READ])):
        return None
    parts = sentences(prose(text[:_READ]))
    words = ["", *(plain(unquoted(part)) for part in parts), ""]
    for at in range(len(parts)):
        if _admits(words[at], words[at + 1], words[at + 2]):
            return clip(" ".join(parts[at : at + 2]), _LONGEST - 100, 90)
    return None


def _admits(before: str, words: str, after: str) -> bool:
    if not cues("stated", "gate").gate(words) or cues("stated", "not").find(words):
        return False
    if cues("stated", "explicit").find(words):
        return True
    if cues("stated", "concession").opens(words) and (
        cues("stated", "fault").find(words) or cues("stated", "fault").find(after)
    ):
        return True
    if (own := cues("stated", "own").find(words)) is not None:
        rest = f"{words[own.end() :]} {after}"
        contradiction = cues("stated", "contradiction")
        if contradiction.find(rest) or contradiction.find(before):
            return True
    if cues("stated", "outcome").find(words):
        return own is not None or cues("stated", "own").find(after) is not None
    return False
