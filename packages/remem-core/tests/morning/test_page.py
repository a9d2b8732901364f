"""The page, read by a parser: it stands alone, and what is quoted in it stays text."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest

from remem_core.morning import gather
from remem_core.morning.page import render

EMPTY = {"meta", "line", "rect", "br"}
EXPECTED_ELEMENTS = {
    "html", "head", "meta", "title", "style", "body", "header", "main", "footer", "section", "h1",
    "h2", "p", "ul", "li", "span", "code", "bdi", "svg", "line", "rect", "text",
}  # fmt: skip


class Page(HTMLParser):
    """Keeps the elements with their attributes, the text, and what was closed wrongly."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.style = ""
        self.faults: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        self.faults += self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open.pop() != tag:
            self.faults.append(f"/{tag}")

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "style":
            self.style += data
        else:
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())

    def attributes(self) -> Iterator[tuple[str, str]]:
        for _, attrs in self.elements:
            yield from ((name, value or "") for name, value in attrs.items())


@pytest.fixture
def page(rich: Any) -> Page:
    harbour, row = rich
    return Page(render(gather(harbour.db, now=harbour.now, since_seq=row)))


def test_page_is_well_formed_and_says_what_the_report_says(page: Page) -> None:
    assert page.faults == []
    assert {tag for tag, _ in page.elements} == EXPECTED_ELEMENTS
    for words in (
        "Monday, 1 June 2026",
        "“use the winch, not the crane”",
        "holds no more since 30 May 2026: “leave the pier lamp off, it blinds the pilots”",
        "asked twice, told to act twice",
        "remem veto ID",
    ):
        assert words in page.text


def test_page_loads_nothing_and_runs_nothing(page: Page) -> None:
    tags = {tag for tag, _ in page.elements}
    assert not tags & {"script", "link", "img", "iframe", "object", "a", "form", "base", "use"}
    names = {name for name, _ in page.attributes()}
    assert not names & {"src", "href", "srcset", "style", "action", "xlink:href"}
    assert not [name for name in names if name.startswith("on")]
    links = [value for _, value in page.attributes() if "//" in value]
    assert links == ["http://www.w3.org/2000/svg"]  # the name of the language, not a place
    assert not re.search(r"@import|url\(|//", page.style)
    policy = [a["content"] for _, a in page.elements if a.get("http-equiv")]
    assert policy[0] is not None
    assert policy[0].startswith("default-src 'none'")


def test_page_fits_a_phone_and_follows_light_and_dark(page: Page) -> None:
    metas = {a["name"]: a["content"] for _, a in page.elements if "name" in a}
    assert metas["viewport"] == "width=device-width, initial-scale=1"
    assert "prefers-color-scheme: dark" in page.style
    assert "overflow-wrap: anywhere" in page.style
    widths = [int(w) for w in re.findall(r"(?<!max-)width: (\d+)px", page.style)]
    assert widths == []


def test_plot_has_a_bar_for_each_week_with_surprises_and_tells_itself(page: Page) -> None:
    bars = [a["class"] for tag, a in page.elements if tag == "rect"]
    assert (bars.count("all"), bars.count("repeat")) == (9, 2)
    assert "25 May: 4 of 10" in page.text


def test_quiet_night_has_a_page_without_a_plot(harbour: Any) -> None:
    quiet = Page(render(gather(harbour.db, now=harbour.now, since_seq=0)))
    assert quiet.faults == []
    assert "A quiet night" in quiet.text
    assert "svg" not in {tag for tag, _ in quiet.elements}


@pytest.mark.parametrize(
    "evil",
    [
        "</bdi></li><script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        '"><svg onload=alert(1)>',
        "</style><b>&lt;&amp;&#x3c;script>",
        "<!-- --><![CDATA[ ]]>",
        "a\x00b\x1b[31m\u202eevil\u2066",
    ],
)
def test_what_was_said_stays_text(harbour: Any, evil: str) -> None:
    row = harbour.row
    harbour.learn(
        harbour.said(f"no: {evil}", "05-27", did=f"I said {evil}", project=f"git:e/{evil}"),
        project=f"git:e/{evil}",
    )
    html = render(gather(harbour.db, now=harbour.now, since_seq=row))
    page = Page(html)
    assert page.faults == []
    assert {tag for tag, _ in page.elements} <= EXPECTED_ELEMENTS
    assert not [name for name, _ in page.attributes() if name.startswith("on")]
    assert not re.search("[\x00-\x09\x0b-\x1f\u202a-\u202e\u2066-\u2069]", html)
    for word in re.findall(r"[a-z(1)]{5,}", evil):
        assert word in page.text  # shown, not swallowed
