"""Reading a session as a multiple of decoding the same lines with msgspec and doing nothing."""

import runpy
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from remem_agents.registry import reader_for
from remem_agents.transcript import Seen, Transcript

_BYTES = 5_000_000


@pytest.fixture(scope="module", params=["claude-code", "codex"])
def session(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    generator = runpy.run_path(str(Path(__file__).with_name("session_memory.py")))
    path = tmp_path_factory.mktemp("ingest") / "session.jsonl"
    path.write_bytes(generator["session_bytes"](_BYTES, request.param))
    return path


def _decode(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for line in file if msgspec.json.decode(line))


def _read(path: Path) -> Iterator[Transcript]:
    reader = reader_for(path)
    assert reader is not None
    return reader.read(path, Seen())


def _parse(path: Path) -> int:
    return sum(1 for transcript in _read(path) for _ in transcript.turns)


def _parse_and_detect(path: Path) -> int:
    from remem_core.surprise import detect

    return sum(1 for transcript in _read(path) for _ in detect(transcript.head, transcript.turns))


def _best_of(rounds: int, work: Callable[[], object]) -> float:
    def once() -> float:
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    return min(once() for _ in range(rounds))


def _report(benchmark: BenchmarkFixture, path: Path, work: Callable[[Path], int]) -> None:
    plain = _best_of(5, lambda: _decode(path))
    assert benchmark(work, path) > 0
    if benchmark.stats is not None:
        benchmark.extra_info["times_msgspec_decode"] = round(benchmark.stats.stats.min / plain, 2)


def test_parse_relative_to_decoding(benchmark: BenchmarkFixture, session: Path) -> None:
    _report(benchmark, session, _parse)


def test_parse_and_detect_relative_to_decoding(benchmark: BenchmarkFixture, session: Path) -> None:
    _report(benchmark, session, _parse_and_detect)
