"""Who said what, and once: the person's and the agent's words come on two channels.

The model's channel also holds harness texts that no list knows yet. So what it has for the
person's words waits until the agent acts: if the screen's channel told of them, or ever did, its
account is the one that counts.
"""

from typing import Literal

from remem_agents.turns import TurnQueue
from remem_protocol import PersonTurn, Via

_Channel = Literal["model", "screen"]


class Speech:
    """Puts the person's words among the turns, and says which of the agent's are news."""

    def __init__(self, turns: TurnQueue, *, programs: bool) -> None:
        self._turns = turns
        self._programs = programs
        self._waiting: list[PersonTurn] = []
        self._on_screen = False
        self._agent_on_screen = False
        self._last_said = ("", "")
        self._at_work = False
        self._prompted = False
        self._acted = False
        self._interrupts_reply = False

    # A task is what the agent does for one prompt

    def begin_task(self) -> None:
        """The agent begins to work on a prompt."""
        if self._at_work:  # the last task's end is missing
            self.end_task()
        self._at_work = True

    def end_task(self) -> None:
        """The agent has stopped working, or was stopped."""
        self._at_work = self._prompted = self._acted = False

    def agent_acts(self) -> None:
        """The agent speaks or calls: what the person said before it is said."""
        waiting, self._waiting = self._waiting, []
        for turn in waiting:
            self._say(turn.text, turn.at)
        self._acted = self._prompted

    def interrupted_reply(self) -> bool:
        """Whether the person spoke since this was last asked."""
        interrupts, self._interrupts_reply = self._interrupts_reply, False
        return interrupts

    # The person

    def heard_by_model(self, text: str, at: str) -> None:
        """A message in the person's name went to the model."""
        if not self._on_screen:
            self._waiting.append(PersonTurn(at=at, text=text))

    def seen_on_screen(self, text: str | None, at: str) -> None:
        """A message of the person was shown; None when none of its text was typed."""
        self._on_screen = True
        self._waiting.clear()
        if text is not None:
            self._say(text, at)

    def _say(self, text: str, at: str) -> None:
        steers = self._at_work and self._prompted and self._acted
        via: Via = "steering" if steers else "prompt"
        self._prompted = True
        self._interrupts_reply = True
        if not self._programs:
            self._turns.person(PersonTurn(at=at, text=text, via=via))

    # The agent

    def is_news(self, text: str, *, on_screen: bool) -> bool:
        """Whether a text of the agent was not told on the other channel already."""
        channel: _Channel = "screen" if on_screen else "model"
        if on_screen:
            self._agent_on_screen = True
        elif self._agent_on_screen:
            return False
        said, self._last_said = self._last_said, (channel, text)
        return not (said[1] == text and said[0] != channel)
