"""A measure in words and as a page: honest about what is not known, harmless whatever is quoted."""

import re
import xml.etree.ElementTree as ElementTree

import pytest
from invented import at, foretold, lesson, measured, said, sitting, source
from test_arms import office

from remem_core.measure import Measured, page
from remem_core.measure.sections import basis, sections, spreads, summary

DAILY = [sitting(f"s{day}", day) for day in range(100)]


def words(told: Measured) -> str:
    """Return all that is told, as one text."""
    parts = [summary(told)]
    for section in sections(told):
        parts += [section.title, *(f"{i.words}: {i.facts}" for i in section.items), section.more]
    return "\n".join([*parts, *basis(told)])


def followed() -> Measured:
    """Return a measure in which a lesson came in mind half-way."""
    sources = [source(f"s{day}", day) for day in (*range(0, 48, 3), 70)]
    shown = [said("tide", "s50", 50), *(said("", f"s{day}", day) for day in range(50, 100))]
    made = [foretold("tide", day, "confirmed") for day in range(6)]
    return measured([lesson("tide", *sources)], DAILY, shown, predictions=made)


def test_without_hooks_it_says_what_is_missing() -> None:
    told = words(measured([lesson("tide", source("s1", 1))], DAILY))
    assert "Not enough data yet" in told
    assert "no hook was ever logged; remem setup" in told
    assert "1 lesson, 0 of them in mind; 100 sessions of yours on 100 days" in told


def test_too_little_data_says_what_it_takes() -> None:
    one = lesson("tide", source("first", 0), source("h1", 1))
    sittings = [sitting("t1", 1), sitting("h1", 1)]
    shown = [said("tide", "t1", 1), said("tide", "h1", 1, held_out=True)]
    told = words(measured([one], sittings, shown))
    assert "not enough data yet: 1 repeat on 1 day, and it takes 6 on 10" in told
    assert "told: 0.00 a session (0 in 1 session)" in told


@pytest.mark.parametrize(
    ("shares", "opening"),
    [
        ((0.1, 0.6), "Being told helps: 0.17 (95 %: 0.07 to 0.36) times as many repeats as"),
        (
            (0.6, 0.1),
            "Being told does not help: 6.00 (95 %: 2.81 to 14.69) times as many",
        ),
        ((0.3, 0.3), "No difference can be seen between sessions told and held out: 1.00 ("),
    ],
)
def test_difference_is_told_with_its_interval(shares: tuple[float, float], opening: str) -> None:
    told = measured(*office(*shares))
    assert summary(told).startswith(opening)


def test_before_and_after_is_told_as_no_proof() -> None:
    told = words(followed())
    assert re.search(
        r"Said again \(1 lesson\): before 0\.30 a session, 0\.\d\d a day \(15 in", told
    )
    assert "with it 0.02 a session" in told
    assert re.search(r"0\.0\d \(0\.00 to 0\.\d\d\) times as often", told)
    assert "This is no proof" in told
    assert "came true: 6 of 6: 1.00 (0.61 to 1.00)" in told


def test_what_was_left_out_is_told() -> None:
    sources = [source("s10", 10), source("s60", 60), source(None, 70)]
    told = measured(
        [lesson("tide", *sources)], DAILY, [said("tide", "s50", 50), said("tide", "gone", 51)]
    )
    left = basis(told)[1]
    assert "1 session that hooks know and no transcript was read of" in left
    assert "1 repeat in sessions that hooks did not reach" in left
    assert "1 repeat in no session of yours" in left


def test_page_stands_alone_and_what_is_quoted_stays_text() -> None:
    evil = "</bdi><script>alert(1)</script><img src=x onerror=y>"
    shown = [said(evil, "s50", 50)]
    html = page.render(measured([lesson(evil, source("s1", 1), source("s2", 2))], DAILY, shown))
    assert "<script" not in html
    assert "<img" not in html
    assert "&lt;script&gt;" in html
    assert not re.search(r"""(?:src|href|url)\s*[=(]""", html.replace("&lt;img src=x", ""))
    assert "default-src 'none'" in html


def test_plot_shows_the_ratios_and_says_them_in_words() -> None:
    html = page.render(followed())
    (picture,) = re.findall(r"<svg.*?</svg>", html, re.DOTALL)
    drawn = ElementTree.fromstring(picture)
    kinds = [element.tag.rpartition("}")[2] for element in drawn.iter()]
    assert kinds.count("circle") == 1
    assert "Said again, in mind : before: 0.0" in (drawn[0].text or "")


def test_without_a_ratio_there_is_no_plot() -> None:
    told = measured([lesson("tide", source("s1", 1))], DAILY)
    assert spreads(told) == ()
    assert "<svg" not in page.render(told)


def test_ratio_without_bound_ends_at_the_edge() -> None:
    from remem_core.morning.plot import Spread, render_ratios

    picture = render_ratios([Spread("all", None, 0.0, None), Spread("some", 2.0, 0.5, 400.0)])
    ends = [float(x) for x in re.findall(r'x[12]="([\d.]+)"', picture)]
    assert min(ends) == 26
    assert max(ends) == 354
    assert "no bound" in picture


def test_since_is_told() -> None:
    told = measured([lesson("tide", source("s1", 1))], DAILY, since=at(50))
    assert "50 sessions of yours on 50 days, since 24 February 2026" in basis(told)[0]
