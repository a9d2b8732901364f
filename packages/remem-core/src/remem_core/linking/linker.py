"""The facade: scores, cuts, groups and relations of items, in whatever space the embedder has."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from remem_core.embed import Embedder, open_embedder
from remem_core.linking.cuts import CUTS
from remem_core.linking.grouping import group
from remem_core.linking.metric import FILES, VERSION, load_metric
from remem_core.linking.relation import Relation, load_weights, relate
from remem_core.linking.views import Item, Vectors, embed_views


class Linker:
    """Says which items mean the same. A space for which nothing was learned is replaced by
    `hashed`, which finds shared words and has measured cuts."""

    def __init__(self, embedder: Embedder) -> None:
        learned = FILES.get(embedder.space.partition("@")[0])
        if learned is None:
            from remem_core.embed.hashed import HashedEmbedder

            embedder, learned = HashedEmbedder(), "hashed"
        self._embedder = embedder
        self._learned = learned
        self._metric = load_metric(learned)
        self.space = f"link-{learned}@{VERSION}"
        self.dimensions = self._metric.dimensions

    @classmethod
    def open(cls, embedder: Embedder | None = None) -> "Linker":
        """Return the linker of an embedder, by default the one that `REMEM_EMBED` names."""
        return cls(open_embedder() if embedder is None else embedder)

    @property
    def cut(self) -> float:
        """The score from which on two corrections are linked."""
        return self.cut_for("correction")

    def cut_for(self, kind: str) -> float:
        """Return the score from which on two items of a kind are linked."""
        return CUTS[self._learned][kind].score

    def vectors(self, items: Sequence[Item]) -> Vectors:
        """Return what was learned to see of each item: float32, shape (n, d).

        The product of two rows is the score of the two; they may be kept and compared later,
        under the name `space`. A row doesn't depend on the other items.
        """
        return self._metric.map(items, embed_views(items, self._embedder))

    def likeness(self, left: Vectors, right: Vectors) -> NDArray[np.float32]:
        """Return the score of each row of `left` with each of `right`: shape (n, m)."""
        return left @ right.T

    def scores(self, items: Sequence[Item]) -> NDArray[np.float32]:
        """Return the score of each two items: float32, shape (n, n), symmetric, 1 at the most."""
        rows = self.vectors(items)
        return self.likeness(rows, rows)

    def score_pairs(
        self,
        items: Sequence[Item],
        left: Sequence[int] | NDArray[np.intp],
        right: Sequence[int] | NDArray[np.intp],
        vectors: Vectors | None = None,
    ) -> NDArray[np.float32]:
        """Return the scores of items[left[i]] and items[right[i]]; `vectors` if they are known."""
        rows = self.vectors(items) if vectors is None else vectors
        a, b = np.asarray(left, dtype=np.intp), np.asarray(right, dtype=np.intp)
        product: NDArray[np.float32] = np.einsum("ij,ij->i", rows[a], rows[b])
        return product

    def clusters(
        self, items: Sequence[Item], *, kind: str = "correction", vectors: Vectors | None = None
    ) -> list[list[int]]:
        """Return groups of indexes by average linkage at the cut, each item in one.

        The order of the items changes nothing but their numbers.
        """
        rows = self.vectors(items) if vectors is None else vectors
        return group(items, rows, self.cut_for(kind))

    def relation(self, earlier: Item, later: Item) -> Relation:
        """Say how a later wish relates to an earlier one."""
        views = embed_views([earlier, later], self._embedder)
        return relate(earlier, later, views, self._metric, load_weights(self._learned))
