"""The judge with every model: each question goes to the one that was trained for it."""

from remem_core.surprise.cues import languages_of
from remem_core.surprise.judging import Blame, Heard, Opinion
from remem_core.surprise.model.linear import LinearJudge
from remem_core.surprise.model.texts import see_outcome, see_passage
from remem_core.surprise.model.verdicts import load_small
from remem_protocol import Call

# The rules that have not held where each model is asked.
_NOT_STATED = frozenset({"explicit", "opening"})
_NOT_BLAMED = frozenset({"mistake", "environment", "verdict"})
_NOT_FAILED = frozenset({"mistake", "environment", "failed", "success"})


class TrainedJudge:
    """The judge that the shipped weights make; those beside corrections load when first needed."""

    def __init__(self, corrections: LinearJudge) -> None:
        self._corrections = corrections

    def judge(self, heard: Heard) -> Opinion:
        """Give its opinion of one message."""
        return self._corrections.judge(heard)

    def admits(self, words: str) -> bool:
        """Say whether a passage admits a surprise. It was taught English, and judges no other."""
        if languages_of(words) != ("en",):
            return False
        return load_small("admissions").says(see_passage(words, _NOT_STATED))

    def fails(self, call: Call, text: str) -> bool:
        """Say whether an output reads like a failure."""
        return not load_small("fine").says(see_outcome(call, text, _NOT_FAILED))

    def blames(self, call: Call, text: str) -> Blame:
        """Say whose failure it reads like."""
        seen = see_outcome(call, text, _NOT_BLAMED)
        return "error" if load_small("blame").says(seen) else "environment"
