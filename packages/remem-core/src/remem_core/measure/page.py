"""A measure as a page of its own, in the style of the morning's: no script, nothing loaded."""

from collections.abc import Iterator

from remem_core.measure.measured import Measured
from remem_core.measure.sections import basis, sections, spreads, summary
from remem_core.morning import plot
from remem_core.morning.page import escaped, head, section
from remem_core.morning.words import day

TITLE = "Does the memory help?"


def render(measured: Measured) -> str:
    """Return the page; it ends with a line break."""
    lines = [*head(f"measured {day(measured.now)}"), *_body(measured), "</html>"]
    return "\n".join(lines) + "\n"


def _body(measured: Measured) -> Iterator[str]:
    yield "<body>"
    yield "<header>"
    yield f"<h1>{escaped(TITLE)}</h1>"
    yield f'<p class="summary">{escaped(summary(measured))}</p>'
    yield "</header>"
    yield "<main>"
    if drawn := spreads(measured):
        yield "<section>"
        yield "<h2>Repeats, as a ratio</h2>"
        yield plot.render_ratios(drawn)
        yield '<p class="more">Left of 1× is fewer; the lines are 95 % intervals</p>'
        yield "</section>"
    for part in sections(measured):
        yield from section(part)
    yield "</main>"
    yield "<footer>"
    for line in basis(measured):
        yield f"<p>{escaped(line)}</p>"
    yield "</footer>"
    yield "</body>"
