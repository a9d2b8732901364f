"""Made-up sessions of a made-up person: what `remem demo` reads, and tests and benchmarks copy."""

import contextlib
import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Final

NAMES: Final = ("rate-limit", "release", "slow-tests", "date-picker")
_UUID_HEAD: Final = re.compile(r'"[0-9a-f]{8}(-[0-9a-f]{4}-)')


@contextlib.contextmanager
def session_folder() -> Iterator[Path]:
    """Give the bundled session files a folder on disk, wherever the package is installed."""
    with resources.as_file(resources.files(__name__)) as folder:
        yield folder


def copy_of(name: str, number: int) -> str:
    """Return a bundled session as another one: other ids, and `number` + 1 years earlier."""
    text = (resources.files(__name__) / f"{name}.jsonl").read_text("utf-8")
    text = _UUID_HEAD.sub(lambda match: f'"{number:08x}{match[1]}', text)
    return text.replace('"2026-', f'"{2025 - number}-')


def write_copies(folder: Path, count: int) -> list[Path]:
    """Write `count` sessions to a folder, no two alike, and return their files."""
    paths = []
    for number in range(count):
        name = NAMES[number % len(NAMES)]
        path = folder / f"{number:03d}-{name}.jsonl"
        path.write_text(copy_of(name, number // len(NAMES)), "utf-8")
        paths.append(path)
    return paths
