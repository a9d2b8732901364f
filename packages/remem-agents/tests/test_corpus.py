"""Every real session file at hand reads without an exception; skipped where none are."""

from pathlib import Path

import pytest
from claude_files import statuses, transcripts

from remem_agents.codex import CodexReader
from remem_agents.registry import READERS, reader_for
from remem_agents.transcript import Seen
from remem_protocol import PersonTurn

CORPUS = next(
    (
        parent.parent / "shared" / "corpus" / "claude"
        for parent in Path(__file__).resolve().parents
        if (parent / "conformance").is_dir()
    ),
    Path("shared/corpus/claude"),
)


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus of real sessions beside the workspace")
def test_every_real_file_reads() -> None:
    seen, turns, damaged = Seen(), [], 0
    files = list(READERS[0].files(CORPUS))
    for path in files:
        assert reader_for(path) is READERS[0], path
        for transcript in transcripts(path, seen):
            turns += transcript.turns
            damaged += transcript.notes.damaged
    words = [turn for turn in turns if isinstance(turn, PersonTurn)]
    assert len(files) > 20
    assert damaged == 1
    assert {turn.via for turn in words} == {"prompt", "steering", "refusal", "comment", "command"}
    assert statuses(turns).count("missing") < len(statuses(turns)) // 100
    assert not [turn for turn in words if turn.text.startswith(("<", "[Request", "Caveat:"))]


@pytest.mark.skipif(
    not (CORPUS.parent / "codex").is_dir(), reason="no corpus of real rollouts beside the workspace"
)
def test_every_real_rollout_reads() -> None:
    reader, seen, turns = CodexReader(), Seen(), []
    for path in reader.files(CORPUS.parent / "codex"):
        assert isinstance(reader_for(path), CodexReader), path
        (transcript,) = reader.read(path, seen)
        turns += transcript.turns
        assert transcript.notes.damaged == 0
        assert transcript.head.cwd is not None
    words = [turn for turn in turns if isinstance(turn, PersonTurn)]
    assert {turn.via for turn in words} == {"prompt", "steering"}
    assert statuses(turns).count("missing") < len(statuses(turns)) // 100
    assert statuses(turns).count("failed") > 20
    assert not [turn for turn in words if turn.text.startswith(("<", "#"))]


@pytest.mark.parametrize(
    ("folder", "agent", "files"),
    [("gemini", "gemini-cli", 8), ("chatgpt", "chatgpt", 6), ("claudeai", "claude-ai", 9)],
)
@pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus of real chats beside the workspace")
def test_every_real_chat_is_found_and_reads(folder: str, agent: str, files: int) -> None:
    (reader,) = (reader for reader in READERS if reader.name == agent)
    found = list(reader.files(CORPUS.parent / folder))
    assert len(found) == files
    for path in found:
        assert reader_for(path) is reader, path
        (transcript,) = reader.read(path, Seen())
        words = [turn.text for turn in transcript.turns if isinstance(turn, PersonTurn)]
        assert words, path
        assert transcript.notes.damaged == 0
        assert not [text for text in words if text.startswith(("<", "System:", "/"))]
