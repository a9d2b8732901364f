"""What a judge is asked and answers: the seam between the rules and the models."""

from dataclasses import dataclass
from typing import Literal, Protocol

from remem_protocol import Act, Call, Via

Blame = Literal["error", "environment"]


@dataclass(frozen=True)
class Heard:
    """A person's message with what it answers. `cue` says what the rules made of it."""

    text: str
    via: Via
    reply: str
    act: Act | None
    cue: bool


@dataclass(frozen=True)
class Opinion:
    """How likely a message corrects, in percent, and what follows (EVT-044, EVT-045)."""

    percent: int
    corrects: bool = False
    candidate: bool = False


class Judge(Protocol):
    """Something that is asked where rules are not sure; the same question, the same answer."""

    def judge(self, heard: Heard) -> Opinion:
        """Say how likely a message corrects the agent."""

    def admits(self, words: str) -> bool:
        """Say whether a passage of an agent's `plain` words, unquoted, admits a surprise."""

    def fails(self, call: Call, text: str) -> bool:
        """Say whether a call failed whose output no rule knows and no host has judged."""

    def blames(self, call: Call, text: str) -> Blame:
        """Say whose failure it is, of a call that failed in a way that no rule knows."""


# Of a hundred messages with a cue, and of a hundred refusals with words that don't ask, so many
# were labelled corrections among the real turns to learn from.
CUE_PERCENT, REFUSED = 85, Opinion(80, corrects=True)


class CuesAlone:
    """The judge without a model: what a rule says is so, and nothing else."""

    def judge(self, heard: Heard) -> Opinion:
        """Take the rules' word."""
        return by_cue(heard.cue)

    def admits(self, words: str) -> bool:
        """Take the rules' silence for a no."""
        return False

    def fails(self, call: Call, text: str) -> bool:
        """Take the rules' silence for a no."""
        return False

    def blames(self, call: Call, text: str) -> Blame:
        """Take what looks like nothing else for a mistake."""
        return "error"


def by_cue(cue: bool) -> Opinion:
    """Return what the rules alone make of a message."""
    return Opinion(CUE_PERCENT, corrects=True) if cue else Opinion(0)
