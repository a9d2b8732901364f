"""`remem prime`: what would be said to an agent at a moment, and nothing said or stored."""

import argparse
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from remem_cli import options, wiring
from remem_cli.errors import explain
from remem_cli.lines import open_input, read_lines
from remem_cli.output import BOLD, Output, printable, shorten
from remem_protocol import RememError

if TYPE_CHECKING:
    from remem_core.prime.judge import Judge, Judgement, Verdict
    from remem_core.prime.moment import LessonView

Lessons = Callable[[], "tuple[LessonView, ...]"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "file",
        help="moments as JSON lines {id, kind: prompt|tool|handback, moment, lessons?}; "
        "- is stdin; without `lessons`, those that are remembered",
    )
    parser.add_argument("--cwd", metavar="DIR", help="remembered lessons: of this folder's project")
    parser.add_argument("--explain", action="store_true", help="also why, and why not the others")
    parser.add_argument(
        "--words", action="store_true", help="by words alone, as when there is no time for a model"
    )
    options.add_json(parser)


def run(arguments: argparse.Namespace, output: Output) -> int:
    """Answer each line in order; 1 if one could not be read."""
    from remem_core.prime.asked import MAX_LINE, read_asked

    judge = _judge(words=arguments.words)
    remembered = cache(lambda: _remembered(arguments.cwd))
    bad = 0
    with open_input(arguments.file) as stream:
        for number, line in read_lines(stream, MAX_LINE):
            try:
                asked = read_asked(line)
            except RememError as error:
                bad += 1
                output.fail(f"line {number}: {shorten(explain(error), 300)}")
                continue
            lessons = remembered() if asked.lessons is None else asked.lessons
            judged = judge.judge(asked.moment, lessons)
            if arguments.json:
                output.json(_answer(asked.id, judged, explained=arguments.explain))
            else:
                _say(asked.id, judged, output, explained=arguments.explain)
    return 1 if bad else 0


def _judge(*, words: bool) -> "Judge":
    from remem_core.prime.judge import Judge

    if words:
        return Judge()
    from remem_core.embed import open_embedder

    return Judge(open_embedder())


def _remembered(cwd: str | None) -> "tuple[LessonView, ...]":
    """Return the lessons of the owner's memory that may be shown, as prime sees them."""
    from remem_cli.judging import view_of
    from remem_cli.serving import known_lessons

    if not wiring.memory_exists():
        return ()
    project = wiring.project_of(cwd) if cwd else None
    with wiring.open_memory() as memory:
        views = (view_of(known) for known in known_lessons(memory, project))
        return tuple(view for view in views if view is not None)


def _answer(name: str, judged: "Judgement", *, explained: bool) -> dict[str, Any]:
    answer: dict[str, Any] = {"id": name, "chosen": judged.ids}
    if explained:
        answer["why"] = [_told(verdict) for verdict in judged.chosen]
        answer["why_not"] = [_told(verdict) for verdict in judged.rejected]
    return answer


def _told(verdict: "Verdict") -> dict[str, Any]:
    return {
        "lesson": verdict.lesson,
        "score": verdict.score,
        "reasons": list(verdict.reasons),
    }


def _say(name: str, judged: "Judgement", output: Output, *, explained: bool) -> None:
    chosen = ", ".join(map(printable, judged.ids)) or "nothing"
    output.say(f"{output.style(printable(name), BOLD)}: {chosen}")
    if explained:
        for verdict in (*judged.chosen, *judged.rejected):
            mark = "+" if verdict in judged.chosen else "-"
            score = "" if verdict.score is None else f"{verdict.score:+.2f} "
            output.say(f"  {mark} {printable(verdict.lesson)}: {score}{'; '.join(verdict.reasons)}")
