"""Whose session a rollout is, and which of its rows it copied from another.

A resume appends a session_meta row of the same session. A fork or a subagent begins with its own,
then the parent's and the parent's history, with the old times or with that of the copying. So the
first one names the file's session, and what is older than the fork is not news.
"""

from dataclasses import dataclass

from remem_agents.codex.names import META
from remem_agents.codex.rows import Payload, Row
from remem_agents.times import wire_time
from remem_protocol import parse_time

_PROGRAMS = frozenset({"exec", "mcp"})
_EXEC = "codex_exec"
_COPYING_SECONDS = 2.0  # a copied history bears the time of its copying


@dataclass(frozen=True, slots=True)
class Origin:
    """What the first session_meta row says of the session."""

    session: str | None = None
    parent: str | None = None
    programs: bool = False  # its prompts are a program's
    forked: bool = False
    created: str | None = None
    own_from: int | None = None  # the ordinal of its first row of its own


def origin_of(row: Row, meta: Payload) -> Origin:
    """Read a session_meta row."""
    session = meta.id or meta.session_id
    spawned = isinstance(meta.source, dict) and bool({"subagent", "internal"} & set(meta.source))
    parent = _parent_of(meta, session) if spawned or meta.parent_thread_id else None
    by_program = isinstance(meta.source, str) and meta.source in _PROGRAMS
    return Origin(
        session=session,
        parent=parent,
        programs=spawned or by_program or meta.originator == _EXEC,
        forked=meta.forked_from_id is not None or meta.subagent_history_start_ordinal is not None,
        created=wire_time(meta.timestamp) or wire_time(row.timestamp),
        own_from=meta.subagent_history_start_ordinal,
    )


def _parent_of(meta: Payload, session: str | None) -> str | None:
    """Find the session that started this one; the root's id stands in for an unknown parent."""
    if meta.parent_thread_id:
        return meta.parent_thread_id
    subagent = meta.source.get("subagent") if isinstance(meta.source, dict) else None
    spawn = subagent.get("thread_spawn") if isinstance(subagent, dict) else None
    named = spawn.get("parent_thread_id") if isinstance(spawn, dict) else None
    if isinstance(named, str):
        return named
    root = meta.forked_from_id or meta.session_id
    return root if root != session else None


class Replay:
    """Tells the rows that a fork copied from the ones that are its own."""

    def __init__(self, origin: Origin) -> None:
        self._origin = origin
        self._copying = origin.forked
        self._forked_at = uuid_time(origin.session) or _seconds(origin.created)
        self._written_at: float | None = None
        self._has_turn_ids = False
        self._has_begun = False

    def copies(self, row: Row, payload: Payload) -> bool:
        """Whether a row was copied; to be asked of every row, in order."""
        if row.type == META:
            return self._meta(row, payload)
        if self._copying:
            self._copying = not self._is_own(row, payload)
        self._has_begun = self._has_begun or not self._copying
        return self._copying

    def _meta(self, row: Row, meta: Payload) -> bool:
        if self._written_at is None:
            self._written_at = _seconds(wire_time(row.timestamp))
        foreign = (meta.id or meta.session_id) not in (None, self._origin.session)
        if foreign and not self._has_begun:  # a history is copied before anything is said
            self._copying = True
        return foreign

    def _is_own(self, row: Row, payload: Payload) -> bool:
        if self._origin.own_from is not None and row.ordinal is not None:
            return row.ordinal >= self._origin.own_from
        begun = uuid_time(payload.turn_id)
        if begun is not None and self._forked_at is not None:
            self._has_turn_ids = True
            return begun >= self._forked_at
        if self._has_turn_ids:
            return False
        # Without names of turns, only the time of writing is left to go by.
        written, at = self._written_at or self._forked_at, _seconds(wire_time(row.timestamp))
        return written is not None and at is not None and at > written + _COPYING_SECONDS


def uuid_time(name: str | None) -> float | None:
    """Read the time in a UUID of version 7, in seconds; None for other names."""
    if name is None or len(name) != 36 or name[14] != "7":
        return None
    try:
        return int(name[:8] + name[9:13], 16) / 1000
    except ValueError:
        return None


def _seconds(time: str | None) -> float | None:
    return parse_time(time).timestamp() if time else None
