"""The caches of a store, made again where they are missing: word index and vectors lose nothing."""

import re
import sqlite3

_CACHE = re.compile(
    r"create (?:virtual table|table|view|index|trigger) (searched|(?:words|vectors)\w*)"
)


def missing_caches(db: sqlite3.Connection) -> list[str]:
    """Return which of the caches' two tables are not there."""
    found = db.execute("select name from sqlite_master where name in ('words', 'vectors')")
    return sorted({"words", "vectors"} - {name for (name,) in found})


def make_caches(db: sqlite3.Connection) -> None:
    """Make what is missing of them, empty, inside the caller's transaction."""
    from remem_core.store.migrations import FIRST_SCHEMA

    there = {name for (name,) in db.execute("select name from sqlite_master")}
    for statement in FIRST_SCHEMA.split(";\n\n"):
        made = _CACHE.match(statement.strip())
        if made is not None and made[1] not in there:
            db.execute(statement)
