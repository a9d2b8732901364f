"""The command line of the suite: run, list, show, vectors, coverage.

Exit codes: 0 conformant for the claimed roles · 1 an unexpected failure or a stale entry ·
2 wrong usage or broken vectors · 3 the adapter would not start or refused the version.
"""

import argparse
import pathlib
import shutil
import sys
from collections.abc import Sequence
from typing import get_args

from msgspec import UNSET

from remem_conformance.adapter import StartError, split_command
from remem_conformance.cases import (
    REVISION,
    Role,
    Step,
    Vector,
    VectorError,
    expand,
    load,
    select,
    vectors_root,
)
from remem_conformance.coverage import check, find_spec
from remem_conformance.expected import read_expected, unmatched
from remem_conformance.report import Report
from remem_conformance.run import STOP_CASE, Plan, Run


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command of the suite and return its exit code."""
    args = _parser().parse_args(argv)
    try:
        code: int = args.command(args)
    except VectorError as error:
        print(f"remem-conformance: {error}", file=sys.stderr)
        return 2
    except StartError as error:
        print(f"remem-conformance: the adapter: {error}", file=sys.stderr)
        return 3
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="remem-conformance", description=__doc__)
    parser.add_argument(
        "--vectors", type=pathlib.Path, metavar="DIR", help="another folder of vectors"
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    run = commands.add_parser("run", help="drive an adapter through the vectors")
    run.set_defaults(command=_run)
    run.add_argument("--adapter", required=True, metavar="COMMAND", help="how to start it")
    run.add_argument("--roles", metavar="A,B", help="of the roles it claims, only these")
    run.add_argument("--select", action="append", default=[], metavar="GLOB", help="case ids")
    run.add_argument("--expected", type=pathlib.Path, metavar="FILE", help="expected failures")
    run.add_argument("--timeout", type=float, default=10.0, metavar="SECONDS", help="for a reply")
    run.add_argument("--strict", action="store_true", help="warn and skip count as failures")
    run.add_argument("--report", type=pathlib.Path, metavar="FILE", help="write JSON lines")

    listing = commands.add_parser("list", help="the cases with level, role and requirements")
    listing.set_defaults(command=_list)
    listing.add_argument("--select", action="append", default=[], metavar="GLOB")

    show = commands.add_parser("show", help="one case with its bytes made readable")
    show.set_defaults(command=_show)
    show.add_argument("case")

    vectors = commands.add_parser("vectors", help="copy the vectors out, to run them otherwise")
    vectors.set_defaults(command=_vectors)
    vectors.add_argument("dir", type=pathlib.Path)
    vectors.add_argument("--revision", default=REVISION, choices=[REVISION])

    coverage = commands.add_parser("coverage", help="requirements without a vector or a reason")
    coverage.set_defaults(command=_coverage)
    coverage.add_argument("--spec", type=pathlib.Path, metavar="DIR", help="the folder spec/v1")
    return parser


def _run(args: argparse.Namespace) -> int:
    vectors = _load(args)
    roles = None if args.roles is None else frozenset(args.roles.split(","))
    if unknown := (roles or frozenset()) - set(get_args(Role)):
        raise VectorError(f"no such role: {', '.join(sorted(unknown))}")
    if args.timeout <= 0:
        raise VectorError("a timeout is more than 0 seconds")
    expected = read_expected(args.expected) if args.expected else []
    chosen = select(vectors, args.select)
    run = Run(Plan(split_command(args.adapter), chosen, roles, expected, args.timeout))
    lines = list(run.lines())
    stale = unmatched(expected, [v.id for v in vectors])
    report = Report(run.about.implementation, tuple(sorted(run.roles)), lines, stale)
    print(report.text())
    if args.report:
        report.write(args.report, strict=args.strict)
    silent = {"skip", "not claimed", "unscored"}
    if all(line.verdict in silent for line in lines if line.case != STOP_CASE):
        raise VectorError("nothing was scored: no case for the claimed roles was selected")
    return report.exit_code(strict=args.strict)


def _list(args: argparse.Namespace) -> int:
    for vector in select(_load(args), args.select):
        case, mark = vector.case, "" if vector.scored else " (unscored)"
        print(f"{vector.id}  {case.role} {case.op} {case.level} {','.join(case.req)}{mark}")
    return 0


def _show(args: argparse.Namespace) -> int:
    vector = next((v for v in _load(args) if v.id == args.case), None)
    if vector is None:
        raise VectorError(f"no such case: {args.case}")
    print(_readable(vector))
    return 0


def _readable(vector: Vector) -> str:
    case = vector.case
    out = [f"{vector.id} · {case.level} · {', '.join(case.req)}", case.description]
    for step in case.steps:
        out += _readable_step(step)
    return "\n".join(out)


def _readable_step(step: Step) -> list[str]:
    given, expect = step.input, [] if step.expect is UNSET else [f"expect {step.expect}"]
    if isinstance(given.raw, str):
        return [f"{step.op} {expand([(given.raw, 1)])!r}", *expect]
    if isinstance(given.raw_parts, tuple):
        parts = [(count, expand([(raw, 1)])) for raw, count in given.raw_parts]
        return [*(f"{step.op} {count} × {piece!r}" for count, piece in parts), *expect]
    return [f"{step.op} {given}", *expect]


def _vectors(args: argparse.Namespace) -> int:
    root = args.vectors or vectors_root()
    load(root)  # never hand out a broken set
    try:
        shutil.copytree(root, args.dir / "v1")
    except FileExistsError:
        raise VectorError(f"{args.dir / 'v1'} is there already") from None
    return 0


def _coverage(args: argparse.Namespace) -> int:
    report = check(args.spec or find_spec(), [v.case for v in _load(args)])
    print(report.text())
    return report.exit_code()


def _load(args: argparse.Namespace) -> list[Vector]:
    return load(args.vectors or vectors_root())


if __name__ == "__main__":
    sys.exit(main())
