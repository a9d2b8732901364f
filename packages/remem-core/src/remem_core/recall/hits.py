"""What a question gets: an episode, its words, and why it was chosen."""

from dataclasses import dataclass

from remem_core.recall.score import Parts


@dataclass(frozen=True)
class Hit:
    """An episode that answers a question. `text` are the words themselves, quoted.

    `times` counts the near-duplicates that it stands for, itself among them.
    """

    id: str
    kind: str
    title: str
    text: str
    score: float
    parts: Parts
    at: str
    project: str | None
    session: str | None
    agent: str | None
    ref: str | None
    times: int = 1
