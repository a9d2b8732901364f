"""Finding session files: what is one, through links, once, and always in the same order."""

import os
from pathlib import Path

import pytest
from claude_files import Rows, line, write

from remem_agents.registry import READERS, reader_for

READER = READERS[0]


def below(folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in READER.files(folder)]


def test_all_layouts_are_found_and_nothing_else(tmp_path: Path) -> None:
    for name in (
        "p/s1.jsonl",
        "p/agent-0a1b2c3d.jsonl",
        "p/s1/subagents/agent-x.jsonl",
        "p/s1/subagents/agent-x.meta.json",
        "p/s1/subagents/workflows/wf/agent-y.jsonl",
        "p/s1/subagents/workflows/wf/journal.jsonl",
        "p/s1/subagents/notes.jsonl",
        "p/s1/tool-results/out.jsonl",
        "p/history.jsonl",
        "p/memory/MEMORY.md",
    ):
        write(tmp_path / name, b"{}\n")
    assert below(tmp_path) == [
        "p/agent-0a1b2c3d.jsonl",
        "p/s1/subagents/agent-x.jsonl",
        "p/s1/subagents/workflows/wf/agent-y.jsonl",
        "p/s1.jsonl",
    ]


def test_single_file_is_itself_whatever_its_name(tmp_path: Path) -> None:
    path = write(tmp_path / "export.txt", b"{}\n")
    assert list(READER.files(path)) == [path]
    assert list(READER.files(tmp_path / "gone")) == []


def test_links_are_followed_once_and_never_in_circles(tmp_path: Path) -> None:
    write(tmp_path / "shared" / "p" / "s1.jsonl", b"{}\n")
    projects = tmp_path / "projects"
    projects.mkdir()
    (projects / "a").symlink_to(tmp_path / "shared" / "p")
    (projects / "b").symlink_to(tmp_path / "shared" / "p")
    (tmp_path / "shared" / "p" / "up").symlink_to(projects)
    (tmp_path / "shared" / "p" / "s2.jsonl").symlink_to("s1.jsonl")
    assert below(projects) == ["a/s1.jsonl"]


def test_root_follows_the_agents_own_setting(tmp_path: Path) -> None:
    for folder in ("home/.claude/projects", "config/projects"):
        (tmp_path / folder).mkdir(parents=True)
    home = {"HOME": str(tmp_path / "home")}
    config = {"CLAUDE_CONFIG_DIR": str(tmp_path / "config")}
    assert READER.roots(home) == [tmp_path / "home/.claude/projects"]
    assert READER.roots({**home, **config}) == [tmp_path / "config/projects"]
    assert READER.roots({"HOME": str(tmp_path / "nobody")}) == []


@pytest.mark.parametrize(
    ("content", "ours"),
    [
        (line(Rows().user("go")), True),
        (b"\0" * 40 + b"\n" + line(Rows().user("go")), True),
        (line(Rows().user("x" * 900_000)), True),
        (b'{"type":"summary","summary":"x","leafUuid":"y"}\n', True),
        (b'{"type":"file-history-snapshot","messageId":"y","snapshot":{}}\n', True),
        (b"", False),
        (
            b'{"timestamp":"2026-03-04T05:06:07Z","type":"session_meta","payload":{"id":"x"}}\n',
            False,
        ),
        (b'{"sessionId":"x","projectHash":"y","startTime":"2026-03-04T05:06:07Z"}\n', False),
        (b'{"type":"session","v":"1.0","id":"x","agent":"claude-code","turns":[]}\n', False),
        (b'[{"mapping":{},"current_node":"x"}]', False),
        (line({"type": "text", "text": line(Rows().user("quoted")).decode()}), False),
    ],
)
def test_file_is_recognised_by_its_content(tmp_path: Path, content: bytes, ours: bool) -> None:
    path = write(tmp_path / "some.txt", content)
    assert (reader_for(path) is READER) is ours


def test_reader_is_found_by_name(tmp_path: Path) -> None:
    assert reader_for(tmp_path / "any", "claude-code") is READER
    assert reader_for(tmp_path / "any", "nobody") is None


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every folder")
def test_folder_that_may_not_be_read_hides_only_itself(tmp_path: Path) -> None:
    write(tmp_path / "a" / "s1.jsonl", b"{}\n")
    write(tmp_path / "b" / "s2.jsonl", b"{}\n")
    (tmp_path / "a").chmod(0)
    try:
        assert below(tmp_path) == ["b/s2.jsonl"]
    finally:
        (tmp_path / "a").chmod(0o700)
