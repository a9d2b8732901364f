"""The command line: arguments in, an exit code out, and no traceback in between.

Exit codes: 0 done, 1 an error, 2 wrong usage, 130 interrupted, 141 the reader of our output left.
"""

import argparse
import importlib
import keyword
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Protocol, cast

from remem_cli import __version__, wiring
from remem_cli.commands import COMMANDS
from remem_cli.errors import explain
from remem_cli.output import Output

# After these the lessons may be others: what agents are shown follows at once.
CHANGE_LESSONS = frozenset({"sleep", "veto", "unveto", "undo", "forget", "import", "snapshot"})
INTERRUPTED = 130
PIPE_CLOSED = 141


class Command(Protocol):
    """What a module under `remem_cli.commands` offers."""

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's own arguments."""

    def run(self, arguments: argparse.Namespace, output: Output) -> int:
        """Do it and return the exit code."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    argv = sys.argv[1:] if argv is None else argv
    # No product of matrices here is worth a second thread, and having one ready takes numpy twice
    # as long to import.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    wanted = next((word for word in argv if not word.startswith("-")), None)
    command = _load(wanted) if wanted in COMMANDS else None
    parser = _build_parser(wanted, command)
    arguments = parser.parse_args(argv)
    if command is None:
        parser.print_help(sys.stderr)
        return 2
    return _run(command, arguments)


def _load(name: str) -> Command:
    module = f"{name}_" if keyword.iskeyword(name) else name
    return cast(Command, importlib.import_module(f"remem_cli.commands.{module}"))


def _build_parser(wanted: str | None, command: Command | None) -> argparse.ArgumentParser:
    """Build the parser; only the wanted command's module is imported to fill in its part."""
    parser = argparse.ArgumentParser(
        prog="remem",
        description="A memory for people who work with coding agents. It stays on this machine.",
        epilog="`remem COMMAND --help` explains a command; `remem demo` shows them at work.",
    )
    parser.add_argument("--version", action="version", version=f"remem {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name, summary in COMMANDS.items():
        part = commands.add_parser(name, help=summary, description=_sentence(summary))
        if command is not None and name == wanted:
            command.add_arguments(part)
    return parser


def _sentence(summary: str) -> str:
    return f"{summary[0].upper()}{summary[1:]}."


def _run(command: Command, arguments: argparse.Namespace) -> int:
    output = Output(sys.stdout, sys.stderr, os.environ)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("once", UserWarning)
            warnings.showwarning = lambda message, *_, **__: output.warn(str(message))
            code = command.run(arguments, output)
            if arguments.command in CHANGE_LESSONS and not getattr(arguments, "dry_run", False):
                wiring.keep_shown(os.environ)
        output.flush()
    except KeyboardInterrupt:
        output.fail("interrupted; what was stored so far is kept")
        return INTERRUPTED
    except BrokenPipeError:
        _close_pipe()
        return PIPE_CLOSED
    except Exception as error:
        if os.environ.get("REMEM_DEBUG") == "1":
            raise
        output.fail(explain(error))
        return 1
    return code


def _close_pipe() -> None:
    """Give the interpreter somewhere to flush to at exit, or it complains about the pipe."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
