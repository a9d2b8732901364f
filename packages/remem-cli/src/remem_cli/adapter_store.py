"""The conformance suite's operations on a store, carried to one memory in a folder of its own.

The memory's clock stands at the `now` of the request; its folder goes with the next reset.
"""

import base64
import datetime
import io
import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remem_core.errors import DamagedImportError
from remem_protocol import (
    Event,
    Session,
    UnknownEvent,
    decode_event,
    decode_session,
    encode,
    parse_time,
)
from remem_protocol.memory import Episode

if TYPE_CHECKING:
    from remem_core.embed import Embedder
    from remem_core.memory import Memory

Value = dict[str, Any]
_NARROWING = (
    "project", "kinds", "layers", "agents", "since", "until", "at", "archived", "limit",
)  # fmt: skip


class Store:
    """The memory of one case; the embedding model is loaded once and stays."""

    def __init__(self) -> None:
        self._now = datetime.datetime.fromtimestamp(0, datetime.UTC)
        self._embedder: Embedder | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._memory: Memory | None = None

    def reset(self) -> None:
        """Leave nothing of what was stored."""
        if self._memory is not None:
            self._memory.close()
        if self._folder is not None:
            self._folder.cleanup()
        self._memory = self._folder = None

    def at(self, given: Value) -> "Memory":
        """Return the memory, its clock set to the request's `now`."""
        self._now = parse_time(given["now"])
        if self._memory is None:
            self._memory = self._opened()
        return self._memory

    def embedder(self) -> "Embedder":
        """Return the embedding model."""
        from remem_core.embed import open_embedder

        self._embedder = self._embedder or open_embedder(os.environ)
        return self._embedder

    def _opened(self) -> "Memory":
        from remem_core.memory import Memory

        self._folder = tempfile.TemporaryDirectory(prefix="remem-store-")
        return Memory.open(
            Path(self._folder.name), clock=lambda: self._now, embedder=self.embedder()
        )


STORE = Store()


def append(given: Value) -> Value:
    """Take in events, sessions or both; return how many events became what."""
    memory = STORE.at(given)
    counts = vars(memory.emit(map(_event, given.get("events", ()))))
    told = vars(memory.ingest(map(_session, given.get("sessions", ()))))
    names = ("new", "known", "changed", "copies", "forgotten")
    return {name: counts[name] + told[name] for name in names} | {"unknown": counts["unknown"]}


def recall(given: Value) -> list[Value]:
    """Return the hits, best first."""
    narrowed = {name: given[name] for name in _NARROWING if name in given}
    hits = STORE.at(given).recall(given["query"], **narrowed)
    names = ("id", "kind", "text", "at", "project", "session", "agent", "ref", "times", "score")
    return [{name: getattr(hit, name) for name in names} for hit in hits]


def show(given: Value) -> Value:
    """Return one episode."""
    return _tree(STORE.at(given).show(given["id"]))


def history(given: Value) -> list[Value]:
    """Return a note's versions."""
    return [_tree(episode) for episode in STORE.at(given).history(given["id"])]


def forget(given: Value) -> Value:
    """Forget what is named; return how many episodes went."""
    named = {name: given[name] for name in ("session", "project", "since") if name in given}
    return {"episodes": STORE.at(given).forget(given.get("id"), **named).episodes}


def export(given: Value) -> Value:
    """Return the whole memory as one stream."""
    out = io.BytesIO()
    STORE.at(given).export(out)
    return {"raw": base64.b64encode(out.getvalue()).decode("ascii")}


def import_(given: Value) -> Value:
    """Merge a stream into the memory."""
    stream = io.BytesIO(base64.b64decode(given["raw"]))
    report = STORE.at(given).import_(stream, sound_only=given.get("sound_only", False))
    return vars(report) | {"damaged": lines_of(report.damaged)}


def status(given: Value) -> Value:
    """Return what the memory holds, in numbers."""
    told = STORE.at(given).status()
    return {name: getattr(told, name) for name in ("episodes", "by_kind", "archived", "sessions")}


def score(given: Value) -> Value:
    """Return the score of a hit; a relevance that is given is one on which both parts agree."""
    from remem_core.recall.score import parts

    given = {"keyword": given.get("relevance"), "cosine": given.get("relevance"), **given}
    keyword, cosine = given["keyword"], given["cosine"]
    told = parts(
        keyword=keyword,
        cosine=cosine,
        typical=keyword,
        age_days=given["age_days"],
        strength=given["strength"],
    )
    return {"score": told.score}


def damaged_lines(error: BaseException) -> Value:
    """Return the lines that a refused import names, as a part of its error."""
    return {"lines": lines_of(error.lines)} if isinstance(error, DamagedImportError) else {}


def lines_of(damaged: list[tuple[int, str]]) -> list[Value]:
    """Return number and code of damaged lines; what is told of one begins with its code."""
    return [{"line": number, "code": why.partition(":")[0]} for number, why in damaged]


def _event(value: Value) -> Event | UnknownEvent:
    return decode_event(json.dumps(value).encode("ascii"))


def _session(value: Value) -> Session:
    return decode_session(json.dumps(value).encode("ascii"))


def _tree(episode: Episode) -> Value:
    tree: Value = json.loads(encode(episode))
    return tree
