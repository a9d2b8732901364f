"""`remem doctor`: each thing that can be wrong is found, and said what to do about."""

import contextlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# The fixtures of conftest.py.
Run = Callable[..., Any]
Write = Callable[..., Path]


def _findings(run: Run) -> dict[str, dict[str, str]]:
    return {finding["name"]: finding for finding in run("doctor", "--json").json["findings"]}


@pytest.fixture
def projects(machine: Path, write_session: Write) -> Path:
    """Claude Code's own folder with one session."""
    folder = machine / ".claude" / "projects"
    write_session("release", folder=folder / "-home-sam-code-harbour")
    return folder


def test_healthy_machine_is_all_ok(run: Run, projects: Path) -> None:
    run("ingest")
    ran = run("doctor")
    assert ran.code == 0
    assert {line.split()[0] for line in ran.out.splitlines()} == {"ok"}
    assert f"1 session file in {projects}" in ran.out


def test_fresh_machine_is_told_how_to_begin_and_stays_untouched(run: Run, machine: Path) -> None:
    findings = _findings(run)
    assert findings["home"]["verdict"] == "warn"
    assert "remem ingest" in findings["home"]["remedy"]
    assert findings["agents"]["verdict"] == "warn"
    assert not (machine / "memory").exists()


def test_another_programs_home_is_a_failure(run: Run, machine: Path) -> None:
    (machine / "memory").mkdir()
    (machine / "memory" / "notes.db").touch()
    ran = run("doctor")
    assert ran.code == 1
    assert "another program's files" in ran.out
    assert "REMEM_HOME" in ran.out


def test_home_open_to_others_is_found(run: Run, projects: Path, machine: Path) -> None:
    run("ingest")
    (machine / "memory").chmod(0o755)
    finding = _findings(run)["home"]
    assert finding["verdict"] == "warn"
    assert finding["remedy"] == f"run `chmod go= {machine / 'memory'}`"


def test_damaged_store_is_found(run: Run, projects: Path, machine: Path) -> None:
    run("ingest")
    db = machine / "memory" / "memory.db"
    data = bytearray(db.read_bytes())
    data[4096 * 2 : 4096 * 12] = b"\xff" * (4096 * 10)
    db.write_bytes(data)
    assert run("doctor").code == 1
    assert "fail" in {finding["verdict"] for finding in _findings(run).values()}


def test_pending_vectors_are_found(run: Run, projects: Path) -> None:
    run("ingest", "--no-embed")
    assert _findings(run)["vectors"]["verdict"] == "warn"


@pytest.mark.parametrize(("days", "verdict"), [(30, "ok"), (0, "warn")])
def test_retention_of_claude_code_is_told(
    run: Run, projects: Path, days: int, verdict: str
) -> None:
    (projects.parent / "settings.json").write_text(json.dumps({"cleanupPeriodDays": days}))
    run("ingest")
    finding = _findings(run)["retention"]
    assert finding["verdict"] == verdict
    assert f"after {days} days" in finding["words"]


def test_stale_word_index_and_odd_vector_are_found_and_repaired(
    run: Run, projects: Path, machine: Path
) -> None:
    run("ingest")
    with contextlib.closing(sqlite3.connect(machine / "memory" / "memory.db")) as db, db:
        db.execute("insert into words (words) values ('delete-all')")
        db.execute("update vectors set v = x'0011' where r = 1")
    findings = run("doctor", "--json").json["findings"]
    failed = {f["name"]: f["remedy"] for f in findings if f["verdict"] == "fail"}
    assert failed.keys() == {"words", "vectors"}
    assert all("remem repair" in remedy for remedy in failed.values())
    run("repair")
    run("ingest")
    assert run("doctor").code == 0


def test_snapshots_open_to_others_damaged_or_interrupted_are_found(
    run: Run, projects: Path, machine: Path
) -> None:
    run("ingest")
    run("snapshot", "create")
    assert _findings(run)["snapshots"]["verdict"] == "ok"
    folder = machine / "memory" / "snapshots"
    (folder / ".x.part").touch(0o600)
    assert "interrupted" in _findings(run)["snapshots"]["words"]
    (folder / ".x.part").unlink()
    (kept,) = folder.glob("*.db")
    kept.chmod(0o644)
    assert str(kept) in _findings(run)["home"]["words"]
    kept.write_bytes(b"cut")
    assert _findings(run)["snapshots"]["verdict"] == "warn"


def test_newer_store_is_told_from_a_damaged_one(run: Run, projects: Path, machine: Path) -> None:
    run("ingest")
    with contextlib.closing(sqlite3.connect(machine / "memory" / "memory.db")) as db:
        db.execute("pragma user_version = 99")
    findings = _findings(run)
    assert findings["schema"]["remedy"] == "upgrade remem"
    assert findings["integrity"]["verdict"] == "ok"


def test_room_on_the_disk_is_told(run: Run, projects: Path) -> None:
    run("ingest")
    assert "free on the disk" in _findings(run)["space"]["words"]


def test_language_model_is_told_of_and_a_wrong_setting_is_a_failure(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _findings(run)["model"]["words"] == "none is asked (REMEM_LLM names none)"
    monkeypatch.setenv("REMEM_LLM", "http://localhost:1/v1#small:4b")
    assert _findings(run)["model"]["words"].startswith("small:4b at http://localhost:1/v1/")
    monkeypatch.setenv("REMEM_LLM", "small:4b")
    assert _findings(run)["model"]["verdict"] == "fail"
