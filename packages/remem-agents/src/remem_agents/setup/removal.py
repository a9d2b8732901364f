"""Planning the way back: the same bytes where nothing else changed, else our entries alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from remem_agents.setup.definitions import Commands, Definition, Host
from remem_agents.setup.edits.putting import EDITORS, Written, decode, encode, take_out
from remem_agents.setup.entries import Entry, find
from remem_agents.setup.errors import SetupError
from remem_agents.setup.files import FileState, sha
from remem_agents.setup.machine import Machine
from remem_agents.setup.manifest import Manifest, Notebook, Record, Undo
from remem_agents.setup.plan import Look, Refusal


@dataclass(frozen=True)
class Reversal:
    """One file on its way back; `exact` when it gets the very bytes it had before set-up."""

    record: Record
    state: FileState
    after: bytes | None
    exact: bool
    folders: tuple[str, ...] = ()


@dataclass(frozen=True)
class Removal:
    """All that a removal would do; `settled` are files that hold nothing of ours any more."""

    reversals: tuple[Reversal, ...] = ()
    undos: tuple[Undo, ...] = ()
    settled: tuple[str, ...] = ()
    refusals: tuple[Refusal, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing of ours is there."""
        return not (self.reversals or self.undos)


def make_removal(
    hosts: Sequence[Host],
    machine: Machine,
    commands: Commands,
    manifest: Manifest,
    notebook: Notebook,
    look: Look,
) -> Removal:
    """Plan the way back for these hosts, from what was noted and from what is found anyway."""
    names = {host.name for host in hosts}
    records = [record for record in manifest.records if record.host in names]
    noted = {record.path for record in manifest.records}
    records += [r for r in _unnoted(hosts, machine, commands) if r.path not in noted]
    reversals: list[Reversal] = []
    settled: list[str] = []
    refusals: list[Refusal] = []
    for record in records:
        try:
            reversal = _reversal(record, notebook, look)
        except SetupError as error:
            if record.path in noted or error.reason == "failed":
                path = Path(record.path)
                refusals.append(Refusal(record.host, path, error.reason, error.message))
            continue
        if reversal is None:
            settled.append(record.path)
        else:
            reversals.append(reversal)
    undos = tuple(undo for undo in manifest.undos if undo.host in names)
    return Removal(tuple(reversals), undos, tuple(settled), tuple(refusals))


def _unnoted(hosts: Sequence[Host], machine: Machine, commands: Commands) -> list[Record]:
    """Return a record for each file that may hold entries of ours though no manifest says so."""
    definitions: list[tuple[Host, Definition]] = []
    for host in hosts:
        adders = [adder.writes for adder in host.adders(machine, commands)]
        definitions += [(host, found) for found in (*host.files(machine, commands), *adders)]
    return [
        Record(
            host.name,
            str(definition.path),
            definition.format,
            before=None,
            after="",
            written=tuple(Written(entry) for entry in definition.entries),
        )
        for host, definition in definitions
        if definition.entries and host.is_here(machine)
    ]


def _reversal(record: Record, notebook: Notebook, look: Look) -> Reversal | None:
    state = look(Path(record.path))
    now = sha(state.data)
    if state.data is None or now == record.before:
        return None
    if now == record.after and record.before is None:
        return Reversal(record, state, None, True, record.folders)
    if now == record.after and (copy := notebook.copy_of(record.before)) is not None:
        return Reversal(record, state, copy, True)
    if record.whole:  # ours, though its owner changed it: it would start what is no longer there
        return Reversal(record, state, None, False, record.folders)
    return _cut_out(record, state, state.data)


def _cut_out(record: Record, state: FileState, data: bytes) -> Reversal | None:
    editor = EDITORS[record.format]
    before = text = decode(data)
    for written in reversed(record.written):
        if _is_there(editor.load(text), written.entry):
            text = take_out(text, written, editor)
    if text == before:
        return None
    is_new = record.after != "" and record.before is None
    if is_new and not editor.load(text):  # we made the file, and nobody else put anything into it
        return Reversal(record, state, None, False, record.folders)
    after = encode(text, data)
    return Reversal(record, state, after, sha(after) == record.before)


def _is_there(document: object, entry: Entry) -> bool:
    try:
        return find(document, entry) is not None
    except SetupError:  # what stands there is another program's by now
        return False
