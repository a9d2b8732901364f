"""The score of a hit, in parts that a person can be shown.

score = 0.6·(relevance + 0.25·context) + 0.25·2^(−age / 30 d) + 0.15·min(strength, 2) / 2, where
relevance is a weighted sum of the true cosine and BM25 over the best BM25 (not rank fusion, which
was measured to be below the better single ranker), and context the better neighbour's relevance.
"""

from dataclasses import dataclass

RELEVANCE, RECENCY, STRENGTH = 0.6, 0.25, 0.15
HALF_LIFE_DAYS = 30.0
# Share of the cosine in relevance: between 0.5 and 0.6 was best on the conversations measured.
COSINE = 0.55
# What the better neighbour in the session lends, as a share of its own relevance; the sum of
# both was measured to cost the best hit its place.
CONTEXT = 0.25
# Mean cosine of unrelated texts, by space: what lies below says nothing.
FLOORS = {"minilm": 0.16, "hashed": 0.05}


@dataclass(frozen=True)
class Parts:
    """Why a hit has its score: each part in 0…1, before weighting."""

    keyword: float
    cosine: float | None
    relevance: float
    recency: float
    strength: float
    context: float = 0.0

    @property
    def score(self) -> float:
        """The weighted sum, in 0…1, and up to 1.15 with what a neighbour lends."""
        near = self.relevance + CONTEXT * self.context
        return RELEVANCE * near + RECENCY * self.recency + STRENGTH * self.strength


def floor_of(space: str) -> float:
    """Return the cosine below which a space's vectors are unrelated (0 for unknown spaces)."""
    return next((v for name, v in FLOORS.items() if space.startswith(name)), 0.0)


def rescale(cosine: float, floor: float) -> float:
    """Map a cosine from floor…1 onto 0…1."""
    return max(0.0, (cosine - floor) / (1.0 - floor))


def parts(
    *, keyword: float, cosine: float | None, typical: float, age_days: float, strength: float
) -> Parts:
    """Combine the parts of one hit.

    `keyword` is BM25 over the best BM25, `cosine` is rescaled, and `typical` stands in for it
    while an episode has no vector yet: neither a bonus nor a punishment.
    """
    near = typical if cosine is None else cosine
    return Parts(
        keyword=keyword,
        cosine=cosine,
        relevance=COSINE * near + (1 - COSINE) * keyword,
        recency=2.0 ** (-max(0.0, age_days) / HALF_LIFE_DAYS),
        strength=min(strength, 2.0) / 2.0,
    )
