"""A morning as a page of its own: one file, no script, nothing loaded from anywhere.

Every string is escaped, and a policy in the page forbids what an escape that failed could do.
"""

from collections.abc import Iterator
from html import escape
from importlib.resources import files

from remem_core.morning import plot
from remem_core.morning.report import Morning
from remem_core.morning.sections import (
    VETO,
    Item,
    Section,
    basis,
    has_plot,
    over_time,
    sections,
    summary,
)
from remem_core.morning.words import day, one_line, weekday

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def render(morning: Morning) -> str:
    """Return the page; it ends with a line break."""
    return "\n".join([*head(day(morning.now)), *_body(morning), "</html>"]) + "\n"


def head(title: str) -> Iterator[str]:
    """Yield a page's lines until its body: the policy, and the style of all our pages."""
    style = (files(__package__) / "page.css").read_text("utf-8")
    yield "<!doctype html>"
    yield '<html lang="en">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="color-scheme" content="light dark">'
    yield '<meta name="referrer" content="no-referrer">'
    yield f"<title>remem, {escaped(title)}</title>"
    yield f"<style>\n{style}</style>"
    yield "</head>"


def _body(morning: Morning) -> Iterator[str]:
    yield "<body>"
    yield "<header>"
    yield f"<h1>{escaped(f'{weekday(morning.now)}, {day(morning.now)}')}</h1>"
    yield f'<p class="summary">{escaped(summary(morning))}</p>'
    yield "</header>"
    yield "<main>"
    for part in sections(morning):
        yield from section(part)
    if has_plot(morning):
        yield "<section>"
        yield "<h2>Surprises by week</h2>"
        yield plot.render(morning.weeks)
        yield '<p class="more"><span class="key">■</span> repeats an earlier one</p>'
        yield "</section>"
    yield "</main>"
    yield "<footer>"
    yield f"<p>{escaped(basis(morning))}</p>"
    if not morning.is_quiet:
        yield f"<p>{escaped(over_time(morning))}</p>"
        yield f"<p>{escaped(VETO)}</p>"
    yield "</footer>"
    yield "</body>"


def section(part: Section) -> Iterator[str]:
    """Yield the lines of a section."""
    yield "<section>"
    yield f"<h2>{escaped(part.title)}</h2>"
    if part.items:
        yield "<ul>"
        opening = '<li class="row">' if part.table else "<li>"
        for item in part.items:
            yield f"{opening}{_item(item)}</li>"
        yield "</ul>"
    if part.more:
        yield f'<p class="more">{escaped(part.more)}</p>'
    yield "</section>"


def _item(item: Item) -> str:
    # Whichever way a language runs, it runs so in its own element alone.
    words = f'<bdi class="words">{escaped(item.words)}</bdi>'
    facts = [f"<bdi>{escaped(item.facts)}</bdi>"] if item.facts else []
    facts += [f"<code>{escaped(item.id)}</code>"] if item.id else []
    return f'{words}<span class="facts">{" · ".join(facts)}</span>' if facts else words


def escaped(text: str) -> str:
    """Return foreign text as one line that a page shows as it is."""
    return escape(one_line(text, len(text)))
