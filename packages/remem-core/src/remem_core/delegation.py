"""What the owner lets the agent do alone: asked, told to act; acted, stopped; by kind of action.

For the owner's eyes: agents that were shown it asked more often.
"""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from remem_core.surprise.corrections import strip_fillers
from remem_core.surprise.cues import cues, plain
from remem_core.surprise.failures import is_reader, is_shell
from remem_core.surprise.words import own_words, unquoted
from remem_protocol import Correction, Event, Handback

OTHER, EDIT = "other", "edit"
_DENSE = "\u0900"  # scripts from here on glue words to what stands before them, or don't part them
_LETTER = "A-Za-z0-9_\u00c0-\u052f"
_CALLS = re.compile(r"(?:\A|\n)\[calls\] (.*)\Z", re.DOTALL)
_CALL = re.compile(r"(?:\A|, )([\w.-]+)\(")
# Where the verb comes last, what it acts on stands before it: German and Dutch questions, Japanese,
# Korean, Hindi.
_VERB_LAST = re.compile(
    r"\b(?:soll|darf|kann|zal|moet|mag|kan) (?:ich|ik)\b|[\u0900-\u097f\u3040-\u30ff\uac00-\ud7af]"
)
_PROPOSING = frozenset({"ExitPlanMode", "exit_plan_mode", "update_plan"})  # a plan is no action
_STOPPED_BY = ("refusal", "steering")


@dataclass(frozen=True)
class Row:
    """One kind of action. `told` counts of the `asked` those that the person told to act,
    `declined` those that they declined; `stopped` counts what was done and was stopped.
    """

    kind: str
    asked: int = 0
    told: int = 0
    declined: int = 0
    stopped: int = 0


@dataclass
class _Count:
    asked: int = 0
    told: int = 0
    declined: int = 0
    stopped: int = 0


@dataclass
class Tally:
    """Counts hand-backs and stops as they come; the order makes no difference."""

    _kinds: dict[str, _Count] = field(default_factory=dict)

    def add(self, event: Event) -> None:
        """Take in an event; those that say nothing of delegation are passed over."""
        match event:
            case Handback(act="offer" | "waiting"):
                count = self._of(kind_asked(event.action or ""))
                count.asked += 1
                count.told += tells_to_act(event)
                count.declined += event.answer == "declined"
            case Correction(candidate=False) if event.cause in _STOPPED_BY:
                if (kind := kind_done(event.agent_did or "")) is not None:
                    self._of(kind).stopped += 1

    def rows(self) -> tuple[Row, ...]:
        """Return the kinds that were seen, the most frequent first."""
        rows = (Row(k, c.asked, c.told, c.declined, c.stopped) for k, c in self._kinds.items())
        return tuple(sorted(rows, key=lambda row: (-row.asked - row.stopped, row.kind)))

    def _of(self, kind: str) -> _Count:
        return self._kinds.setdefault(kind, _Count())


def tally(events: Iterable[Event]) -> tuple[Row, ...]:
    """Return what the events say of delegation, the most frequent kind first."""
    counted = Tally()
    for event in events:
        counted.add(event)
    return counted.rows()


def tells_to_act(answer: Handback) -> bool:
    """Say whether the person's answer is a go, be it with a sigh that it was asked for."""
    if answer.answer != "corrected":
        return answer.answer == "approved"
    own = plain(own_words(answer.said or ""))
    opening = strip_fillers(own)
    if cues("answer", "declined").opens(opening):
        return False
    return bool(cues("answer", "corrected").find(own) or cues("answer", "approved").opens(opening))


def kind_asked(words: str) -> str:
    """Return what kind of action an agent's words ask a go for."""
    text = plain(unquoted(words))
    found = [(m.start(), kind) for kind, rule in _rules("asked") for m in rule.finditer(text)]
    return (max if _VERB_LAST.search(text) else min)(found, default=(0, OTHER))[1]


def kind_done(agent_did: str) -> str | None:
    """Return what kind of action an agent's last call was, None where no call is told of.

    `agent_did` as the detectors write it: the calls stand at its end.
    """
    calls = _CALLS.search(agent_did)
    if calls is None:
        return None
    starts = list(_CALL.finditer(calls[1]))
    if not starts:
        return OTHER
    if starts[-1][1] in _PROPOSING:
        return None
    tool, given = starts[-1][1], calls[1][starts[-1].end() :]
    if is_shell(tool):
        return next((kind for kind, rule in _rules("ran") if rule.search(given)), OTHER)
    return OTHER if is_reader(tool) or not _edits(tool) else EDIT


def _edits(tool: str) -> bool:
    return re.search(r"edit|write|patch|replace|create", tool, re.IGNORECASE) is not None


@cache
def _rules(table: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    loaded: dict[str, Any] = tomllib.loads(
        (files(__package__) / "delegation.toml").read_text("utf-8")
    )
    compiled = _compile_words if table == "asked" else _compile_lines
    return tuple((kind, compiled(rules)) for kind, rules in loaded[table].items())


def _compile_words(rules: list[str]) -> re.Pattern[str]:
    starts = [rule for rule in rules if rule.lstrip("(?:")[:1] < _DENSE]
    dense = [rule for rule in rules if rule not in starts]
    return re.compile("|".join([f"(?<![{_LETTER}])(?:{'|'.join(starts)})", *dense]))


def _compile_lines(rules: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(rules))
