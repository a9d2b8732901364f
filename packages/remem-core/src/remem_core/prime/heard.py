"""Corrections as they are compared: taken apart once, however many moments ask about them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from remem_core.prime.moment import Corrected
from remem_core.prime.polarity import Wish, wish_of
from remem_core.prime.signs import act_of, doing_of, ending_of, signs
from remem_core.prime.subject import concepts
from remem_core.prime.wording import stems
from remem_protocol import Act

_NO_NAME = re.compile(r"[^\w./-]+")


@dataclass(frozen=True)
class Heard:
    """What the sources of a lesson say between them."""

    wish: Wish
    said: frozenset[str]  # stems of what the person said
    did: frozenset[str]  # stems of what the agent had done
    said_about: frozenset[str]  # concepts
    did_about: frozenset[str]
    stances: frozenset[str]  # what the person wants of replies
    replied: frozenset[str]  # what the replies did that they answered
    acts: frozenset[Act | None]  # how those handed back
    ended: float  # share that are of a reply
    only_said: float  # share that are of what was said, and of nothing that was done
    said_text: str  # lower case, with single blanks around each name
    did_text: str

    @property
    def about(self) -> frozenset[str]:
        """All concepts that it touches."""
        return self.said_about | self.did_about


@lru_cache(maxsize=4096)
def hear(corrected: tuple[Corrected, ...]) -> Heard:
    """Take corrections apart."""
    endings = [ending_of(one.agent_did) for one in corrected]
    dids = [ending or one.agent_did for ending, one in zip(endings, corrected, strict=True)]
    return Heard(
        wish=wish_of(corrected),
        said=_union(stems(one.said) for one in corrected),
        did=_union(stems(one.agent_did) for one in corrected),
        said_about=_union(concepts(one.said) for one in corrected),
        did_about=_union(concepts(one.agent_did) for one in corrected),
        stances=_union(signs("stance", one.said) for one in corrected),
        replied=_union(signs("reply", did) for did in dids),
        acts=frozenset(act_of(did) for did in dids),
        ended=sum(ending is not None for ending in endings) / len(endings),
        only_said=sum(doing_of(one.agent_did) is None for one in corrected) / len(corrected),
        said_text=_names(one.said for one in corrected),
        did_text=_names(one.agent_did for one in corrected),
    )


def _union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*sets)


def _names(texts: Iterable[str]) -> str:
    return f" {' '.join(_NO_NAME.sub(' ', text.lower()) for text in texts)} "
