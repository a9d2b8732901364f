"""What is told of a morning and in which words, whatever it is written in.

Text is data here: the renderers escape every string, ours too.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from remem_core.delegation import Row
from remem_core.morning.report import Closed, Expected, Few, Joined, Morning, Told
from remem_core.morning.words import (
    day,
    days,
    listed,
    one_line,
    plural,
    project_name,
    times,
)

ID_LETTERS = 8
WORDS = 180  # characters of a lesson
ENOUGH = 5  # cases from which a share is told
PLOTTED = 10  # surprises from which there is something to see in a plot
KINDS = 5  # of action
_PERSON, _AFTER = "The person said: ", "”, after the agent: "  # as lessons.wording quotes them

T = TypeVar("T")


@dataclass(frozen=True)
class Item:
    """One entry: a lesson's words, the facts beside them, the short id that commands take."""

    words: str
    facts: str = ""
    id: str = ""


@dataclass(frozen=True)
class Section:
    """Entries under a title; `more` is what comes after them, "" for nothing.

    In a `table` an entry's words name a row and its facts are what stands in it.
    """

    title: str
    items: tuple[Item, ...]
    more: str = ""
    table: bool = False


def summary(morning: Morning) -> str:
    """Return the night in one sentence."""
    if morning.is_quiet:
        return "A quiet night: nothing was learned, and nothing changed."
    counts = (
        (len(morning.learned), "learned"),
        (len(morning.again), "said again"),
        (len(morning.narrowed), "narrowed"),
        (len(morning.merged), "merged"),
        (len(morning.parted), "parted"),
        (len(morning.reworded), "told anew"),
        (len(morning.closed), "taken back"),
        (len(morning.put_aside), "put aside"),
        (len(morning.predictions.made), "predicted"),
        (len(morning.predictions.settled), "verified"),
    )
    told = listed([f"{count:,} {what}" for count, what in counts if count] or ["Little changed"])
    return f"{told}."


def sections(morning: Morning) -> tuple[Section, ...]:
    """Return what there is to tell, without what is empty."""
    if morning.is_quiet:
        return ()
    made = (
        _lessons("Learned", morning.learned),
        _lessons("Said again", morning.again),
        _lessons("Narrowed", morning.narrowed),
        _listed("Merged", morning.merged, _joined),
        _lessons("Parted again", morning.parted),
        _lessons("Told in other words", morning.reworded),
        _listed("Taken back", morning.closed, _closed),
        _put_aside(morning),
        _predictions(morning),
        _delegation(morning.delegation),
    )
    return tuple(section for section in made if section.items or section.more)


def basis(morning: Morning) -> str:
    """Return what all of it rests on."""
    told = morning.basis
    if not told.sessions:
        return f"{plural(morning.lessons, 'lesson')} so far; no session was read yet."
    return (
        f"{plural(morning.lessons, 'lesson')} now, from {plural(told.surprises, 'surprise')} in"
        f" {plural(told.sessions, 'session')} on {plural(told.days, 'day')},"
        f" {days(told.first, told.last)}."
    )


def has_plot(morning: Morning) -> bool:
    """Say whether there is enough to see over time, and something to tell at all."""
    return not morning.is_quiet and sum(week.surprises for week in morning.weeks) >= PLOTTED


def over_time(morning: Morning) -> str:
    """Return surprises and repeats of the last weeks in words, "" where there is nothing to see."""
    weeks = morning.weeks[-4:]
    if not has_plot(morning):
        count = sum(week.surprises for week in morning.weeks)
        return f"Over time: not enough data yet ({plural(count, 'surprise')})."
    told = ", ".join(f"{week.repeats} of {week.surprises}" for week in weeks)
    return f"Surprises that repeat an earlier one, in each of the last 4 weeks: {told}."


VETO = (
    "Not what you meant? “remem veto ID” takes a lesson away and keeps it away;"
    " “remem unveto ID” lets it come back."
)


def _lessons(title: str, few: Few[Told]) -> Section:
    return _listed(title, few, _item)


def _listed(title: str, few: Few[T], tell: Callable[[T], Item]) -> Section:
    more = f"and {few.more:,} more: remem lessons" if few.more else ""
    return Section(title, tuple(tell(one) for one in few.shown), more)


def _item(lesson: Told) -> Item:
    """Tell a lesson; that its quotes are the person's goes without saying."""
    where = f" in {plural(lesson.sessions, 'session')}" if lesson.sessions else ""
    often = times(lesson.seen) + (where if lesson.seen > 1 else "")
    facts = [often, days(lesson.first, lesson.last)]
    if lesson.projects:
        names = [project_name(project) for project in lesson.projects[:2]]
        left = len(lesson.projects) - 2
        facts.append(listed([*names, plural(left, "more project")] if left > 0 else names))
    if lesson.wording == "model":
        facts.append("worded by a model")
    return Item(_words(lesson), " · ".join(facts), lesson.id[:ID_LETTERS])


def _words(lesson: Told) -> str:
    """Return what tells a lesson; of a long correction the person's words alone."""
    if lesson.kind != "correction":
        return one_line(lesson.text, WORDS)
    text = lesson.text.replace(_PERSON, "")
    quote, answered, _ = text.partition(_AFTER)
    return one_line(text if len(text) <= WORDS or not answered else f"{quote}”", WORDS)


def _joined(joined: Joined) -> Item:
    item = _item(joined.lesson)
    return Item(item.words, f"{joined.count} lessons in one · {item.facts}", item.id)


def _closed(closed: Closed) -> Item:
    old = _item(closed.lesson)
    if closed.successor is None:
        return Item(old.words, f"holds no more · {old.facts}", old.id)
    since = f"since {day(closed.successor.last)}: {_words(closed.successor)}"
    return Item(old.words, f"holds no more {since}", old.id)


def _put_aside(morning: Morning) -> Section:
    section = _lessons("Put aside", morning.put_aside)
    count = "1 memory" if morning.faded == 1 else f"{morning.faded:,} memories"
    faded = f"{count} faded" if morning.faded else ""
    more = [part for part in (section.more, faded) if part]
    return Section(section.title, section.items, "; ".join(more))


def _predictions(morning: Morning) -> Section:
    told = morning.predictions
    if not (len(told.made) or len(told.settled)):
        return Section("Predictions", ())
    items = [_expected(one) for one in (*told.settled.shown, *told.made.shown)]
    left = told.settled.more + told.made.more
    more = [f"and {left:,} more: remem lessons"] if left else []
    if told.open and told.next_due:
        more.append(f"{told.open:,} open, the next due {day(told.next_due)}")
    more.append(_accuracy(told.came_true, told.resolved))
    return Section("Predictions", tuple(items), "; ".join(more))


def _expected(one: Expected) -> Item:
    facts = {"confirmed": "came true", "failed": "did not happen"}.get(one.outcome or "")
    return Item(one_line(one.text, WORDS), facts or f"due {day(one.due)}", one.lesson[:ID_LETTERS])


def _accuracy(came_true: int, resolved: int) -> str:
    if resolved < ENOUGH:
        return f"how often they come true: not enough data yet ({resolved} resolved)"
    return f"{came_true:,} of {resolved:,} came true so far"


def _delegation(rows: tuple[Row, ...]) -> Section:
    cases = sum(row.asked + row.stopped for row in rows)
    title = f"Asking and acting: {plural(cases, 'case')} in the last 30 days"
    if not cases:
        return Section(title, ())
    if cases < ENOUGH:
        return Section(title, (), "not enough data yet")
    items = tuple(Item(row.kind, ", ".join(_acted(row))) for row in rows[:KINDS])
    left = sum(row.asked + row.stopped for row in rows[KINDS:])
    more = f"and {plural(left, 'case')} of other kinds" if left else ""
    return Section(title, items, more, table=True)


def _acted(row: Row) -> Iterator[str]:
    if row.asked:
        told = f"told to act {times(row.told)}" if row.told else "never told to act"
        yield f"asked {times(row.asked)}, {told}"
    if row.stopped:
        yield f"acted and was stopped {times(row.stopped)}"
