"""The linker as the passes ask it, with its vectors kept beside the episodes.

A source's vector is computed once and stored like any other, in a space of the linker's own: a
cache, rebuilt when it is gone or the linker has changed.
"""

from collections import OrderedDict
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from remem_core.batches import batches
from remem_core.embed import Embedder
from remem_core.lessons.sources import Source
from remem_core.lessons.standing import CUT, load_weights, standing
from remem_core.linking import Linker
from remem_core.sleep.view import Matrix, Relation
from remem_core.store import links
from remem_core.store.connection import Connection

BATCH = 64
HELD = 20_000  # vectors kept in the process


class KeptLikeness:
    """How alike sources are, by the linker of an embedding space."""

    def __init__(self, db: Connection, embedder: Embedder) -> None:
        self._db = db
        self._linker = Linker.open(embedder)
        self._held: OrderedDict[str, npt.NDArray[np.float32]] = OrderedDict()
        self._relations: dict[tuple[str, str], Relation] = {}

    def cut(self, kind: str) -> float:
        return self._linker.cut_for(kind)

    def relation(self, older: Source, newer: Source) -> Relation:
        pair = (older.id, newer.id)
        if pair not in self._relations:
            self._relations[pair] = self._linker.relation(older.item, newer.item)
        return self._relations[pair]

    def keep_pending(self, progress: Callable[[int, int], None], enough: Callable[[], bool]) -> int:
        """Store a vector of each source that has none; return how many, fewer when it is enough."""
        done = 0
        for batch in batches(links.pending(self._db, self._linker.space), BATCH):
            if enough():
                break
            self._keep(batch)
            done += len(batch)
            progress(done, done)
        return done

    def vectors(self, sources: Sequence[Source]) -> Matrix:
        missing = [s for s in sources if s.id not in self._held]
        for part in batches(missing, 500):
            found = links.fetch(self._db, self._linker.space, [s.id for s in part])
            self._held.update(found)
            if unknown := [s for s in part if s.id not in found]:
                self._keep(unknown)
        rows = [self._held[s.id] for s in sources]
        while len(self._held) > HELD:
            self._held.popitem(last=False)
        return np.stack(rows) if rows else np.empty((0, self._linker.dimensions), np.float32)

    def _keep(self, sources: Sequence[Source]) -> None:
        matrix = self._linker.vectors([source.item for source in sources])
        links.put(self._db, self._linker.space, [s.id for s in sources], matrix)
        self._held.update(zip((s.id for s in sources), matrix, strict=True))


def standing_wish(db: Connection, embedder: Embedder) -> Callable[[Source], bool]:
    """Return what tells whether a correction carries a wish that holds on another day.

    Its vector helps only in the space that the weights were trained in.
    """
    known = embedder.space == load_weights().facts.space
    judged: dict[str, bool] = {}

    def judge(source: Source) -> bool:
        if source.id not in judged:
            vectors = links.fetch(db, embedder.space, [source.id]) if known else {}
            judged[source.id] = standing(source, vectors.get(source.id)) >= CUT
        return judged[source.id]

    return judge
