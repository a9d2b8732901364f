"""How the tests drive the suite: its own command line, in this process, against real children."""

import json
import pathlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from remem_conformance.__main__ import main

ADAPTERS = pathlib.Path(__file__).resolve().parents[1] / "adapters"
sys.path.insert(0, str(pathlib.Path(__file__).parent))  # one module of tests looks at another


@dataclass
class Outcome:
    """What one run of the suite gave."""

    code: int
    rows: list[dict[str, Any]]

    def verdicts(self) -> dict[str, str]:
        return {row["case"]: row["verdict"] for row in self.rows if "case" in row}

    def having(self, verdict: str) -> list[str]:
        return [case for case, found in self.verdicts().items() if found == verdict]

    def why(self, case: str) -> str:
        return next(row["why"] for row in self.rows if row.get("case") == case)


@pytest.fixture
def suite(tmp_path: pathlib.Path) -> Callable[..., Outcome]:
    """Run the suite against an adapter: a file of conformance/adapters, or any command."""

    def run(
        adapter: str | pathlib.Path, *more: str, vectors: pathlib.Path | None = None
    ) -> Outcome:
        if isinstance(adapter, str) and adapter.endswith(".py"):
            adapter = ADAPTERS / adapter
        command = (
            f"'{sys.executable}' '{adapter}'" if isinstance(adapter, pathlib.Path) else adapter
        )
        report = tmp_path / "report.jsonl"
        elsewhere = ["--vectors", str(vectors)] if vectors else []
        code = main([*elsewhere, "run", "--adapter", command, "--report", str(report), *more])
        lines = report.read_text("utf-8").splitlines() if report.exists() else []
        return Outcome(code, [json.loads(line) for line in lines])

    return run


@pytest.fixture
def script(tmp_path: pathlib.Path) -> Callable[..., pathlib.Path]:
    """Write an adapter on top of `minimal`, from some lines that come before its loop."""

    def write(lines: str, name: str = "adapter.py") -> pathlib.Path:
        path = tmp_path / name
        head = f"import sys\nsys.path.insert(0, {str(ADAPTERS)!r})\nimport minimal, tiny_codec\n"
        path.write_text(f"{head}{lines}\nminimal.main()\n", "utf-8")
        return path

    return write


@pytest.fixture
def vectors(tmp_path: pathlib.Path) -> Callable[..., pathlib.Path]:
    """Write a folder of vectors: id → what differs from a sound case of negotiating."""

    def write(**cases: dict[str, Any]) -> pathlib.Path:
        root = tmp_path / "vectors"
        for name, changes in cases.items():
            case = {
                "description": "A case of the tests.",
                "req": ["OVR-006"],
                "level": "must",
                "role": "codec",
                "op": "negotiate",
                "input": {"offered": ["1.0"]},
                "expect": {"ok": {"version": "1.0"}},
            }
            root.mkdir(exist_ok=True)
            (root / f"{name}.json").write_text(json.dumps(case | changes), "utf-8")
        return root

    return write
