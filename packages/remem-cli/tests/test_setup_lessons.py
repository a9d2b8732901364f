"""The lessons that set-up brings into agents' memory files, and takes out to the byte."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from remem_core import Memory
from remem_core.locking import alone
from remem_protocol import Correction

# The fixtures of conftest.py.
Run = Callable[..., Any]

MOVED = ("CODEX_HOME", "GEMINI_CLI_HOME", "COPILOT_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR")
HERE = "We use uv here, not pip."
ANYWHERE = "Never push to main, always open a branch first."
# What an owner may have in a memory file: no end of line, CRLF, a byte order mark, marks of others.
TEXTS = {
    "none": None,
    "empty": b"",
    "plain": b"# Mine\n\nBe brief.\n",
    "no end": b"# Mine\n\nBe brief.",
    "crlf": b"# Mine\r\n\r\n- one\r\n",
    "bom": b"\xef\xbb\xbf# Mine\n",
    "others": b"<!-- other:start -->\ntheirs\n<!-- other:end -->\n\n\n\n",
}


@pytest.fixture(autouse=True)
def desk(machine: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with three agents' folders and none of their programs."""
    for name in MOVED:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", "")
    for folder in (".claude", ".codex", ".gemini"):
        (machine / folder).mkdir()
    return machine


def corrections(said: str, did: str, where: dict[str, str]) -> list[Correction]:
    """Return what was said on two days."""
    return [
        Correction(
            said=said, agent_did=did, cause="message", at=f"2026-11-0{day}T09:00:00.000000Z",
            source="owner", session=f"{said[:4]}{day}", **where,
        )
        for day in (1, 2)
    ]  # fmt: skip


@pytest.fixture
def indexes(desk: Path) -> list[Path]:
    """A memory that slept on one project and on what holds anywhere: the files that tell of it."""
    project = desk / "orchard"
    (project / ".git").mkdir(parents=True)
    here = {"cwd": str(project), "project": f"path:{os.path.realpath(project)}"}
    told = [(HERE, "Ran pip install slowapi.", here), (ANYWHERE, "Pushed to main.", {})]
    events = [event for one in told for event in corrections(*one)]
    with Memory.open(desk / "memory") as memory:
        memory.emit(events)
        memory.sleep()
    slug = re.sub(r"[^A-Za-z0-9]", "-", os.path.realpath(project))
    (desk / ".claude" / "projects" / slug).mkdir(parents=True)
    memory_index = desk / ".claude" / "projects" / slug / "memory" / "MEMORY.md"
    return [memory_index, desk / ".codex" / "AGENTS.md", desk / ".gemini" / "GEMINI.md"]


def agents_files(desk: Path) -> dict[str, bytes]:
    """Return every file and folder outside the memory's own; folders end in a slash."""
    return {
        f"{p.relative_to(desk)}{'/' if p.is_dir() else ''}": p.read_bytes() if p.is_file() else b""
        for p in desk.rglob("*")
        if p.relative_to(desk).parts[0] != "memory"
    }


def write(indexes: list[Path], text: bytes | None) -> None:
    for index in indexes:
        if text is not None:
            index.parent.mkdir(exist_ok=True)
            index.write_bytes(text)


def test_setup_shows_the_files_that_lessons_come_into_and_asks(
    run: Run, desk: Path, indexes: list[Path]
) -> None:
    before = agents_files(desk)
    ran = run("setup", "--dry-run")
    assert "Lessons in agents' memory files" in ran.out
    for index in indexes:
        assert f"+ ~/{index.relative_to(desk)}" in ran.out
    assert run("setup").code == 1  # there is nobody to say yes
    assert agents_files(desk) == before
    assert not (desk / "memory" / "written.json").exists()


def test_lessons_come_with_setup_and_follow_by_themselves(
    run: Run, desk: Path, indexes: list[Path]
) -> None:
    ran = run("setup", "--yes", "--json")
    assert ran.code == 0
    assert {str(index) for index in indexes} <= set(ran.json["lessons"]["files"])
    memory, *globally = indexes
    assert HERE in memory.read_text("utf-8")
    assert ANYWHERE in memory.read_text("utf-8")
    for index in globally:
        assert ANYWHERE in index.read_text("utf-8")
        assert HERE not in index.read_text("utf-8")
    with Memory.open() as held:
        gone = next(lesson.id for lesson in held.lessons() if lesson.project is None)
    run("veto", gone)
    assert not any(index.exists() for index in globally)


def test_a_memory_that_comes_later_is_shown_too(run: Run, desk: Path) -> None:
    run("setup", "--yes")
    with Memory.open(desk / "memory") as memory:
        memory.emit(corrections(ANYWHERE, "Pushed to main.", {}))
    run("sleep")
    assert ANYWHERE in (desk / ".codex" / "AGENTS.md").read_text("utf-8")


def test_setup_for_one_agent_writes_no_lessons(run: Run, indexes: list[Path]) -> None:
    run("setup", "--yes", "--only", "codex")
    assert not any(index.exists() for index in indexes)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_removal_gives_every_byte_back(
    run: Run, desk: Path, indexes: list[Path], text: bytes | None
) -> None:
    write(indexes, text)
    before = agents_files(desk)
    run("setup", "--yes")
    assert all(b"remem:start" in index.read_bytes() for index in indexes)
    ran = run("setup", "--remove", "--yes")
    assert ran.code == 0
    assert f"- ~/{indexes[0].relative_to(desk)}" in ran.out
    assert agents_files(desk) == before
    assert not (desk / "memory" / "written.json").exists()


@pytest.mark.parametrize(
    "text", [text for text in TEXTS.values() if text], ids=[n for n in TEXTS if TEXTS[n]]
)
def test_what_others_wrote_in_between_stays(
    run: Run, desk: Path, indexes: list[Path], text: bytes
) -> None:
    write(indexes, text)
    before = agents_files(desk)
    run("setup", "--yes")
    for index in indexes:
        index.write_bytes(
            index.read_bytes().replace(b"\xef\xbb\xbf", b"\xef\xbb\xbf>") + b"later\n"
        )
    neighbour = indexes[0].with_name("their-note.md")
    neighbour.write_text("theirs")
    assert run("setup", "--remove", "--yes").code == 0
    for index in indexes:
        was = before.pop(str(index.relative_to(desk)))
        assert index.read_bytes().startswith(was.replace(b"\xef\xbb\xbf", b"\xef\xbb\xbf>"))
        assert index.read_bytes().endswith(b"later\n")
        assert b"remem" not in index.read_bytes()
    assert neighbour.read_text() == "theirs"
    after = agents_files(desk)
    assert {name: after[name] for name in before} == before
    assert not list(indexes[0].parent.glob("remem-*"))


def test_removal_does_without_the_memory(run: Run, desk: Path, indexes: list[Path]) -> None:
    """Who deleted the database first is still rid of all of it."""
    before = agents_files(desk)
    run("setup", "--yes")
    for file in (desk / "memory").glob("memory.db*"):
        file.unlink()
    assert run("setup", "--remove", "--yes").code == 0
    assert agents_files(desk) == before


def test_a_section_that_somebody_damaged_is_left_and_told(
    run: Run, desk: Path, indexes: list[Path]
) -> None:
    run("setup", "--yes")
    codex = indexes[1]
    damaged = codex.read_bytes().replace(b"remem:end", b"remem end")
    codex.write_bytes(damaged)
    ran = run("setup", "--remove", "--yes")
    assert ran.code == 1
    assert "(damaged-markers)" in ran.out
    assert codex.read_bytes() == damaged
    assert not indexes[0].exists()


def test_two_setups_at_once_are_one_after_the_other(run: Run, desk: Path) -> None:
    before = agents_files(desk)
    home = desk / "memory"
    run("note", "The orchard listens on port 8417.")
    with alone(home / "setup.lock", "busy"):
        ran = run("setup", "--yes")
    assert ran.code == 1
    assert "another `remem setup` is at work" in ran.err
    assert agents_files(desk) == before
    several = [
        subprocess.Popen(
            [sys.executable, "-m", "remem_cli", "setup", "--yes"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for _ in range(4)
    ]  # fmt: skip
    told = [one.communicate()[1] for one in several]
    assert any(one.returncode == 0 for one in several)
    assert all(
        one.returncode == 0 or b"run it again" in said
        for one, said in zip(several, told, strict=True)
    )
    assert run("setup").code == 0
    assert run("setup", "--remove", "--yes").code == 0
    assert agents_files(desk) == before
