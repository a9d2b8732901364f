"""What a correction wants and what it doesn't, and which of it a moment shows.

"pnpm, not npm": a call that says pnpm has learned already, one that says npm has not. What the
agent had done is what wasn't wanted; what the person names beyond it is mostly what was.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from remem_core.prime.moment import Corrected
from remem_core.prime.wording import identifiers, stems

_CLAUSE = re.compile(r"[,.;:!?—–()\n]+|\s-\s|\b(?:but|sondern|mais|sino|pero|mas|ma|maar|ale|но)\b")
_NOT = re.compile(
    r"\b(?:not?|never|don'?t|doesn'?t|can'?t|won'?t|without|instead of|rather than|stop|isn'?t"
    r"|nothing|hands off|off limits|nicht|kein\w*|nie|niemals|ohne|statt|nichts|pas|jamais|sans"
    r"|aucun\w*|plutôt que|nunca|sin|jamás|não|sem|non|mai|senza|niet"
    r"|geen|nooit|zonder|nie|bez|zamiast|не|нельзя|без|никогда)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Wish:
    """The words of corrections: what is wanted, and what was done or isn't wanted."""

    wanted: frozenset[str]
    unwanted: frozenset[str]
    names: frozenset[str]  # wanted, and spelled like code
    bad_names: frozenset[str]


@lru_cache(maxsize=2048)
def wish_of(sources: tuple[Corrected, ...]) -> Wish:
    """Return what the sources of a lesson want between them."""
    wanted: set[str] = set()
    unwanted: set[str] = set()
    names: set[str] = set()
    bad: set[str] = set()
    for source in sources:
        unwanted |= stems(source.agent_did)
        bad |= identifiers(source.agent_did)
        for clause in _CLAUSE.split(source.said):
            no = _NOT.search(clause)
            good, ill = (clause, "") if no is None else (clause[: no.start()], clause[no.end() :])
            wanted |= stems(good)
            unwanted |= stems(ill)
            bad |= identifiers(ill)
        names |= identifiers(source.said)
    return Wish(
        frozenset(wanted - unwanted), frozenset(unwanted), frozenset(names - bad), frozenset(bad)
    )
