"""The judge that a live process holds: ready for projects in which it was not started."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from remem_cli.judging import LiveJudge
from remem_cli.serving import ServedMemory
from remem_core import Memory
from remem_core.embed import Embedder, open_embedder
from remem_core.paths import locate
from remem_protocol import Correction

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ASKED = {"kind": "prompt", "session": "s9", "prompt": "add slowapi to the dependencies"}
SAID = ("We use uv here, not pip.", "Never edit the generated client by hand.")


class Watched:
    """The installed model, and what it was asked."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.space, self.dimensions = embedder.space, embedder.dimensions
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        self.asked += texts
        return self._embedder.embed(texts)


@pytest.fixture
def other(machine: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with two lessons, which is not the folder that the judge is started in."""
    monkeypatch.delenv("REMEM_EMBED")
    project = machine / "orchard"
    (project / ".git").mkdir(parents=True)
    with Memory.open() as memory:
        memory.emit(
            Correction(
                said=said, agent_did="Did the other.", cause="message", source="owner",
                at=f"2026-11-0{day}T09:00:00.000000Z", session=f"{said[:4]}{day}",
                cwd=str(project), project=f"path:{os.path.realpath(project)}",
            )
            for said in SAID
            for day in (1, 2)
        )  # fmt: skip
        memory.sleep()
    return project


@pytest.mark.parametrize("prepared", [True, False])
def test_the_first_moment_of_another_project_embeds_itself_alone(
    other: Path, prepared: bool
) -> None:
    model = Watched(open_embedder())
    judge = LiveJudge(ServedMemory(), model, locate().db)
    judge.warm_up()
    if prepared:
        judge.prepare()
    model.asked.clear()
    _, known, project = judge(ASKED | {"cwd": str(other)}, set())
    assert (known, project) == (2, f"path:{os.path.realpath(other)}")
    assert ASKED["prompt"] in model.asked
    assert (len(model.asked) == 1) is prepared
