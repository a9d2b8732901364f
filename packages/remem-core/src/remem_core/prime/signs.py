"""Signs of what a reply does and of what a person wants of replies, as signs.toml lists them."""

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

from remem_core.surprise.cues import plain
from remem_core.surprise.handbacks import closing_of, judge_closing
from remem_core.surprise.words import sentences
from remem_protocol import Act

Table = Literal["reply", "stance", "prompt"]
# What a person can want of replies; a `[stance]` table in signs.toml for each.
STANCES = ("go", "askfirst", "verify", "finish", "selfrun", "manner")

_LETTER = "A-Za-z0-9_\u00c0-\u052f\u0600-\u06ff\u0900-\u097f"
CALLS_MARK = "[calls]"  # before what the agent called, in `agent_did` as the detectors write it
# An agent speaks of itself.
_SPEAKS = re.compile(
    r"\W*(?:(?:ok|okay|done|sure|alright|yes)\W+)?"
    r"(?:i|i['’](?:ve|ll|m|d)|we|ich|wir|j['’]ai|je|nous|he|hemos|eu|ho|abbiamo|ik|я|мы)\b",
    re.IGNORECASE,
)
# How a reply's end is told in the third person: "Ended with: …", in any language's words.
_TOLD = re.compile(
    r"\s*(?:ended|ending|endete|schloss|a fini|finissait|se termin\w+|termina\w*|termin[óo]u?"
    r"|acab[óo]u?|finì|finiva|eindigde|zakończył\w*|закончил\w*|завершил\w*|最後に|结束时|마지막에)"
    r"\b[^:：\n]{0,24}[:：]\s*",
    re.IGNORECASE,
)
_TAIL = 900


@lru_cache(maxsize=4096)
def signs(table: Table, text: str) -> frozenset[str]:
    """Return the names of the signs that a text shows."""
    words = plain(text[-_TAIL:])
    return frozenset(name for name, rule in _rules(table) if rule.search(words))


def names(table: Table) -> tuple[str, ...]:
    """Return the names of a table's signs, in the order of the file."""
    return tuple(name for name, _ in _rules(table))


@lru_cache(maxsize=4096)
def ending_of(did: str) -> str | None:
    """Return the words of a reply, where it is one that is told of or quoted; else None.

    Either told ("Ended with: …"), or quoted as the detectors do, before the calls; what stands in
    the past without a subject ("Renamed the column") tells of an act and not of a reply.
    """
    if match := _TOLD.match(did):
        return _without_calls(did[match.end() :])
    words, mark, _ = did.partition(CALLS_MARK)
    if mark or _SPEAKS.match(did) or act_of(did) is not None:
        return words.strip() or None
    return None


@lru_cache(maxsize=4096)
def doing_of(did: str) -> str | None:
    """Return what an agent did beside saying something: its calls, or the act that is told of."""
    _, mark, calls = did.partition(CALLS_MARK)
    if mark:
        return calls.strip() or None
    return None if ending_of(did) is not None else did.strip() or None


def _without_calls(text: str) -> str:
    return text.partition(CALLS_MARK)[0].strip()


@lru_cache(maxsize=4096)
def act_of(reply: str) -> Act | None:
    """Return how a reply hands back, None when it doesn't."""
    judged = judge_closing(reply)
    return judged[0] if judged else None


@lru_cache(maxsize=4096)
def tail_of(reply: str) -> str:
    """Return the sentences in which a reply ends."""
    return " ".join(closing_of(reply)) or reply[-_TAIL:]


@cache
def _rules(table: Table) -> tuple[tuple[str, re.Pattern[str]], ...]:
    lists = tomllib.loads((files(__package__) / "signs.toml").read_text("utf-8"))[table]
    return tuple((name, _compile(rules)) for name, rules in lists.items())


def _compile(rules: list[str]) -> re.Pattern[str]:
    return re.compile(
        f"(?<![{_LETTER}])(?:{'|'.join(r for r in rules)})|"
        + ("|".join(r for r in rules if r[0] >= "\u3000") or "(?!)")
    )


@lru_cache(maxsize=1024)
def asks_only(prompt: str) -> bool:
    """Say whether a prompt asks to be told something, and nothing to be done.

    Every sentence has to ask, unless one says that nothing is to be changed.
    """
    if "unchanged" in signs("prompt", prompt):
        return True
    return all("asks" in signs("prompt", sentence) for sentence in sentences(prompt))
