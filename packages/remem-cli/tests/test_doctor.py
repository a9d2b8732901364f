"""`remem doctor`: each thing that can be wrong is found, and said what to do about."""

import json
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
