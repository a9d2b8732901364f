"""Where a memory lives on disk: `~/.remem`, each place overridable, never another program's.

A program of the same name uses the same folder, so ours carries a marker file; a folder that
holds anything else is refused, not shared.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from remem_core.errors import ForeignHomeError

MARKER = ".remem-home"
_MARKER_TEXT = "This folder belongs to remem, a memory for coding agents. See `remem paths`.\n"
# SQLite's application id, at byte 68 of the file: "REMM".
APPLICATION_ID = 0x52454D4D


@dataclass(frozen=True)
class Locations:
    """Every place of one memory. Each can be moved by the environment variable of `variable`."""

    home: Path
    db: Path
    config: Path
    inbox: Path
    snapshots: Path
    keys: Path
    primed: Path
    morning: Path
    lessons: Path
    vetoed: Path
    written: Path
    setup: Path

    @staticmethod
    def variable(name: str) -> str:
        """Return the environment variable that overrides a place: `db` → `REMEM_DB`."""
        return f"REMEM_{name.upper()}"

    def items(self) -> list[tuple[str, Path]]:
        """Return (name, path) of every place, the home first."""
        return [(f.name, getattr(self, f.name)) for f in fields(self)]


_DEFAULTS = {
    "db": "memory.db",
    "config": "config.toml",
    "inbox": "inbox",
    "snapshots": "snapshots",
    "keys": "keys",
    "primed": "primed",
    "morning": "morning.md",
    "lessons": "lessons.jsonl",
    "vetoed": "vetoed.json",
    "written": "written.json",
    "setup": "setup.json",
}


def locate(home: Path | None = None, env: Mapping[str, str] = os.environ) -> Locations:
    """Return the places of the memory at `home`, else at `REMEM_HOME`, else at `~/.remem`.

    A given home holds everything: only the default one obeys the single variables.
    """
    if home is not None:
        base, env = home, {}
    else:
        base = Path(env["REMEM_HOME"]) if env.get("REMEM_HOME") else Path.home() / ".remem"
    base = base.expanduser().absolute()
    places = {
        name: Path(env[Locations.variable(name)]).expanduser().absolute()
        if env.get(Locations.variable(name))
        else base / file
        for name, file in _DEFAULTS.items()
    }
    return Locations(home=base, **places)


def is_ours(home: Path) -> bool:
    """Tell whether a folder is a memory's: by the marker, or by a database of ours."""
    return (home / MARKER).is_file() or _is_our_database(home / _DEFAULTS["db"])


def is_foreign(home: Path) -> bool:
    """Tell whether a folder exists, holds something, and is not a memory's."""
    # In this order: another process may be marking an empty folder as ours just now.
    return home.is_dir() and any(home.iterdir()) and not is_ours(home)


def claim(places: Locations) -> None:
    """Make the home ours: 0700, with its marker; raise ForeignHomeError if it is another's."""
    home = places.home
    if home.exists() and not home.is_dir():
        raise ForeignHomeError(f"{home} is not a folder; set REMEM_HOME to another place")
    if is_foreign(home):
        raise ForeignHomeError(
            f"{home} holds another program's files; set REMEM_HOME to another place"
        )
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    marker = home / MARKER
    if not marker.is_file():
        marker.write_text(_MARKER_TEXT, "utf-8")


def _is_our_database(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            header = file.read(72)
    except OSError:
        return False
    return header[:15] == b"SQLite format 3" and header[68:72] == APPLICATION_ID.to_bytes(4, "big")
