"""The agent's own admissions: in the first person, something was not as it had believed or said."""

from remem_core.surprise.cues import cues, plain
from remem_core.surprise.judging import Judge
from remem_core.surprise.words import clip, prose, sentences, unquoted

_READ = 8000  # characters of a reply that are read: readers clip it there
_LONGEST = 600  # characters of a statement that are kept


def find_statement(text: str, judge: Judge | None = None) -> str | None:
    """Return the sentence that admits a surprise, with the one after it, or None.

    Where no rule says so of any sentence, the judge is asked about those that may.
    """
    if not cues("stated", "gate").gate(plain(text[:_READ])):
        return None
    parts = sentences(prose(text[:_READ]))
    words = ["", *(plain(unquoted(part)) for part in parts), ""]
    places = _gated(words)
    found = next((at for at in places if _admits(*words[at : at + 3])), None)
    if found is None and judge is not None:
        going_on = cues("stated", "going_on")
        asked = (at for at in places if not going_on.opens(words[at + 1]))
        found = next((at for at in asked if judge.admits(_passage(words, at))), None)
    if found is None:
        return None
    return clip(" ".join(parts[found : found + 2]), _LONGEST - 100, 90)


def _passage(words: list[str], at: int) -> str:
    return f"{words[at + 1]} {words[at + 2]}".strip()


def _gated(words: list[str]) -> list[int]:
    """Return the places of the sentences that may admit something; a blank is at either end."""
    gate = cues("stated", "gate")
    return [at for at in range(len(words) - 2) if gate.gate(words[at + 1])]


def _admits(before: str, words: str, after: str) -> bool:
    if cues("stated", "not").find(words):
        return False
    if cues("stated", "opening").opens(words) or cues("stated", "explicit").find(words):
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
