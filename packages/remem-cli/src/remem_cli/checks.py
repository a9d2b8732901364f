"""What `remem doctor` looks at: each check answers ok, warn or fail, and what to do about it."""

import contextlib
import datetime
import json
import shutil
import sqlite3
import stat
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from remem_cli import wiring
from remem_cli.errors import explain
from remem_cli.output import plural, size
from remem_core.errors import BusyError, StoreError
from remem_core.paths import Locations, is_foreign, locate
from remem_protocol import parse_time

if TYPE_CHECKING:
    from remem_core.store.checking import Health

Verdict = Literal["ok", "warn", "fail"]
# Claude Code deletes transcripts after this many days unless its settings say otherwise.
CLAUDE_CODE_KEEPS: Final = 30


@dataclass(frozen=True)
class Finding:
    """One line of the doctor's: `remedy` says what to do, where something is to be done."""

    name: str
    verdict: Verdict
    words: str
    remedy: str = ""


def check_all(env: Mapping[str, str], now: datetime.datetime) -> Iterator[Finding]:
    """Yield every finding; a check that breaks is itself a finding, and the rest goes on."""
    places = locate(env=env)
    checks: list[tuple[str, Callable[[], Iterator[Finding]]]] = [
        ("program", check_program),
        ("home", lambda: check_home(places)),
        ("store", lambda: check_store(places)),
        ("snapshots", lambda: check_snapshots(places)),
        ("embedding", lambda: check_embedding(places)),
        ("model", lambda: check_model(env)),
        ("agents", lambda: check_agents(env)),
        ("setup", lambda: check_setup(env, places, now)),
        ("retention", lambda: check_retention(env, places, now)),
    ]
    for name, check in checks:
        try:
            yield from check()
        except Exception as error:
            yield Finding(name, "fail", explain(error))


def check_program() -> Iterator[Finding]:
    """Check Python and the SQLite that came with it."""
    version = ".".join(map(str, sys.version_info[:3]))
    yield Finding("python", "ok", version)
    with contextlib.closing(sqlite3.connect(":memory:")) as db:
        try:
            db.execute("create virtual table probe using fts5 (text)")
        except sqlite3.OperationalError:
            yield Finding(
                "sqlite",
                "fail",
                f"{sqlite3.sqlite_version} without FTS5, so nothing can be searched",
                "use a Python whose sqlite3 has FTS5, e.g. one from python.org or uv",
            )
        else:
            yield Finding("sqlite", "ok", f"{sqlite3.sqlite_version} with FTS5")


def check_home(places: Locations) -> Iterator[Finding]:
    """Check that the home is ours, and only its owner's."""
    home = places.home
    if is_foreign(home):
        yield Finding(
            "home",
            "fail",
            f"{home} holds another program's files",
            "set REMEM_HOME to another folder; nothing was written there",
        )
    elif not home.exists():
        yield Finding("home", "warn", f"{home} does not exist yet", "run `remem ingest`")
    else:
        yield _check_modes(places)


def _check_modes(places: Locations) -> Finding:
    wide = [path for path in (places.home, *_stored(places)) if _is_open_to_others(path)]
    if not wide:
        return Finding("home", "ok", f"{places.home}, readable by you alone")
    names = " ".join(map(str, wide))
    return Finding("home", "warn", f"others can read {names}", f"run `chmod go= {names}`")


def _stored(places: Locations) -> list[Path]:
    kept = places.snapshots.rglob("*") if places.snapshots.is_dir() else ()
    return sorted([*places.db.parent.glob(places.db.name + "*"), places.snapshots, *kept])


def _is_open_to_others(path: Path) -> bool:
    return (
        sys.platform != "win32"
        and path.exists()
        and bool(stat.S_IMODE(path.stat().st_mode) & 0o077)
    )


def check_store(places: Locations) -> Iterator[Finding]:
    """Check the file's schema, its integrity, its word index and vectors, and its room."""
    from remem_core.store.checking import examine
    from remem_core.store.connection import SCHEMA_VERSION

    if not places.db.exists():
        return
    try:
        health = examine(places.db)
    except BusyError as error:
        yield Finding("store", "warn", error.message, "it is in use, not damaged; try again")
        return
    except StoreError as error:
        yield Finding("integrity", "fail", error.message, _REPAIR)
        return
    if health.schema > SCHEMA_VERSION:
        words = f"schema {health.schema}, this program knows {SCHEMA_VERSION}"
        yield Finding("schema", "fail", words, "upgrade remem")
    else:
        yield Finding("schema", "ok", str(health.schema))
    if health.damage:
        yield Finding("integrity", "fail", health.damage, _REPAIR)
        return
    yield Finding("integrity", "ok", "quick_check found nothing")
    yield from _check_caches(health)
    yield _check_space(places, health)


def _check_caches(health: "Health") -> Iterator[Finding]:
    if health.words:
        yield Finding("words", "fail", f"the word index is stale: {health.words}", "`remem repair`")
    else:
        yield Finding("words", "ok", "the word index fits what is remembered")
    if bad := health.odd_vectors + health.orphans:
        words = f"{plural(bad, 'vector')} of a wrong length or of nothing"
        yield Finding("vectors", "fail", words, "run `remem repair`")


def _check_space(places: Locations, health: "Health") -> Finding:
    free = shutil.disk_usage(places.db.parent).free
    words = f"{size(health.bytes)} stored, {size(free)} free on the disk"
    if free < max(_ROOM, 2 * health.bytes):
        return Finding("space", "warn", words, "free some: a snapshot needs as much again")
    if health.worth_vacuum:
        words += f", {size(health.free_bytes)} of the file unused"
        return Finding("space", "warn", words, "`remem repair` gives them back")
    return Finding("space", "ok", words)


def check_snapshots(places: Locations) -> Iterator[Finding]:
    """Check that the snapshots are whole, as far as their sizes tell."""
    from remem_core.keeping.snapshot import Snapshots

    snapshots = Snapshots(places.snapshots)
    there = snapshots.all()
    for snapshot in there:
        if snapshot.damaged:
            words = f"{snapshot.name}: {snapshot.damaged}"
            yield Finding("snapshots", "warn", words, "delete its .json; it can not be restored")
    if leftovers := snapshots.leftovers():
        words = f"{plural(len(leftovers), 'file')} of interrupted copies"
        yield Finding("snapshots", "warn", words, "`remem repair` removes them")
    elif there and not any(snapshot.damaged for snapshot in there):
        words = f"{plural(len(there), 'snapshot')}, the last of {there[-1].made[:10]}"
        yield Finding("snapshots", "ok", words)


_ROOM = 100_000_000
_REPAIR = "run `remem repair`: it copies the file, then reads out of it what can be read"


def check_embedding(places: Locations) -> Iterator[Finding]:
    """Check that the embedder loads and answers, and whether anything waits for it."""
    from remem_core.embed import open_embedder

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        embedder = open_embedder()
    length = embedder.embed(["one short text"]).shape[1]
    words = f"{embedder.space}, {length} dimensions"
    if caught:
        yield Finding("embedding", "warn", words, str(caught[0].message))
    else:
        yield Finding("embedding", "ok", words)
    if places.db.exists():
        yield _check_pending(embedder.space)


def _check_pending(space: str) -> Finding:
    with wiring.open_memory() as memory:
        status = memory.status()
    pending = status.episodes + status.archived - status.vectors.get(space, 0)
    if pending <= 0:
        return Finding("vectors", "ok", "none pending")
    words = f"{pending:,} memories have no vector in this space; they are found by words alone"
    return Finding("vectors", "warn", words, "run `remem ingest`, it makes them")


def check_model(env: Mapping[str, str]) -> Iterator[Finding]:
    """Say whether a language model may be asked, and where; nothing is sent to it now."""
    from remem_core.llm import VARIABLE, open_reviewer

    reviewer = open_reviewer(env)
    if reviewer is None:
        yield Finding("model", "ok", f"none is asked ({VARIABLE} names none)")
    else:
        yield Finding(
            "model", "ok", f"{reviewer} may judge what is unsure and word what failed ({VARIABLE})"
        )


def check_agents(env: Mapping[str, str]) -> Iterator[Finding]:
    """Count the session files of each agent."""
    found = False
    for reader in wiring.readers():
        for root in reader.roots(env):
            found = True
            count = sum(1 for _ in reader.files(root))
            yield Finding(reader.name, "ok", f"{plural(count, 'session file')} in {root}")
    if not found:
        names = ", ".join(reader.name for reader in wiring.readers())
        words = f"no sessions found of {names}"
        yield Finding("agents", "warn", words, "give `remem ingest` the folder they are in")


def check_setup(
    env: Mapping[str, str], places: Locations, now: datetime.datetime
) -> Iterator[Finding]:
    """Check that what `remem setup` wired is there, and that nothing keeps it from working."""
    from remem_agents.setup.machine import Machine
    from remem_agents.setup.manifest import Notebook
    from remem_agents.setup.proof import check
    from remem_cli.programs import host_commands

    manifest = Notebook.at(places.setup).load()
    beats = places.primed / "beats"  # each hook touches a file of its own
    fired = {
        beat.name: now - datetime.datetime.fromtimestamp(beat.stat().st_mtime, datetime.UTC)
        for beat in (beats.iterdir() if beats.is_dir() else ())
    }
    machine, commands = Machine.here(env), host_commands(env)
    for found in check(machine, commands, manifest, fired, Path.cwd(), _used(env, now)):
        yield Finding(found.name, found.verdict, found.words, found.remedy)


def _used(env: Mapping[str, str], now: datetime.datetime) -> dict[str, datetime.timedelta]:
    """Return how long ago each agent wrote to a session last."""
    latest = {
        reader.name: max(
            (path.stat().st_mtime for root in reader.roots(env) for path in reader.files(root)),
            default=None,
        )
        for reader in wiring.readers()
    }
    return {
        agent: now - datetime.datetime.fromtimestamp(at, datetime.UTC)
        for agent, at in latest.items()
        if at is not None
    }


def check_retention(
    env: Mapping[str, str], places: Locations, now: datetime.datetime
) -> Iterator[Finding]:
    """Check that sessions are read before Claude Code deletes them."""
    for agent, root in wiring.agent_roots(env):
        if agent != "claude-code":
            continue
        days = _retention_days(root.parent / "settings.json")
        age = _days_since_ingest(places, now)
        words = f"Claude Code deletes transcripts after {plural(days, 'day')}"
        if age is None:
            yield Finding("retention", "warn", words, "run `remem ingest` before it does")
        elif age * 2 > days:
            words += f", the last ingest was {age:.0f} days ago"
            yield Finding("retention", "warn", words, "run `remem ingest` more often")
        else:
            yield Finding("retention", "ok", f"{words}; what was read stays")


def _retention_days(settings: Path) -> int:
    try:
        found: Any = json.loads(settings.read_bytes())
    except (OSError, ValueError):
        return CLAUDE_CODE_KEEPS
    days = found.get("cleanupPeriodDays") if isinstance(found, dict) else None
    return days if type(days) is int and days >= 0 else CLAUDE_CODE_KEEPS


def _days_since_ingest(places: Locations, now: datetime.datetime) -> float | None:
    if not places.db.exists():
        return None
    with wiring.open_memory() as memory:
        last = memory.status().last_read
    return None if last is None else (now - parse_time(last)).total_seconds() / 86_400
