"""Vectors for what is stored and for what is asked: the model is loaded when first needed."""

import contextlib
import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from remem_core.batches import batches
from remem_core.beside import Beside
from remem_core.recall.search import Meaning
from remem_core.store.connection import Connection, transaction

if TYPE_CHECKING:
    from remem_core.embed import Embedder
    from remem_core.store.index import VectorIndex
    from remem_core.store.vectors import Matrix

Progress = Callable[[int, int], None]
# What a store call embeds before it returns: about 400 short texts, a few seconds. More waits
# for `embed_pending`, and is found by its words meanwhile.
INLINE_ROWS, INLINE_CHARACTERS = 1_000, 120_000
EMBED_BATCH = 64


@contextlib.contextmanager
def _left_for_later(what: str) -> Iterator[None]:
    """Go on without a model server that stopped answering: a warning, never a lost answer."""
    from remem_core.embed import EmbedderError, EmbedderWarning

    try:
        yield
    except EmbedderError as error:
        warnings.warn(f"{error.message}; {what}", EmbedderWarning, stacklevel=3)


class Meanings:
    """The vectors of one open memory, in the space of its embedder."""

    def __init__(self, db: Connection, home: Path, embedder: "Embedder | None") -> None:
        self._db = db
        self._home = home
        self._embedder = embedder
        self._index: VectorIndex | None = None

    @property
    def embedder(self) -> "Embedder":
        """The embedding model, loaded at first use."""
        if self._embedder is None:
            from remem_core.embed import open_embedder

            self._embedder = open_embedder()
        return self._embedder

    def embed_pending(
        self, progress: Progress | None, enough: Callable[[], bool] = lambda: False
    ) -> int:
        """Embed what has no vector in this space, newest first; return how many.

        Stored batch by batch, so what is interrupted, or stopped by `enough`, goes on there.
        """
        from remem_core.store import vectors

        space, done, before = self.embedder.space, 0, None
        total = vectors.count_pending(self._db, space)
        while not enough() and (
            batch := vectors.pending(self._db, space, limit=EMBED_BATCH, before=before)
        ):
            self._embed(batch)
            before = batch[-1][0]
            done += len(batch)
            if progress is not None:
                progress(done, max(done, total))
        return done

    def prune(self) -> int:
        """Drop the vectors of other spaces, and their caches; return how many vectors.

        Those by which sleep links sources stay, for the linker of this space.
        """
        from remem_core.linking import Linker

        space = self.embedder.space
        kept = (space, Linker.open(self.embedder).space)
        with transaction(self._db) as db:
            dropped = db.execute("delete from vectors where space not in (?, ?)", kept).rowcount
        for cache in self._home.glob("index-*.bits"):
            if cache != self._cache(space):
                cache.unlink(missing_ok=True)
        return int(dropped)

    def embed_rows(self, rows: list[int]) -> None:
        """Embed what was just stored, unless it is so much that the caller would wait for it."""
        from remem_core.store import vectors

        if not rows or len(rows) > INLINE_ROWS:
            return
        found = vectors.texts(self._db, rows)
        if sum(len(text) for _, text in found) > INLINE_CHARACTERS:
            return
        with _left_for_later("what was stored waits for its vectors"):
            for batch in batches(found, EMBED_BATCH):
                self._embed(batch)

    def ask(self, query: str) -> Callable[[], Meaning | None]:
        """Begin to compare a question with every vector of this space; None while there is none.

        The model is loaded and asked beside the caller, who may look for words until he calls for
        the answer.
        """
        if self._db.execute("select 1 from vectors limit 1").fetchone() is None:
            return lambda: None  # nothing to compare with: no model is loaded for it
        loaded = Beside(lambda: self.embedder)
        asked = Beside(lambda: self._vector(loaded.result(), query))
        return lambda: self._compared(loaded, asked)

    def _vector(self, embedder: "Embedder", query: str) -> "Matrix":
        from remem_core.embed import embed_question

        return embed_question(embedder, query)

    def _compared(self, loaded: "Beside[Embedder]", asked: "Beside[Matrix]") -> Meaning | None:
        with _left_for_later("the question is answered by its words alone"):
            loaded.result()
            index = self._refreshed()
            vector = asked.result()
            return Meaning(index.space, index.ask(self._db, vector)) if len(index) else None
        return None

    def _refreshed(self) -> "VectorIndex":
        from remem_core.store.index import VectorIndex

        if self._index is None:
            space = self.embedder.space
            self._index = VectorIndex(space, self.embedder.dimensions, self._cache(space))
        self._index.refresh(self._db)
        return self._index

    def _cache(self, space: str) -> Path:
        return self._home / f"index-{re.sub(r'[^A-Za-z0-9.-]', '_', space)}.bits"

    def _embed(self, batch: list[tuple[int, str]]) -> None:
        from remem_core.store import vectors

        matrix = self.embedder.embed([text for _, text in batch])
        with transaction(self._db) as db:
            vectors.put(db, self.embedder.space, [n for n, _ in batch], matrix)
