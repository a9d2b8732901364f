"""`remem inspect`: what would be remembered of a session, and nothing stored."""

import argparse
import contextlib
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from remem_cli import options, wiring
from remem_cli.lines import STDIN, read_lines
from remem_cli.output import BOLD, Output, printable, shorten
from remem_cli.rendering import event_lines
from remem_protocol import (
    MAX_SESSION_BYTES,
    Event,
    NotFoundError,
    RememError,
    decode_session,
    encode,
)

if TYPE_CHECKING:
    from remem_core.ports import Spoken


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "file", help="an agent's session file, or neutral Sessions as JSON lines; - is stdin"
    )
    options.add_agent(parser)
    parser.add_argument(
        "--candidates",
        action="store_true",
        help="also what may be a correction, but is too unsure to learn from",
    )
    options.add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Print each session's events; 0 if any session could be read, or there was none."""
    shown = _Shown(output)
    with _as_file(arguments.file) as path, wiring.look_into_memory() as memory:
        for session in shown.sessions(path, arguments.agent):
            events = memory.inspect(session, candidates=arguments.candidates)
            if arguments.json:
                output.line(_encode_answer(session.head.id, events))
            else:
                _say(session, events, output)
    if not shown.good and not shown.bad:
        output.note("There is no session in it.")
    return 1 if shown.bad and not shown.good else 0


def _encode_answer(session: str, events: list[Event]) -> bytes:
    name = json.dumps(session, ensure_ascii=False).encode()
    return b'{"session":%b,"events":[%b]}' % (name, b",".join(map(encode, events)))


def _say(session: "Spoken", events: list[Event], output: Output) -> None:
    head = session.head
    output.say(output.style(f"{head.agent} {printable(head.id)}", BOLD))
    for event in events:
        for line in event_lines(event, output):
            output.say(line)
    output.say()


class _Shown:
    """The sessions of one file, counted; a line that is none is told and passed over."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self.good = 0
        self.bad = 0

    def sessions(self, path: Path, agent: str) -> "Iterator[Spoken]":
        from remem_agents.registry import AUTO, reader_for
        from remem_agents.transcript import Seen

        reader = reader_for(path, agent)
        if reader is None and agent != AUTO:
            raise NotFoundError(f"no reader for the agent {agent!r}")
        found = self._neutral(path) if reader is None else reader.read(path, Seen())
        for session in found:
            self.good += 1
            yield session

    def _neutral(self, path: Path) -> "Iterator[Spoken]":
        with path.open("rb") as stream:
            for number, line in read_lines(stream, MAX_SESSION_BYTES):
                try:
                    session = decode_session(line)
                except RememError as error:
                    self.bad += 1
                    self._output.fail(f"line {number}: {shorten(str(error), 200)}")
                else:
                    yield session


@contextlib.contextmanager
def _as_file(name: str) -> Iterator[Path]:
    """Give stdin a file for the length of a look: readers need one, and memory stays flat."""
    if name != STDIN:
        yield Path(name)
        return
    with tempfile.NamedTemporaryFile(prefix="remem-", suffix=".jsonl") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
        file.flush()
        yield Path(file.name)
