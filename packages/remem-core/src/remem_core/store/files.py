"""Which files were read, and how they stood: only what changed is read again."""

import sqlite3

from remem_core.ports import Notes, SourceFile


def has_read(db: sqlite3.Connection, source: SourceFile, *, detector: int) -> bool:
    """Tell whether a file was read to its end, as it stands now, by these detectors."""
    row = db.execute(
        "select size, mtime_ns, tail, detector from files where path = ?", (source.path,)
    ).fetchone()
    return row is not None and tuple(row) == (source.size, source.mtime_ns, source.tail, detector)


def mark_read(
    db: sqlite3.Connection, source: SourceFile, notes: Notes, *, detector: int, now: str
) -> None:
    """Record a file that was read to its end, inside the caller's transaction."""
    db.execute(
        "insert or replace into files (path, size, mtime_ns, tail, lines, damaged, detector,"
        " read_at) values (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            source.path,
            source.size,
            source.mtime_ns,
            source.tail,
            notes.lines,
            notes.damaged,
            detector,
            now,
        ),
    )


def session_project(db: sqlite3.Connection, session: str) -> str | None:
    """Return the project that a session was first filed under: re-reads keep to it."""
    row = db.execute("select project from sessions where id = ?", (session,)).fetchone()
    return None if row is None else row[0]
