"""Run what changes a store on a disk that fills up; nothing may be lost, and it must be said.

Usage: full_disk.py [--points 24] [--sessions 60] [--seed 1]

Needs root, or the right to mount: each point is a command on a small tmpfs of its own with little
room left. A command must end well or with one clear line; after room is made, another run must
end as an undisturbed one. Exits 1 if anything was lost, half done or unclear.
"""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from store_trials import Trial, judge, judge_again, run, trials

_ROOM = 64 << 20


def main() -> int:
    """Run the experiment and print its result."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--points", type=int, default=24)
    parser.add_argument("--sessions", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chance, refused, wrong = random.Random(arguments.seed), Counter[str](), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        made = trials(Path(folder), arguments.sessions)
        disk = Path(folder) / "disk"
        disk.mkdir()
        for point in range(arguments.points):
            trial = made[point % len(made)]
            size = sum(p.stat().st_size for p in trial.before.rglob("*") if p.is_file())
            said, why = _on_little_room(trial, disk, int(size * chance.uniform(0.02, 1.5)))
            refused[trial.name] += bool(said)
            if why:
                wrong.append(f"{trial.name}: {why}")
                print(wrong[-1], file=sys.stderr, flush=True)
    print("refused  " + ", ".join(f"{name} {count}" for name, count in refused.items()))
    print(f"points {arguments.points}  refused {refused.total()}  wrong {len(wrong)}")
    return 1 if wrong else 0


def _on_little_room(trial: Trial, disk: Path, room: int) -> tuple[str, str]:
    """Return (what the command said when it failed, what is wrong)."""
    _mount(disk)
    try:
        home = disk / "home"
        shutil.copytree(trial.before, home)
        filler = disk / "filler"
        with filler.open("wb") as file:
            file.truncate(0)
            _fill(file, shutil.disk_usage(disk).free - room)
        code, said = run(home, trial.command)
        unclear = _unclear(said) if code else ""
        filler.unlink()
        why = unclear or judge(trial, home) or judge_again(trial, home)
        return (said if code else ""), why
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


def _unclear(said: str) -> str:
    """Return what was said when it is not one line about the disk."""
    lines = [line for line in said.splitlines() if not line.startswith(("Read ", "Remembered "))]
    clear = any("full" in line or "No space" in line for line in lines)
    if clear and "Traceback" not in said:
        return ""
    return f"unclear: {said[-300:]!r}"


def _mount(disk: Path) -> None:
    options = f"size={_ROOM}"
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(disk)], capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"a small disk can not be mounted here: {done.stderr.strip()}")


def _fill(file: object, count: int) -> None:
    block = b"x" * (1 << 20)
    while count > 0:
        count -= file.write(block[: min(len(block), count)])  # type: ignore[attr-defined]


if __name__ == "__main__":
    sys.exit(main())
