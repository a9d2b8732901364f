"""From definitions and files as they are to a list of changes; nothing is touched here."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from remem_agents.setup.definitions import Adder, Commands, Definition, Host, Run
from remem_agents.setup.edits.putting import (
    EDITORS,
    Editor,
    Written,
    decode,
    encode,
    put_in,
    take_out,
)
from remem_agents.setup.errors import Reason, SetupError
from remem_agents.setup.files import FileState, sha
from remem_agents.setup.machine import Machine
from remem_agents.setup.manifest import Manifest, Record

Look = Callable[[Path], FileState]


@dataclass(frozen=True)
class Change:
    """One file from `state.data` to `after`: what is added, why, and what the way back needs.

    `base` is the file without anything of ours, where it isn't the one an earlier record keeps.
    """

    host: str
    state: FileState
    after: bytes
    adds: tuple[str, ...]
    why: str
    format: str
    written: tuple[Written, ...]
    base: bytes | None
    earlier: Record | None = None
    whole: bool = False

    def record(self, now: str) -> Record:
        """Return what is to be remembered of it."""
        kept = self.earlier
        return Record(
            host=self.host,
            path=str(self.state.path),
            format=self.format,
            before=kept.before if kept else sha(self.base),
            after=sha(self.after) or "",
            written=self.written,
            folders=kept.folders if kept else tuple(map(str, self.state.folders)),
            whole=self.whole,
            at=now,
        )


@dataclass(frozen=True)
class Addition:
    """What an agent's own command is asked to add, and our change in case it can't."""

    host: str
    argv: tuple[str, ...]
    change: Change


@dataclass(frozen=True)
class Refusal:
    """A file that is left as it is, and why."""

    host: str
    path: Path
    reason: Reason
    words: str


@dataclass(frozen=True)
class Plan:
    """All that set-up would do: `settled` are files in which everything is there already."""

    changes: tuple[Change, ...] = ()
    additions: tuple[Addition, ...] = ()
    runs: tuple[tuple[str, Run], ...] = ()
    refusals: tuple[Refusal, ...] = ()
    settled: tuple[tuple[str, Path], ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be done."""
        return not (self.changes or self.additions or self.runs)


def make_plan(
    hosts: Sequence[Host], machine: Machine, commands: Commands, manifest: Manifest, look: Look
) -> Plan:
    """Plan for these hosts; what one file refuses does not keep the others."""
    changes: list[Change] = []
    additions: list[Addition] = []
    runs: list[tuple[str, Run]] = []
    refusals: list[Refusal] = []
    settled: list[tuple[str, Path]] = []

    def consider(host: Host, definition: Definition) -> Change | None:
        try:
            change = _change(host.name, definition, manifest.of(definition.path), look)
        except SetupError as error:
            refusals.append(Refusal(host.name, definition.path, error.reason, error.message))
            return None
        if change is None:
            settled.append((host.name, definition.path))
        return change

    for host in hosts:
        made = [consider(host, definition) for definition in host.files(machine, commands)]
        changes += filter(None, made)
        for adder in host.adders(machine, commands):
            change = consider(host, adder.writes)
            if change is not None:
                additions.append(_addition(host, adder, change))
        refused = any(refusal.host == host.name for refusal in refusals)
        runs += [] if refused else _due(host, machine, commands, manifest, any(made))
    return Plan(tuple(changes), tuple(additions), tuple(runs), tuple(refusals), tuple(settled))


def _addition(host: Host, adder: Adder, change: Change) -> Addition:
    return Addition(host.name, adder.argv, change)


def _due(
    host: Host, machine: Machine, commands: Commands, manifest: Manifest, changed: bool
) -> list[tuple[str, Run]]:
    """Return the commands that were not run yet, or all where the files they are about change."""
    done = {undo.argv for undo in manifest.undos}
    due = [run for run in host.runs(machine, commands) if changed or run.argv not in done]
    return [(host.name, run) for run in due]


def _change(host: str, definition: Definition, record: Record | None, look: Look) -> Change | None:
    state = look(definition.path)
    if definition.content is not None:
        return _whole(host, definition, definition.content, record, state)
    editor = EDITORS[definition.format]
    data = state.data or b""
    text = decode(data)
    there = record.written if record else tuple(Written(entry) for entry in definition.entries)
    is_ours_still = record is not None and sha(state.data) == record.after
    after, written, adds = _put_all(text, definition, there, editor)
    if after == text and state.data is not None:
        return None
    return Change(
        host=host,
        state=state,
        after=encode(after, data),
        adds=tuple(adds),
        why=definition.why,
        format=definition.format,
        written=tuple(written),
        base=None if is_ours_still else _base(state.data, text, there, editor),
        earlier=record if is_ours_still else None,
    )


def _put_all(
    text: str, definition: Definition, there: Sequence[Written], editor: Editor
) -> tuple[str, list[Written], list[str]]:
    """Put every entry in, and take out what an earlier set-up had and this one has not."""
    wanted = {entry.path for entry in definition.entries}
    marks = {entry.mark for entry in definition.entries}
    written: list[Written] = []
    for old in there:
        if old.entry.path in wanted:
            continue
        if old.entry.mark in marks:
            text = take_out(text, old, editor)
        else:  # of another kind, put in by another command: a consent stays given
            written.append(old)
    adds: list[str] = []
    for entry in definition.entries:
        text, new = put_in(text, entry, editor)
        if new is not None:
            adds.append(entry.label)
        old_ones = (old for old in there if old.entry.path == entry.path)
        written.append(_joined(new, next(old_ones, None)) or Written(entry))
    return text, written, adds


def _joined(new: Written | None, old: Written | None) -> Written | None:
    """Keep what an earlier set-up made for an entry that is only replaced or left."""
    if new is None or old is None:
        return new or old
    return new if new.inserted else Written(new.entry, old.created)


def _base(data: bytes | None, text: str, there: Sequence[Written], editor: Editor) -> bytes | None:
    """Return the file as it would be without us."""
    without = text
    for written in reversed(there):
        without = take_out(without, written, editor)
    return data if data is None or without == text else encode(without, data)


def _whole(
    host: str, definition: Definition, content: bytes, record: Record | None, state: FileState
) -> Change | None:
    if state.data == content:
        return None
    if state.data is not None and record is None and b"remem" not in state.data:
        raise SetupError("taken", f"{definition.path} is there already and is not ours")
    return Change(
        host=host,
        state=state,
        after=content,
        adds=("the whole file",),
        why=definition.why,
        format=definition.format,
        written=(),
        base=None,
        earlier=record,
        whole=True,
    )
