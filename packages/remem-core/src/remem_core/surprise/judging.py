"""What a judge of corrections is asked and answers: the seam between the rules and the model."""

from dataclasses import dataclass
from typing import Protocol

from remem_protocol import Act, Via


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
    """Something that says how likely a message corrects the agent."""

    def judge(self, heard: Heard) -> Opinion:
        """Give its opinion of one message; the same message always gets the same."""


# Of a hundred messages with a cue, and of a hundred refusals with words that don't ask, so many
# were labelled corrections among the real turns to learn from.
CUE_PERCENT, REFUSED = 85, Opinion(80, corrects=True)


class CuesAlone:
    """The judge without a model: what a rule says is so."""

    def judge(self, heard: Heard) -> Opinion:
        """Take the rules' word."""
        return by_cue(heard.cue)


def by_cue(cue: bool) -> Opinion:
    """Return what the rules alone make of a message."""
    return Opinion(CUE_PERCENT, corrects=True) if cue else Opinion(0)
