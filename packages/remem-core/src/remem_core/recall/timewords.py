"""When a question means: `last week` in it narrows the search, where nothing else can be meant.

A wrong guess would hide the answer, so whatever could be read in two ways narrows nothing: a
phrase in quotes or in a possessive ("last week's build"), one that is spoken of ("about
yesterday"), two phrases, "on Monday" asked on a Monday.
"""

import calendar
import datetime
import functools
import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

_TABLES = Path(__file__).with_name("timewords.toml")
_DAY = datetime.timedelta(days=1)
_TOKEN = re.compile(r"[^\s,;:?!…،؟。，？！]+")
_ENDS = ".\"'“”«»()[]„¿¡"
_QUOTED = re.compile(r"[\"“«„「`][^\"“”«»„「」`]*[\"”»」`]")
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_RELATIVE = ("today", "yesterday", "this_week", "last_week", "this_month", "last_month")
_ADVERBS = ("today", "yesterday")
_LONGEST = 6  # words of a phrase


@dataclass(frozen=True)
class Narrowing:
    """The days that a question means, `since` inclusive and `until` exclusive; None is open.

    `phrase` are the words that said so, `rest` the question without them.
    """

    since: datetime.date | None
    until: datetime.date | None
    phrase: str
    rest: str


class _Moment(NamedTuple):
    """What a phrase says: `name` of a relative one, "day", "month" or "date", with its number."""

    name: str
    number: int = 0
    bound: str = ""  # "since", "before", or within


@dataclass(frozen=True)
class _Language:
    phrases: dict[str, _Moment]
    of: frozenset[str]
    unsure_after: frozenset[str]
    unsure_before: frozenset[str]
    goes_on: frozenset[str]
    present: frozenset[str]
    shared: frozenset[str]
    shown_by: frozenset[str]
    # Of a script without spaces: what a question with such a phrase begins with.
    opening: re.Pattern[str] | None


class _Match(NamedTuple):
    moment: _Moment
    start: int
    end: int
    number: str = ""  # a year or a date


def narrow(query: str, today: datetime.date) -> Narrowing | None:
    """Return what days a question means, None when it doesn't say or could mean another thing."""
    text = unicodedata.normalize("NFKC", query).replace("’", "'")
    hidden = _QUOTED.sub(lambda match: "\0" * len(match[0]), text)
    found: set[_Match] = set()
    for language in _languages():
        matches = list(_matches(hidden, language))
        if len(matches) > 1 or None in matches:
            return None
        found.update(match for match in matches if match is not None)
    meant = {_days(match, today) for match in found}
    if len(meant) != 1 or (days := meant.pop()) is None:
        return None
    match = max(found, key=lambda match: match.end - match.start)
    rest = " ".join((text[: match.start] + " " + text[match.end :]).split()).strip(" ,;，、")
    if not any(c.isalnum() for c in rest):
        return None
    return Narrowing(*days, phrase=text[match.start : match.end], rest=rest)


def _matches(text: str, language: _Language) -> Iterator[_Match | None]:
    """Yield each phrase of a language; None for one that is not sure."""
    if language.opening is not None:
        if (opened := language.opening.match(text)) is not None:
            yield _opening(text, opened, language)
        return
    tokens = [(m.start(), m.end()) for m in _TOKEN.finditer(text)]
    words = [text[start:end].strip(_ENDS).casefold() for start, end in tokens]
    place = 0
    while place < len(words):
        length, moment, number = _longest(words[place : place + _LONGEST], language)
        if moment is None:
            place += 1
            continue
        until = place + length
        match = _Match(moment, tokens[place][0], tokens[until - 1][1], number)
        yield match if _is_sure(text, words, place, until, match, language) else None
        place = until


def _opening(text: str, opened: re.Match[str], language: _Language) -> _Match | None:
    """Return what a text without spaces begins with, None when it goes on as another word."""
    moment = language.phrases[opened["phrase"].casefold()]
    if text[opened.end() :].startswith(tuple(language.unsure_before)):
        return None
    if moment.name == "today" and any(word in text for word in language.present):
        return None
    return _Match(moment, opened.start("phrase"), opened.end())


def _longest(words: list[str], language: _Language) -> tuple[int, _Moment | None, str]:
    """Return (words, moment, year or date) of the longest phrase that words begin with."""
    for length in range(len(words), 0, -1):
        head = words[:length]
        if (said := language.phrases.get(" ".join(head))) is not None:
            more = [w for w in words[length : length + 2] if w not in language.of]
            if said.name == "month" and more and _YEAR.fullmatch(more[0]):
                return words.index(more[0], length) + 1, said, more[0]
            return length, said, ""
        if _ISO.fullmatch(head[-1]) is not None:
            dated = language.phrases.get(" ".join([*head[:-1], "{}"]))
            if dated is not None:
                return length, dated, head[-1]
    return 0, None, ""


def _is_sure(
    text: str, words: list[str], place: int, until: int, match: _Match, language: _Language
) -> bool:
    before = words[place - 1] if place else ""
    after = words[until] if until < len(words) else ""
    if before in language.unsure_after or after in language.unsure_before:
        return False
    if words[place] in language.shared and not language.shown_by & set(words):
        return False
    if match.moment.name == "today" and not match.moment.bound and language.present & set(words):
        return False
    apart = not after or text[match.end : match.end + 1] in (",", "،", ";", ":")
    adverb = match.moment.name in _ADVERBS and place > 0
    return apart or adverb or not language.goes_on.isdisjoint((after, "*"))


def _days(
    match: _Match, today: datetime.date
) -> tuple[datetime.date | None, datetime.date | None] | None:
    span = _span(match.moment, match.number, today)
    if span is None or span[0] > today:
        return None
    if match.moment.bound == "since":
        return span[0], None
    return (None, span[0]) if match.moment.bound == "before" else span


def _span(
    moment: _Moment, number: str, today: datetime.date
) -> tuple[datetime.date, datetime.date] | None:
    """Return (first day, the day after the last one) of what was said."""
    monday = today - today.weekday() * _DAY
    month = today.replace(day=1)
    match moment.name:
        case "today":
            return today, today + _DAY
        case "yesterday":
            return today - _DAY, today
        case "this_week":
            return monday, monday + 7 * _DAY
        case "last_week":
            return monday - 7 * _DAY, monday
        case "this_month":
            return _month(month)
        case "last_month":
            return _month((month - _DAY).replace(day=1))
        case "day":
            ago = (today.weekday() - moment.number) % 7
            day = today - ago * _DAY
            return (day, day + _DAY) if ago else None
        case "month":
            return _named_month(moment.number, number, month)
    try:
        day = datetime.date.fromisoformat(number)
    except ValueError:
        return None
    return day, day + _DAY


def _named_month(
    number: int, year: str, this: datetime.date
) -> tuple[datetime.date, datetime.date] | None:
    if year:
        return _month(datetime.date(int(year), number, 1))
    if number == this.month:
        return None  # this one, or that of a year ago
    return _month(datetime.date(this.year - (number > this.month), number, 1))


def _month(first: datetime.date) -> tuple[datetime.date, datetime.date]:
    return first, first + calendar.monthrange(first.year, first.month)[1] * _DAY


@functools.cache
def _languages() -> tuple[_Language, ...]:
    return tuple(_language(given) for given in read_tables(_TABLES.read_text("utf-8")).values())


def read_tables(text: str) -> dict[str, dict[str, str]]:
    """Return the tables of a TOML file that has nothing but strings, each on a line of its own.

    `tomllib` would take longer than all else that a question is parsed with.
    """
    tables: dict[str, dict[str, str]] = {}
    for line in text.splitlines():
        name, equals, value = line.partition(" = ")
        if line.startswith("["):
            table = tables.setdefault(line.strip("[]"), {})
        elif equals and not line.startswith("#"):
            table[name] = json.loads(value)
    return tables


def _language(given: dict[str, str]) -> _Language:
    phrases = dict(_phrases(given))
    lists = {
        name: frozenset(given.get(name, "").casefold().split())
        for name in (
            "of",
            "unsure_after",
            "unsure_before",
            "goes_on",
            "present",
            "shared",
            "shown_by",
        )
    }
    opening = None
    if "opening" in given:
        said = "|".join(sorted(map(re.escape, phrases), key=len, reverse=True))
        opening = re.compile(rf"\s*(?:{given['opening']})?(?P<phrase>{said})")
    return _Language(phrases=phrases, opening=opening, **lists)


def _phrases(given: dict[str, str]) -> Iterator[tuple[str, _Moment]]:
    """Yield (phrase, moment) of all that a language's table spells out."""

    def ways(name: str) -> list[str]:
        return given[name].casefold().split("|") if name in given else []

    named = [(way, _Moment(name)) for name in _RELATIVE for way in ways(name)]
    numbered = [
        (form, _Moment(name, number))
        for name in ("day", "month")
        for number, forms in enumerate(given.get(f"{name}s", "").split(), name == "month")
        for form in forms.casefold().split("/")
    ]
    yield from named
    for form, moment in numbered:
        for way in ways(moment.name):
            yield way.format(form), moment
    yield from ((way, _Moment("date")) for way in ways("date"))
    for bound in ("since", "before"):
        # "before yesterday" is the day before it in several languages.
        points = numbered + (named if bound == "since" else []) + [("{}", _Moment("date"))]
        for form, moment in points:
            bounded = moment._replace(bound=bound)
            yield from ((way.format(form), bounded) for way in ways(bound))
