"""The small linear models: what they look at, their weights, and how sure they are.

One is for corrections, three answer what the rules for admissions and failures leave open. It
runs on numpy alone. Where the owner's embedder has the space it was trained in, it also reads
the vectors of the message and of the reply; elsewhere a second set of weights does without.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remem_core.embed import Embedder
    from remem_core.surprise.judging import Judge

__all__ = ["open_judge"]


def open_judge(embedder: "Embedder | None" = None) -> "Judge":
    """Return the models with the weights that fit an embedder, None being no embedder."""
    from remem_core.surprise.model.linear import LinearJudge
    from remem_core.surprise.model.trained import TrainedJudge
    from remem_core.surprise.model.weights import load_weights

    by_words = LinearJudge(load_weights("words"))
    with_vectors = load_weights("vectors")
    if embedder is not None and with_vectors.facts.space == embedder.space:
        return TrainedJudge(LinearJudge(with_vectors, embedder, by_words))
    return TrainedJudge(by_words)
