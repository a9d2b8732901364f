"""A person's machine in a temporary folder: their home, their sessions, their memory."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from remem_cli.__main__ import main
from remem_cli.demo import copy_of

Write = Callable[..., Path]


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture(autouse=True)
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing of the developer's own machine is read or written."""
    for name in ("REMEM_DB", "REMEM_DEBUG", "REMEM_LLM", "NO_COLOR", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("REMEM_HOME", str(tmp_path / "memory"))
    monkeypatch.setenv("REMEM_EMBED", "hashed")
    return tmp_path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in this process."""

    def run_command(*argv: str | Path) -> Ran:
        capsys.readouterr()
        try:
            code = main([str(word) for word in argv])
        except SystemExit as left:  # argparse, for --help and wrong usage
            code = left.code if isinstance(left.code, int) else 1
        got = capsys.readouterr()
        return Ran(code, got.out, got.err)

    return run_command


@pytest.fixture
def write_session(machine: Path) -> Write:
    """Write copies of the bundled sessions; each number is another session in another year."""

    def write(name: str, number: int = 0, folder: Path | None = None) -> Path:
        folder = folder or machine / "sessions"
        folder.mkdir(exist_ok=True, parents=True)
        path = folder / f"{name}-{number}.jsonl"
        path.write_text(copy_of(name, number), "utf-8")
        return path

    return write
