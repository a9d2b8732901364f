"""`remem snapshot`, `export`, `import`, `forget`, `repair`: what the owner types and is told."""

import json
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# The fixtures of conftest.py.
Run = Callable[..., Any]
Write = Callable[..., Path]


@pytest.fixture(autouse=True)
def remembered(run: Run, write_session: Write) -> None:
    """Two sessions are remembered."""
    for name in ("rate-limit", "release"):
        assert run("ingest", "--quiet", write_session(name)).code == 0


def _count(run: Run) -> int:
    return int(run("status", "--json").json["episodes"])


def _hit(run: Run, *query: str) -> dict[str, Any] | None:
    hits = run("recall", "--json", "--limit", "1", *query).json["hits"]
    return hits[0] if hits else None


def test_export_goes_through_another_memory_unchanged(
    run: Run, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("export", machine / "one.jsonl").code == 0
    assert stat.S_IMODE((machine / "one.jsonl").stat().st_mode) == 0o600
    monkeypatch.setenv("REMEM_HOME", str(machine / "second"))
    ran = run("import", machine / "one.jsonl")
    assert ran.code == 0
    assert "New: " in ran.err
    assert run("export", machine / "two.jsonl").code == 0
    assert (machine / "two.jsonl").read_bytes() == (machine / "one.jsonl").read_bytes()
    assert _hit(run, "release") is not None


def test_export_to_stdout_is_the_stream_alone(run: Run) -> None:
    ran = run("export", "-")
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert lines[0]["type"] == "export"
    assert sum(lines[0]["records"].values()) == len(lines) - 1


def test_export_does_not_write_over_a_file(run: Run, machine: Path) -> None:
    (machine / "there.jsonl").write_text("mine")
    ran = run("export", machine / "there.jsonl")
    assert ran.code == 1
    assert "there is a file already" in ran.err
    assert (machine / "there.jsonl").read_text() == "mine"


def test_damaged_export_is_refused_by_line_unless_told_otherwise(
    run: Run, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("export", machine / "one.jsonl")
    lines = (machine / "one.jsonl").read_bytes().splitlines(keepends=True)
    lines[2] = b"{broken\n"
    (machine / "one.jsonl").write_bytes(b"".join(lines))
    monkeypatch.setenv("REMEM_HOME", str(machine / "second"))
    ran = run("import", machine / "one.jsonl")
    assert ran.code == 1
    assert "line 3: malformed" in ran.err
    assert _count(run) == 0
    assert run("import", "--skip-damaged", machine / "one.jsonl").code == 1
    assert _count(run) > 0


def test_forgetting_asks_somebody_or_does_nothing(run: Run) -> None:
    hit = _hit(run, "release")
    assert hit is not None
    before = _count(run)
    ran = run("forget", hit["id"][:8])
    assert ran.code == 1
    assert "--yes" in ran.err
    assert _count(run) == before


def test_forgotten_memory_comes_back_by_no_command(run: Run, machine: Path) -> None:
    hit = _hit(run, "release")
    assert hit is not None
    before = _count(run)
    run("export", machine / "old.jsonl")
    run("snapshot", "create")
    assert run("forget", "--yes", hit["id"]).code == 0
    run("ingest", machine / "sessions")
    run("import", machine / "old.jsonl")
    run("snapshot", "restore", "latest")
    assert run("show", hit["id"]).code == 1
    assert hit["id"] not in {h["id"] for h in run("recall", "--json", "release").json["hits"]}
    out = run("export", "-").out
    assert f'"type":"episode","v":"1.0","id":"{hit["id"]}"' not in out
    assert _count(run) == before - 1  # the controls are all there


def test_session_forgotten_stays_out_when_its_file_is_read_again(
    run: Run, machine: Path, write_session: Write
) -> None:
    session = _hit(run, "release")
    assert session is not None
    ran = run("forget", "--session", session["session"], "--yes", "--json")
    assert ran.json["episodes"] > 0
    path = next((machine / "sessions").glob("release-*"))
    path.write_text(path.read_text() + "\n")  # it changed, so it is read again
    assert "that you had forgotten stayed away" in run("ingest", machine / "sessions").err
    hits = run("recall", "--json", "release").json["hits"]
    assert session["session"] not in {hit["session"] for hit in hits}
    run("ingest", write_session("release", 1))  # the control: another session of the same words
    assert _hit(run, "release") is not None


def test_dry_run_says_what_would_go(run: Run) -> None:
    before = _count(run)
    told = run("forget", "--since", "2000-01-01", "--dry-run", "--json").json
    assert told["episodes"] == len(told["ids"]) >= before
    ran = run("forget", "--since", "2000-01-01", "--dry-run")
    assert f"{told['episodes']} remembered, 2 sessions would be forgotten" in ran.out
    assert _count(run) == before


def test_forgetting_names_one_thing(run: Run) -> None:
    assert run("forget").code == 2
    assert run("forget", "abcd", "--session", "x").code == 2


def test_snapshot_is_made_listed_and_restored(run: Run) -> None:
    before = _count(run)
    made = run("snapshot", "create", "--why", "a try", "--json").json["snapshots"][0]
    run("forget", "--since", "2000-01-01", "--yes")
    assert _count(run) == 0
    listed = run("snapshot", "list", "--check")
    assert listed.code == 0
    assert made["name"] in listed.out
    assert before > 0


def test_snapshot_gives_back_what_was_lost_not_what_was_forgotten(
    run: Run, write_session: Write
) -> None:
    before = _count(run)
    run("snapshot", "create")
    run("ingest", "--quiet", write_session("slow-tests"))
    assert _count(run) > before
    ran = run("snapshot", "restore", "latest")
    assert ran.code == 0
    assert "What it replaced is kept as" in ran.err
    assert _count(run) == before


def test_snapshot_travels_as_one_file(
    run: Run, machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _count(run)
    run("snapshot", "create")
    assert run("snapshot", "export", "latest", machine / "memory.zip").code == 0
    monkeypatch.setenv("REMEM_HOME", str(machine / "second"))
    assert run("snapshot", "import", machine / "memory.zip").code == 0
    assert run("snapshot", "restore", "latest").code == 0
    assert _count(run) == before


def test_damaged_snapshot_is_named_and_refused(run: Run, machine: Path) -> None:
    run("snapshot", "create")
    file = next((machine / "memory" / "snapshots").glob("*.db"))
    data = bytearray(file.read_bytes())
    data[5000] ^= 255
    file.write_bytes(data)
    assert run("snapshot", "list", "--check").code == 1
    ran = run("snapshot", "restore", "latest")
    assert (ran.code, ran.out) == (1, "")
    assert "not the bytes that were kept" in ran.err
    assert len(ran.err.splitlines()) == 1


def test_action_without_what_it_needs_is_wrong_usage(run: Run) -> None:
    assert run("snapshot", "restore").code == 2
    assert run("snapshot", "export", "latest").code == 2


def test_repair_of_a_sound_store_says_so(run: Run) -> None:
    before = _count(run)
    ran = run("repair")
    assert ran.code == 0
    assert "sound" in ran.out
    assert _count(run) == before


def test_repair_of_garbage_keeps_it_and_says_where(run: Run, machine: Path) -> None:
    db = machine / "memory" / "memory.db"
    for path in db.parent.glob("memory.db-*"):
        path.unlink()
    db.write_bytes(b"\0" * 50_000)
    assert run("status").code == 1
    ran = run("repair", "--json")
    assert ran.code == 0
    assert Path(ran.json["kept"]).read_bytes() == b"\0" * 50_000
    assert _count(run) == 0
    run("ingest", machine / "sessions")
    assert _count(run) > 0
