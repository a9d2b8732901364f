import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from remem_core.errors import NewerStoreError, StoreError
from remem_core.store.connection import SCHEMA_VERSION, connect, transaction


def test_store_is_private_and_ours(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    connect(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_bytes()[68:72] == b"REMM"


def test_reopening_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    connect(path).close()
    before = path.read_bytes()
    connect(path).close()
    assert path.read_bytes() == before


def test_newer_schema_is_refused_untouched(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    db = connect(path)
    db.execute(f"pragma user_version = {SCHEMA_VERSION + 1}")
    db.close()
    before = path.read_bytes()
    with pytest.raises(NewerStoreError, match="upgrade remem") as caught:
        connect(path)
    assert caught.value.code == "unsupported-version"
    assert path.read_bytes() == before


def test_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    path.write_bytes(b"not a database at all, but long enough to be looked at" * 40)
    with pytest.raises(StoreError, match=r"memory\.db: file is not a database"):
        connect(path)


def test_failed_block_stores_nothing(tmp_path: Path) -> None:
    db = connect(tmp_path / "memory.db")

    def fail_half_way() -> None:
        with transaction(db):
            db.execute("insert into aliases values ('a', 'b', 'c')")
            raise KeyError("half-way")

    with pytest.raises(KeyError):
        fail_half_way()
    assert db.execute("select count(*) from aliases").fetchone() == (0,)
    db.close()


def test_ledger_refuses_edits(tmp_path: Path) -> None:
    db = connect(tmp_path / "memory.db")
    db.execute("insert into ledger (at, verb, subject, why) values ('t', 'CREATE', '', '')")
    for edit in ("update ledger set why = 'x'", "delete from ledger"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            db.execute(edit)
    db.close()


def test_four_programs_may_make_the_store_at_once(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path;"
        "from remem_core.store.connection import connect; connect(Path(sys.argv[1])).close()"
    )
    path = tmp_path / "memory.db"
    running = [
        subprocess.Popen([sys.executable, "-c", code, str(path)], stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    errors = [process.communicate()[1] for process in running]
    assert [p.returncode for p in running] == [0] * 4, errors
    db = connect(path)
    assert db.execute("select count(*) from _sqlite_migrations").fetchone() == (SCHEMA_VERSION,)
    db.close()
