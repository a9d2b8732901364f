"""Where sessions are found, where they ran, whose child they are."""

import hashlib
import json
from pathlib import Path

import pytest
from claude_files import said
from gemini_files import SESSION, Messages, metadata, shell, transcripts, write_lines

from remem_agents.gemini import GeminiReader


@pytest.fixture
def make() -> Messages:
    return Messages()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project's folder as Gemini CLI keeps it."""
    folder = tmp_path / ".gemini" / "tmp" / "shop"
    (folder / "chats").mkdir(parents=True)
    return folder


def cwd_of(project: Path, **fields: object) -> str | None:
    rows = metadata(**fields), Messages().user("one")
    (transcript,) = transcripts(write_lines(project / "chats" / "session-a.jsonl", *rows))
    return transcript.head.cwd


def digest(folder: str) -> str:
    return hashlib.sha256(folder.encode()).hexdigest()


def test_home_is_looked_at_and_may_be_moved(tmp_path: Path, project: Path) -> None:
    reader = GeminiReader()
    assert reader.roots({"HOME": str(tmp_path)}) == [tmp_path / ".gemini" / "tmp"]
    moved = {"HOME": "/nowhere", "GEMINI_CLI_HOME": str(tmp_path)}
    assert reader.roots(moved) == [tmp_path / ".gemini" / "tmp"]
    assert reader.roots({"HOME": "/nowhere"}) == []


def test_only_transcripts_are_found(project: Path) -> None:
    wanted = ["chats/parent-id/child.jsonl", "chats/session-a.json", "chats/session-b.jsonl"]
    others = [
        "chats/session-c.jsonl.unreadable-17",
        "chats/session-c.json.tmp-99",
        "logs.json",
        "checkpoint-x.json",
        "checkpoints/1.json",
        "shell_history",
    ]
    for name in wanted + others:
        rows = (metadata(), Messages().user("one")) if name.startswith("chats/") else ({},)
        write_lines(project / name, *rows)
    found = GeminiReader().files(project.parent)
    assert [str(path.relative_to(project)) for path in found] == wanted


def test_named_transcript_is_found_though_damaged(project: Path) -> None:
    path = write_lines(project / "chats" / "session-a.jsonl", b"damaged")
    assert list(GeminiReader().files(project)) == [path]


def test_elsewhere_transcripts_are_found_by_content(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "saved" / "talk.json", metadata(), Messages().user("one"))
    write_lines(tmp_path / "saved" / "other.json", {})
    assert list(GeminiReader().files(tmp_path)) == [path]


def test_folder_is_found_in_the_registry(project: Path) -> None:
    registry = {"projects": {"/srv/other": "other", "/srv/work/shop": "shop"}}
    (project.parent.parent / "projects.json").write_text(json.dumps(registry))
    assert cwd_of(project) == "/srv/work/shop"


def test_folder_is_found_in_its_marker(project: Path) -> None:
    (project / ".project_root").write_text("/srv/work/shop\n")
    assert cwd_of(project) == "/srv/work/shop"


def test_folder_is_found_by_the_hash_of_a_known_one(project: Path) -> None:
    registry = {"projects": {"/srv/other": "other", "/srv/work/shop": "moved-away"}}
    (project.parent.parent / "projects.json").write_text(json.dumps(registry))
    assert cwd_of(project, projectHash=digest("/srv/work/shop")) == "/srv/work/shop"


def test_folder_called_after_a_hash_is_found_by_a_neighbours_marker(
    tmp_path: Path, project: Path
) -> None:
    (project / ".project_root").write_text("/srv/work/shop")
    old = project.parent / digest("/srv/work/shop")
    assert cwd_of(old) == "/srv/work/shop"


def test_folder_is_found_among_the_trusted(project: Path) -> None:
    trusted = {"/srv/work/shop": "TRUST_FOLDER"}
    (project.parent.parent / "trustedFolders.json").write_text(json.dumps(trusted))
    assert cwd_of(project, projectHash=digest("/srv/work/shop")) == "/srv/work/shop"


def test_subagents_folders_are_named_in_its_file(project: Path) -> None:
    assert cwd_of(project, directories=["/srv/work/shop", "/srv/lib"]) == "/srv/work/shop"


@pytest.mark.parametrize("registry", ["", "[]", '{"projects": 7}', "{"])
def test_folder_that_nothing_tells_is_unknown(project: Path, registry: str) -> None:
    (project.parent.parent / "projects.json").write_text(registry)
    assert cwd_of(project) is None


def test_subagent_is_a_child_and_its_prompts_are_no_persons(project: Path, make: Messages) -> None:
    path = write_lines(
        project / "chats" / SESSION / "child.jsonl",
        metadata(sessionId="child", kind="subagent"),
        make.user("Find all callers."),
        make.gemini("", shell("cancelled", "User did not allow tool call")),
    )
    (child,) = transcripts(path)
    assert (child.head.id, child.head.parent) == ("child", SESSION)
    assert said(list(child.turns)) == [("refusal", "")]


def test_head_is_taken_from_the_metadata(project: Path, make: Messages) -> None:
    path = write_lines(project / "chats" / "session-a.jsonl", metadata(), make.user("one"))
    (transcript,) = transcripts(path)
    head = transcript.head
    assert (head.id, head.agent, head.parent) == (SESSION, "gemini-cli", None)
    assert head.started == "2026-04-05T06:00:00.000000Z"


def test_session_without_metadata_is_called_after_its_file(project: Path, make: Messages) -> None:
    path = write_lines(project / "chats" / "session-lost.jsonl", make.user("one"))
    (transcript,) = transcripts(path)
    assert transcript.head.id == "session-lost"
