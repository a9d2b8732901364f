"""Doing what was planned: all of it, or, when a part fails, nothing."""

import contextlib
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from remem_agents.setup.definitions import Run
from remem_agents.setup.edits.putting import EDITORS, Written, decode
from remem_agents.setup.entries import find
from remem_agents.setup.errors import Reason, SetupError
from remem_agents.setup.files import FileState, look, remove_folders, sha, write
from remem_agents.setup.manifest import Manifest, Notebook, Record, Undo
from remem_agents.setup.plan import Addition, Change, Plan, Refusal
from remem_agents.setup.removal import Removal, Reversal

_SECONDS: Final = 60
# What Claude Code is asked not to do while it adds a line to its own file.
_QUIET: Final = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_TELEMETRY": "1"}


@dataclass
class _Done:
    """What was done so far, with the way back of each step, newest last."""

    undo: list[Callable[[], None]]
    records: list[Record]
    undos: list[Undo]


def apply(plan: Plan, notebook: Notebook, env: Mapping[str, str], now: str) -> Manifest:
    """Carry out a plan and return what is noted of it; raise SetupError, with nothing done.

    What is about to be written is noted before it is, so that a set-up that the power ended can
    still be taken back.
    """
    before = notebook.load()
    done = _Done([], [], [])
    try:
        changes = (*plan.changes, *(addition.change for addition in plan.additions))
        for change in changes:
            notebook.keep(change.base)
        notebook.save(before.noting(*(change.record(now) for change in changes)))
        for change in plan.changes:
            _write(change, now, done)
        for addition in plan.additions:
            _add(addition, env, now, done)
        for host, run in plan.runs:
            _run(host, run, env, done)
    except BaseException:
        _roll_back(done)
        notebook.save(before)
        notebook.tidy(before)
        raise
    manifest = _noted(before, done)
    notebook.save(manifest)
    notebook.tidy(manifest)
    return manifest


def remove(
    removal: Removal, notebook: Notebook, env: Mapping[str, str]
) -> tuple[Manifest, list[Refusal]]:
    """Take back what a removal plans; return what is still noted, and what could not be taken back.

    A removal that was interrupted goes on where it is run again.
    """
    manifest = notebook.load()
    failures: list[Refusal] = []
    for undo in reversed(removal.undos):
        if undo.first:
            _command(undo.first, env)
    for reversal in removal.reversals:
        try:
            _put_back(reversal)
        except (SetupError, OSError) as error:
            failures.append(_failure(reversal.record, error))
    for undo in reversed(removal.undos):
        if undo.last:
            _command(undo.last, env)
    gone = {reversal.record.path for reversal in removal.reversals} | set(removal.settled)
    gone -= {str(failure.path) for failure in failures}
    left = replace(
        manifest,
        records=tuple(record for record in manifest.records if record.path not in gone),
        undos=tuple(undo for undo in manifest.undos if undo not in removal.undos),
    )
    notebook.save(left)
    notebook.tidy(left)
    return left, failures


def _put_back(reversal: Reversal) -> None:
    write(reversal.state, reversal.after)
    if reversal.after is None:
        remove_folders(tuple(map(Path, reversal.folders)))


def _failure(record: Record, error: SetupError | OSError) -> Refusal:
    reason: Reason = error.reason if isinstance(error, SetupError) else "failed"
    words = error.message if isinstance(error, SetupError) else str(error)
    return Refusal(record.host, Path(record.path), reason, words)


def _noted(before: Manifest, done: _Done) -> Manifest:
    again = {undo.argv for undo in done.undos}
    kept = tuple(undo for undo in before.undos if undo.argv not in again)
    return replace(before.noting(*done.records), undos=(*kept, *done.undos))


def _write(change: Change, now: str, done: _Done) -> None:
    write(change.state, change.after)
    done.undo.append(lambda: _restore(change.state, change.after))
    done.records.append(change.record(now))


def _add(addition: Addition, env: Mapping[str, str], now: str, done: _Done) -> None:
    """Let the agent add it; where it can't, or doesn't, do it ourselves."""
    change = addition.change
    problem = _command(addition.argv, {**env, **_QUIET})
    state = look(change.state.path)
    if state.data is None or sha(state.data) == sha(change.state.data):
        _write(change, now, done)
        return
    data = state.data
    done.undo.append(lambda: _restore(change.state, data))
    document = EDITORS[change.format].load(decode(data))
    if problem or not all(find(document, written.entry) for written in change.written):
        raise SetupError("failed", f"`{' '.join(addition.argv)}`: {problem or 'added nothing'}")
    written = tuple(Written(w.entry, w.created) for w in change.written)
    done.records.append(replace(change, after=data, written=written).record(now))


def _run(host: str, run: Run, env: Mapping[str, str], done: _Done) -> None:
    first, last = run.undo_first, run.undo_last
    if first:
        done.undo.append(lambda: _ignored(first, env))
    problem = _command(run.argv, env)
    if problem:
        raise SetupError("failed", f"`{' '.join(run.argv)}`: {problem}")
    done.undos.append(Undo(host, run.argv, first, last))


def _command(argv: Sequence[str], env: Mapping[str, str]) -> str:
    """Run a command of the machine's and return what was wrong, nothing if nothing was."""
    try:
        done = subprocess.run(
            list(argv),
            env=dict(env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return ""
    told = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
    return told[:500] or f"exit code {done.returncode}"


def _ignored(argv: Sequence[str], env: Mapping[str, str]) -> None:
    _command(argv, env)


def _roll_back(done: _Done) -> None:
    for undo in reversed(done.undo):
        with contextlib.suppress(SetupError, OSError):  # the others are still to be put back
            undo()


def _restore(state: FileState, written: bytes) -> None:
    """Put a file back as it was, unless somebody else has written it since."""
    now = look(state.path)
    if now.data == written:
        write(replace(now, mode=state.mode), state.data)
        if state.data is None:
            remove_folders(state.folders)
