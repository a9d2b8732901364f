"""Building the word index anew, also where an older version spelled words for it differently."""

import sqlite3

from remem_core import telling
from remem_core.segment import segment
from remem_core.store.checking import rebuild_caches
from remem_core.store.connection import transaction
from remem_core.store.reading import decode_event_text

BATCH = 500


def rebuild_words(db: sqlite3.Connection) -> int:
    """Build the word index from the episodes; return how many were spelled differently in it.

    A batch a transaction, so that other programs get their turn; can be interrupted and run again.
    """
    rebuild_caches(db)
    changed, last = 0, 0
    while rows := db.execute(
        "select n, event, title, body from episodes where n > ? order by n limit ?", (last, BATCH)
    ).fetchall():
        last = rows[-1][0]
        respelled = [new for row in rows if (new := _respelled(*row)) is not None]
        with transaction(db):
            db.executemany(
                "update episodes set title = ?, body = ? where n = ? and event = ?", respelled
            )
        changed += len(respelled)
    return changed


def _respelled(n: int, line: str, title: str, body: str) -> tuple[str, str, int, str] | None:
    new_title, new_body = map(segment, telling.searched(decode_event_text(line)))
    return None if (new_title, new_body) == (title, body) else (new_title, new_body, n, line)
