"""Peak memory of reading a 1 GB session against that of a 10 MB one: it should be the same.

Run `python benchmarks/session_memory.py [claude-code|codex] [MEGABYTES …]`; the files are written
to a temporary folder and deleted. Each reading is a process of its own, so that its peak is too.
"""

import io
import itertools
import json
import random
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

CLAUDE_CODE, CODEX = "claude-code", "codex"
_MEGABYTE = 1_000_000
_WORDS = "the build failed because this path is read before it was written again and so on".split()
_READ = """
import resource, sys
from pathlib import Path
from remem_agents.registry import reader_for
from remem_agents.transcript import Seen
path = Path(sys.argv[1])
transcripts = reader_for(path).read(path, Seen())
turns = sum(1 for transcript in transcripts for _ in transcript.turns)
print(turns, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def write_session(file: BinaryIO, size: int, agent: str = CLAUDE_CODE, seed: int = 7) -> None:
    """Write a session of about `size` bytes with rows of the sizes that real ones have.

    Half of the bytes are in results, of which a few are very long; in Claude Code's, one row in
    four is a progress row, as in sessions of early 2026.
    """
    written = 0
    for row in _rows(agent, random.Random(seed)):
        written += file.write(json.dumps(row, separators=(",", ":")).encode() + b"\n")
        if written >= size:
            return


def _rows(agent: str, rng: random.Random) -> Iterator[dict[str, object]]:
    if agent == CLAUDE_CODE:
        return itertools.chain.from_iterable(_exchange(rng, number) for number in itertools.count())
    codex = runpy.run_path(str(Path(__file__).with_name("codex_session.py")))
    rows: Iterator[dict[str, object]] = codex["rows"](rng, _prose)
    return rows


def _exchange(rng: random.Random, number: int) -> Iterator[dict[str, object]]:
    """A prompt and six replies, each a text and a call with its result."""
    yield _row(rng, "user", message={"role": "user", "content": _prose(rng, 30)})
    for reply in range(6):
        message, call = f"msg_{number}_{reply}", f"toolu_{number}_{reply}"
        fails = rng.random() < 0.05
        length = 400_000 if rng.random() < 0.002 else int(rng.paretovariate(1.1) * 150)
        arguments = {"command": _prose(rng, 12), "description": _prose(rng, 5)}
        text = {"type": "text", "text": _prose(rng, 40)}
        use = {"type": "tool_use", "id": call, "name": "Bash", "input": arguments}
        output = ("Exit code 1\n" if fails else "") + _prose(rng, min(length, 60_000))
        result = {"type": "tool_result", "tool_use_id": call, "content": output}
        yield _row(rng, "assistant", message=_reply(message, text))
        yield _row(rng, "assistant", message=_reply(message, use))
        yield _row(rng, "progress", data={"type": "bash_progress", "output": _prose(rng, 200)})
        yield _row(
            rng,
            "user",
            message={
                "role": "user",
                "content": [{**result, "is_error": True} if fails else result],
            },
            toolUseResult={"stdout": output, "stderr": "", "interrupted": False},
        )


def _row(rng: random.Random, kind: str, **fields: object) -> dict[str, object]:
    return {
        "parentUuid": None,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/srv/work/sample",
        "sessionId": "5e551011-0000-4000-8000-000000000001",
        "version": "2.1.50",
        "gitBranch": "main",
        "type": kind,
        "uuid": f"{rng.getrandbits(128):032x}",
        "timestamp": "2026-03-04T05:06:07.890Z",
        **fields,
    }


def _reply(message: str, block: dict[str, object]) -> dict[str, object]:
    usage = {"input_tokens": 4, "cache_read_input_tokens": 51_000, "output_tokens": 210}
    return {
        "id": message,
        "type": "message",
        "role": "assistant",
        "model": "a-model",
        "content": [block],
        "stop_reason": None,
        "usage": usage,
    }


def _prose(rng: random.Random, words: int) -> str:
    start = rng.randrange(len(_WORDS))
    return " ".join((_WORDS[start:] + _WORDS) * (words // len(_WORDS) + 1))[: words * 6]


def session_bytes(size: int, agent: str = CLAUDE_CODE) -> bytes:
    """A session of about `size` bytes, in memory."""
    buffer = io.BytesIO()
    write_session(buffer, size, agent)
    return buffer.getvalue()


def peak_kilobytes(path: Path) -> tuple[int, int]:
    """Read a session in a process of its own; its number of turns and peak resident size."""
    done = subprocess.run(
        [sys.executable, "-c", _READ, str(path)], check=True, capture_output=True, text=True
    )
    turns, peak = done.stdout.split()
    return int(turns), int(peak)


def main(sizes: list[int], agent: str) -> None:
    """Measure and print each size in megabytes, and the ratio of the last to the first."""
    peaks = []
    for megabytes in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "session.jsonl"
            with path.open("wb") as file:
                write_session(file, megabytes * _MEGABYTE, agent)
            turns, peak = peak_kilobytes(path)
        peaks.append(peak)
        print(f"{megabytes:6} MB  {turns:9} turns  peak {peak / 1024:7.1f} MiB", flush=True)
    print(f"ratio {peaks[-1] / peaks[0]:.2f}")


if __name__ == "__main__":
    given = sys.argv[1:]
    chosen = given.pop(0) if given and not given[0].isdigit() else CLAUDE_CODE
    main([int(size) for size in given] or [10, 1000], chosen)
