"""Counts of what the store holds, with the standard library's sqlite3 alone."""

import sqlite3
from typing import Any

from remem_core.store import lessons

# Not the linker's vectors, by which lessons find their sources.
_RECALLED = "where space not like 'link-%'"


def counts(db: sqlite3.Connection, now: str) -> dict[str, Any]:
    """Return the figures of `Status` that come from the store."""
    by_kind = dict(
        db.execute("select kind, count(*) from episodes where archived is null group by kind")
    )
    vectors = dict(db.execute(f"select space, count(*) from vectors {_RECALLED} group by space"))
    total, archived, projects, first, last = db.execute(
        "select count(*), count(archived), count(distinct project), min(at), max(at) from episodes"
    ).fetchone()
    embedded = db.execute(f"select count(distinct n) from vectors {_RECALLED}").fetchone()[0]
    sessions, files = (
        db.execute(f"select count(*) from {table}").fetchone()[0] for table in ("sessions", "files")
    )
    return {
        "episodes": total - archived,
        "by_kind": dict(sorted(by_kind.items())),
        "archived": archived,
        "sessions": sessions,
        "files": files,
        "lessons": len(lessons.lessons(db, at=now, project=lessons.ALL)),
        "predictions": len(lessons.predictions(db, unresolved=True)),
        "vetoes": len(lessons.vetoes(db)),
        "vectors": vectors,
        "pending": total - embedded,
        "projects": projects,
        "first": first,
        "last": last,
        "last_read": db.execute("select max(read_at) from files").fetchone()[0],
    }
