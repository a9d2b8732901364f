"""What is told of a measure and in which words, whatever it is written in; text is data here."""

from collections.abc import Iterator

from remem_core.measure.accuracy import Accuracy
from remem_core.measure.arms import DAYS_NEEDED, Arm, Arms
from remem_core.measure.course import Change, Course, Rate
from remem_core.measure.interval import Interval
from remem_core.measure.measured import Followed, Measured
from remem_core.measure.offers import Week
from remem_core.morning.plot import Spread
from remem_core.morning.sections import ID_LETTERS, WORDS, Item, Section
from remem_core.morning.words import day, listed, one_line, plural, project_name, times

LESSONS, WEEKS = 5, 4  # shown; all of them are in the JSON
_NAMES = {"correction": "Said again", "error": "Failed again", "surprise": "Found wrong again"}


def summary(measured: Measured) -> str:
    """Return in one sentence whether the memory helps, as far as it can be told."""
    arms = measured.arms
    ratio = f"{_interval(arms.ratio, sure='95 %: ')} times as many repeats" if arms.ratio else ""
    match arms.verdict:
        case "fewer":
            return f"Being told helps: {ratio} as in sessions held out."
        case "more":
            return f"Being told does not help: {ratio} as in sessions held out."
        case "no-difference-seen":
            return f"No difference can be seen between sessions told and held out: {ratio}."
        case "not-enough-data":
            return "Not enough data yet to say whether being told helps."


def sections(measured: Measured) -> tuple[Section, ...]:
    """Return what there is to tell, without what is empty."""
    made = (
        _arms(measured),
        _changes(measured.kinds),
        _lessons(measured.lessons),
        _predictions(measured.predictions),
        _offers(measured.offers),
    )
    return tuple(section for section in made if section.items or section.more)


def basis(measured: Measured) -> tuple[str, ...]:
    """Return what all of it rests on, and what is left out."""
    in_mind = sum(one.course.in_mind is not None for one in measured.lessons)
    since = f"since {day(measured.since)}, " if measured.since else ""
    first = (
        f"{plural(len(measured.lessons), 'lesson')}, {in_mind:,} of them in mind;"
        f" {plural(measured.sessions, 'session')} of yours on {plural(measured.days, 'day')},"
        f" {since}until {day(measured.until)}."
    )
    return tuple(line for line in (first, _left_out(measured)) if line)


def spreads(measured: Measured) -> tuple[Spread, ...]:
    """Return the ratios that can be drawn."""
    known = [("Told : held out", measured.arms.ratio)]
    known += [(f"{_NAMES[c.kind]}, in mind : before", c.ratio) for c in measured.kinds]
    return tuple(
        Spread(label, ratio.estimate, ratio.low or 0.0, ratio.high)
        for label, ratio in known
        if ratio is not None
    )


def _left_out(measured: Measured) -> str:
    apart = sum(one.course.apart for one in measured.lessons)
    unplaced = sum(one.course.unplaced for one in measured.lessons)
    parts = (
        (measured.unread, "session", "read since the last night"),
        (measured.arms.unread, "session", "that hooks know and no transcript was read of"),
        (apart, "repeat", "in sessions that hooks did not reach or that were held out"),
        (unplaced, "repeat", "in no session of yours, e.g. a subagent's"),
    )
    told = [f"{plural(count, noun)} {what}" for count, noun, what in parts if count]
    return f"Left out: {listed(told)}." if told else ""


def _arms(measured: Measured) -> Section:
    title, arms = "Told and held out", measured.arms
    if not measured.hooks:
        why = "not enough data yet: no hook was ever logged; remem setup has agents run them"
        return Section(title, (), why)
    items = [_arm("told", arms.told), _arm("held out", arms.held_out)]
    if arms.ratio and arms.difference:
        items.append(Item("repeats, told : held out", _interval(arms.ratio)))
        items.append(Item("difference a session", _interval(arms.difference, sign="+")))
    return Section(title, tuple(items), _about_arms(arms), table=True)


def _arm(name: str, arm: Arm) -> Item:
    if not arm.sessions:
        return Item(name, "no session yet")
    rate = _number(arm.per_session)
    return Item(name, f"{rate} a session ({arm.repeats:,} in {plural(arm.sessions, 'session')})")


def _about_arms(arms: Arms) -> str:
    if arms.verdict != "not-enough-data":
        return (
            "95 % intervals. Sessions on whose work a lesson bore; a hash of their id decides which"
            " are held out. Lessons in agents' files reach both."
        )
    if arms.needed is None:
        return "not enough data yet: a lesson must have borne on sessions of both kinds"
    have = f"{plural(arms.told.repeats + arms.held_out.repeats, 'repeat')} on"
    return (
        f"not enough data yet: {have} {plural(len(arms.by_day), 'day')}, and it takes"
        f" {arms.needed:,} on {DAYS_NEEDED}; with fewer, no outcome would tell a difference"
    )


def _changes(changes: tuple[Change, ...]) -> Section:
    told = [change for change in changes if change.lessons]
    items = tuple(item for change in told for item in _change(change))
    about = (
        "A session counts for each lesson that could be repeated in it. This is no proof: what was"
        " repeated often is what becomes a lesson, and would be rarer later anyway."
    )
    return Section("Before a lesson was in mind, and with it", items, about if items else "")


def _change(change: Change) -> Iterator[Item]:
    name = f"{_NAMES[change.kind]} ({plural(change.lessons, 'lesson')})"
    rates = f"before {_rate(change.before)}; with it {_rate(change.after)}"
    if change.ratio is not None:
        yield Item(name, f"{rates}; {_interval(change.ratio)} times as often")
    elif change.needed is None:
        yield Item(name, f"{rates}; not enough data yet: no session on one of the sides")
    else:
        needed = plural(change.needed, "repeat")
        yield Item(name, f"{rates}; not enough data yet: it takes {needed}")


def _rate(rate: Rate) -> str:
    if rate.per_session is None or rate.per_day is None:
        return "no session"
    counts = f"{rate.repeats:,} in {_sessions(rate)} on {plural(rate.days, 'day')}"
    return f"{_number(rate.per_session)} a session, {_number(rate.per_day)} a day ({counts})"


def _lessons(lessons: tuple[Followed, ...]) -> Section:
    came = [one for one in lessons if one.course.in_mind is not None]
    items = tuple(_lesson(one) for one in came[:LESSONS])
    more = f"and {len(came) - LESSONS:,} more: remem measure --json" if len(came) > LESSONS else ""
    return Section("Lessons in mind", items, more)


def _lesson(one: Followed) -> Item:
    course = one.course
    facts = [f"in mind since {day(course.in_mind)}" if course.in_mind else ""]
    facts += [f"before {_short(course.before)}", f"with it {_short(course.after)}"]
    if one.predictions.confirmed + one.predictions.failed:
        resolved = one.predictions.confirmed + one.predictions.failed
        facts.append(f"{one.predictions.confirmed} of {plural(resolved, 'prediction')} came true")
    facts.append(project_name(course.project) if course.project else "every project")
    return Item(_words(course), " · ".join(facts), course.lesson[:ID_LETTERS])


def _words(course: Course) -> str:
    return one_line(course.text.partition("\n")[0], WORDS)


def _short(rate: Rate) -> str:
    return f"{times(rate.repeats) if rate.repeats else 'never'} in {_sessions(rate)}"


def _sessions(rate: Rate) -> str:
    return (
        "part of a session" if 0 < rate.sessions < 0.5 else plural(round(rate.sessions), "session")
    )


def _predictions(told: Accuracy) -> Section:
    resolved = told.confirmed + told.failed
    items = []
    if told.share is not None:
        share = _interval(told.share)
        items.append(Item("came true", f"{told.confirmed:,} of {resolved:,}: {share}"))
    if told.open:
        items.append(Item("open", f"{told.open:,}"))
    if told.idle:
        items.append(Item("nobody worked in their time", f"{told.idle:,}"))
    about = "A prediction says that it happens again: where a lesson helps, it fails."
    return Section("Predictions", tuple(items), about if items else "", table=True)


def _offers(weeks: tuple[Week, ...]) -> Section:
    items = tuple(Item(f"week of {day(week.monday)}", _week(week)) for week in weeks[-WEEKS:])
    more = f"and {plural(len(weeks) - WEEKS, 'week')} before" if len(weeks) > WEEKS else ""
    return Section("Asking and acting", items, more, table=True)


def _week(week: Week) -> str:
    asked, told = sum(r.asked for r in week.rows), sum(r.told for r in week.rows)
    stopped = sum(row.stopped for row in week.rows)
    kinds = ", ".join(row.kind for row in week.rows[:3])
    often = times(told) if told else "never"
    parts = [f"asked {times(asked)}, told to act {often}"] if asked else []
    parts += [f"acted and was stopped {times(stopped)}"] if stopped else []
    return f"{'; '.join(parts)} ({kinds})"


def _interval(interval: Interval, sign: str = "", sure: str = "") -> str:
    ends = (_number(end, sign) for end in (interval.low, interval.high))
    return f"{_number(interval.estimate, sign)} ({sure}{' to '.join(ends)})"


def _number(value: float | None, sign: str = "") -> str:
    if value is None:
        return "no bound"
    return f"{value:{sign}.2f}".replace("-", "−")
