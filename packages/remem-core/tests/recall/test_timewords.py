"""Time words narrow when they can mean one thing only."""

import datetime
import tomllib
from pathlib import Path

import pytest

from remem_core.recall import timewords
from remem_core.recall.timewords import narrow

SUNDAY = datetime.date(2026, 11, 29)


def days(query: str, today: datetime.date = SUNDAY) -> tuple[str, str] | None:
    found = narrow(query, today)
    return None if found is None else (str(found.since or ""), str(found.until or ""))


LAST_WEEK = ("2026-11-16", "2026-11-23")
YESTERDAY = ("2026-11-28", "2026-11-29")
MARCH = ("2026-03-01", "2026-04-01")


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("what broke last week?", LAST_WEEK),
        ("Last week, what did we decide", LAST_WEEK),
        ("what failed today", ("2026-11-29", "2026-11-30")),
        ("what did we decide yesterday about ports", YESTERDAY),
        ("errors this week", ("2026-11-23", "2026-11-30")),
        ("errors last month", ("2026-10-01", "2026-11-01")),
        ("what failed on Monday", ("2026-11-23", "2026-11-24")),
        ("ports in March", MARCH),
        ("ports in March 2025", ("2025-03-01", "2025-04-01")),
        ("ports in December", ("2025-12-01", "2026-01-01")),
        ("what changed on 2026-05-01", ("2026-05-01", "2026-05-02")),
        ("errors since Monday", ("2026-11-23", "")),
        ("errors since last week", ("2026-11-16", "")),
        ("errors before March", ("", "2026-03-01")),
        ("errors before 2026-05-01", ("", "2026-05-01")),
    ],
)
def test_english_phrase_means_its_days(query: str, meant: tuple[str, str]) -> None:
    assert days(query) == meant


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("¿qué falló la semana pasada?", LAST_WEEK),
        ("was haben wir letzte Woche entschieden", LAST_WEEK),
        ("pourquoi le build a échoué hier", YESTERDAY),
        ("o que falhou na semana passada", LAST_WEEK),
        ("cosa si è rotto ieri", YESTERDAY),
        ("wat ging er vorige week mis", LAST_WEEK),
        ("co się zepsuło w zeszłym tygodniu", LAST_WEEK),
        ("что сломалось в марте 2026", MARCH),
        ("що зламалося минулого тижня", LAST_WEEK),
        ("geçen hafta ne bozuldu", LAST_WEEK),
        ("昨天改了什么", YESTERDAY),
        ("我上周说了什么", LAST_WEEK),
        ("3月に何が壊れた", MARCH),
        ("先週何が壊れた", LAST_WEEK),
        ("지난주에 뭐가 고장났나", LAST_WEEK),
        ("ماذا تعطل الأسبوع الماضي", LAST_WEEK),
        ("पिछले हफ़्ते क्या टूटा", LAST_WEEK),
    ],
)
def test_other_languages_say_it_too(query: str, meant: tuple[str, str]) -> None:
    assert days(query) == meant


@pytest.mark.parametrize(
    "query",
    [
        "what did I say about last week's build",
        "notes about yesterday",
        'the "last week" banner',
        "`since yesterday` in git log",
        "last week build failed",
        "the last week of the sprint",
        "yesterday",
        "how do we deploy today",
        "errors before yesterday",
        "errors last week and this week",
        "may we march on",
        "what failed on Sunday",  # asked on one
        "ports in November",  # asked in one
        "errors on 2026-13-45",
        "errors since 2027-01-01",
        "was läuft hier",  # "here" in German, yesterday in French
        "wat is hier stuk",
        "что деплоить в среду",  # on Wednesday, or to an environment
        "昨天的构建",
        "上周末改了什么",
        "先週のビルド",
        "3月のビルド",
        "어제의 빌드",
        "पिछले हफ़्ते के बारे में",
        "which port does orchard use?",
        "",
    ],
)
def test_what_could_mean_another_thing_narrows_nothing(query: str) -> None:
    assert narrow(query, SUNDAY) is None


def test_rest_is_the_question_without_the_phrase() -> None:
    found = narrow("What did we decide yesterday about ports?", SUNDAY)
    assert found is not None
    assert found.phrase == "yesterday"
    assert found.rest == "What did we decide about ports?"


def test_weeks_and_months_cross_the_year() -> None:
    first = datetime.date(2026, 1, 1)
    assert days("errors last month", first) == ("2025-12-01", "2026-01-01")
    assert days("errors last week", first) == ("2025-12-22", "2025-12-29")
    assert days("errors yesterday", first) == ("2025-12-31", "2026-01-01")


def test_tables_are_read_as_toml_reads_them() -> None:
    text = (Path(timewords.__file__).parent / "timewords.toml").read_text("utf-8")
    assert timewords.read_tables(text) == tomllib.loads(text)
