"""Looking a store over, and mending what can be built again: word index, vectors, free pages.

Nothing here touches the truth: episodes, lessons, ledger are read, never written.
"""

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from remem_core.paths import APPLICATION_ID
from remem_core.store.caches import make_caches, missing_caches
from remem_core.store.connection import BUSY_SECONDS, store_errors, transaction
from remem_core.store.erasing import full_text_tables

# Of a file's pages, how many may be free before writing it anew is worth it.
_FREE_SHARE, _FREE_BYTES = 0.25, 1 << 20


@dataclass(frozen=True)
class Health:
    """What a look at a store found. Texts are for the owner; empty ones mean sound."""

    schema: int
    damage: str
    words: str
    orphans: int
    odd_vectors: int
    bytes: int
    free_bytes: int

    @property
    def worth_vacuum(self) -> bool:
        """Whether writing the file anew would give back enough."""
        return self.free_bytes > max(_FREE_BYTES, _FREE_SHARE * self.bytes)


def examine(path: Path) -> Health:
    """Look a store over without changing it; raise BusyError or StoreError."""
    with store_errors(path), _opened(path) as db:
        schema = int(db.execute("pragma user_version").fetchone()[0])
        page, pages, free = (
            int(db.execute(f"pragma {name}").fetchone()[0])
            for name in ("page_size", "page_count", "freelist_count")
        )
        damage = _damage(db)
        return Health(
            schema=schema,
            damage=damage,
            words="" if damage else _words_damage(db),
            orphans=0 if damage else len(db.execute("pragma foreign_key_check").fetchall()),
            odd_vectors=0 if damage else len(odd_vectors(db)),
            bytes=page * pages,
            free_bytes=page * free,
        )


def odd_vectors(db: sqlite3.Connection) -> list[int]:
    """Return the rows of vectors whose length is not that of their space's others."""
    if "vectors" in missing_caches(db):
        return []
    lengths = db.execute(
        "select space, length(v), count(*) from vectors group by 1, 2 order by 3"
    ).fetchall()
    usual = {space: length for space, length, _ in lengths if length % 4 == 0}
    return [
        row
        for space, length, _ in lengths
        if usual.get(space) != length
        for (row,) in db.execute(
            "select r from vectors where space = ? and length(v) = ?", (space, length)
        )
    ]


def rebuild_caches(db: sqlite3.Connection) -> int:
    """Build the word index anew, drop vectors that fit nothing; return how many of these."""
    with transaction(db):
        make_caches(db)
        for name in full_text_tables(db):
            db.execute(f"insert into {name} ({name}) values ('rebuild')")
        odd = odd_vectors(db)
        db.executemany("delete from vectors where r = ?", [(row,) for row in odd])
        lost = db.execute("delete from vectors where n not in (select n from episodes)").rowcount
    return len(odd) + int(lost)


def vacuum(db: sqlite3.Connection) -> None:
    """Write the file anew without its free pages."""
    with store_errors(None):
        db.execute("vacuum")
        db.execute("pragma wal_checkpoint(truncate)")


def is_alone(path: Path) -> bool:
    """Tell whether no other program has the file open; of a damaged one, as far as can be seen."""
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=1, isolation_level=None)) as db:
            db.execute("pragma locking_mode = exclusive")
            db.execute("begin exclusive")
            db.execute("rollback")
    except sqlite3.OperationalError as error:
        return "locked" not in str(error) and "busy" not in str(error)
    except sqlite3.DatabaseError:
        return True
    return True


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        yield db
    finally:
        db.close()


def _damage(db: sqlite3.Connection) -> str:
    try:
        if db.execute("pragma application_id").fetchone()[0] != APPLICATION_ID:
            return "not a memory of remem"
        found = [str(row[0]) for row in db.execute("pragma quick_check(3)")]
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        return str(error)
    return "" if found == ["ok"] else "; ".join(" ".join(line.split()) for line in found)


def _words_damage(db: sqlite3.Connection) -> str:
    """Compare each word index with what it indexes; the check counts as a write, so roll back."""
    if missing := missing_caches(db):
        return f"missing: {', '.join(missing)}"
    try:
        db.execute("begin immediate")
        try:
            for name in full_text_tables(db):
                db.execute(f"insert into {name} ({name}, rank) values ('integrity-check', 1)")
        finally:
            db.execute("rollback")
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        return str(error)
    return ""
