"""Reading training/moments: lessons, and the moments at which they do and don't bear.

A file is a trade. In it `> KIND [FAMILY]` opens a lesson; `did:`/`said:` pairs or `call:` lines are
its sources; `+x` is a moment at which it bears, `-x` one that only looks like it; x is p (prompt),
t (tool | description | command) or h (prompt => reply). Lessons of one family ("don't ask", "show
first") want the same of different work, so a moment of one tells nothing of the others.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from remem_core.prime.commandline import parse
from remem_core.prime.moment import (
    Corrected,
    Failed,
    Handback,
    LessonView,
    Moment,
    Prompt,
    Source,
    ToolCall,
    kind_of,
)  # fmt: skip

FOLDER = Path(__file__).parent / "moments"


@dataclass
class Written:
    """One lesson as it stands in a file."""

    kind: str
    family: str
    trade: str
    sources: list[Source] = field(default_factory=list)
    moments: list[tuple[Moment, bool]] = field(default_factory=list)

    def view(self, name: str) -> LessonView:
        """Return it as prime sees it."""
        return LessonView(name, self.kind, tuple(self.sources))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Example:
    """A moment, the lessons at hand, and what is known of each: True, False, or None (unknown)."""

    trade: str
    moment: Moment
    lessons: tuple[LessonView, ...]
    bears: tuple[bool | None, ...]
    families: tuple[str, ...]
    own: int | None  # the place of the lesson that the moment was written for
    looks_like: bool  # the moment was written not to be one

    @property
    def kind(self) -> str:
        """The moment's kind."""
        return kind_of(self.moment)


def read_trades(folder: Path = FOLDER) -> dict[str, list[Written]]:
    """Read every trade's lessons."""
    return {path.stem: _read(path) for path in sorted(folder.glob("*.txt"))}


def examples(lessons: list[Written]) -> list[Example]:
    """Return each moment of a trade with all of its lessons at hand."""
    views = tuple(lesson.view(f"l{n}") for n, lesson in enumerate(lessons))
    families = tuple(lesson.family for lesson in lessons)
    found = []
    for n, lesson in enumerate(lessons):
        for moment, bears in lesson.moments:
            known = tuple(
                bears if m == n else _known(lesson, other, moment)
                for m, other in enumerate(lessons)
            )
            found.append(Example(lesson.trade, moment, views, known, families, n, not bears))
    return found


def at_hand(example: Example, count: int, seed: int) -> Example:
    """Return a moment with the lesson that it was written for and some that don't bear."""
    assert example.own is not None
    drawn = Random(f"{seed} {example.moment}")
    others = [n for n, bears in enumerate(example.bears) if bears is False and n != example.own]
    kept = sorted([example.own, *drawn.sample(others, min(count - 1, len(others)))])
    return replace(
        example,
        lessons=tuple(example.lessons[n] for n in kept),
        bears=tuple(example.bears[n] for n in kept),
        families=tuple(example.families[n] for n in kept),
        own=kept.index(example.own),
    )


def _known(written_for: Written, other: Written, moment: Moment) -> bool | None:
    """Say what a moment tells of a lesson that it wasn't written for.

    Nothing where both want the same, or where a call is of a program that failed in its own way.
    """
    if other.family and other.family == written_for.family:
        return None
    if isinstance(moment, ToolCall) and isinstance(other.sources[0], Failed):
        mine = {i.program for i in parse(moment.command)}
        theirs = {
            i.program for s in other.sources if isinstance(s, Failed) for i in parse(s.command)
        }
        return None if mine & theirs else False
    return False


def _read(path: Path) -> list[Written]:
    lessons: list[Written] = []
    did = ""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        mark, _, rest = line.partition(" ")
        match mark:
            case "#" | "":
                continue
            case ">":
                kind, _, family = rest.partition(" ")
                lessons.append(Written(kind, family, path.stem))
            case "did:":
                did = rest
            case "said:":
                lessons[-1].sources.append(Corrected(rest, did))
            case "call:":
                tool, description, command, failure = rest.split(" | ", 3)
                lessons[-1].sources.append(Failed(tool, failure, description, command))
            case _ if mark in ("+p", "-p", "+t", "-t", "+h", "-h"):
                lessons[-1].moments.append((_moment(mark[1], rest), mark[0] == "+"))
            case _:
                raise ValueError(f"{path.name}:{number}: {line!r}")
    return lessons


def _moment(kind: str, text: str) -> Moment:
    if kind == "p":
        return Prompt(text)
    if kind == "t":
        return ToolCall(*text.split(" | ", 2))
    prompt, reply = text.split(" => ", 1)
    return Handback(prompt, reply)
