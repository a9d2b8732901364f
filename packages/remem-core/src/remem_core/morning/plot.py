"""Surprises and repeats by week as a small picture; the only place that knows the SVG library.

Colours are the page's: elements have classes. Nothing but numbers and dates goes in.
"""

from collections.abc import Iterator, Sequence

import svg

from remem_core.morning.report import Week
from remem_core.morning.words import day

WIDTH, HEIGHT = 360, 130  # a phone's width, so that its letters are not scaled down
_LEFT, _RIGHT, _TOP, _BOTTOM = 26, 354, 10, 22
_GAP = 0.28  # of a week's width between bars


def render(weeks: Sequence[Week]) -> str:
    """Return an `<svg>` element: a bar for each week, the part of it that repeats in another class.

    It says in words what it shows to who can't see it.
    """
    most = max(1, *(week.surprises for week in weeks))
    told = "; ".join(f"{_short(w.monday)}: {w.repeats} of {w.surprises}" for w in weeks)
    picture = svg.SVG(
        viewBox=svg.ViewBoxSpec(0, 0, WIDTH, HEIGHT),
        class_=["plot"],
        extra={"role": "img"},
        elements=[
            svg.Title(text=f"Surprises by week, and those that repeat an earlier one. {told}"),
            *_scale(most),
            *(bar for n, week in enumerate(weeks) for bar in _bars(n, week, len(weeks), most)),
        ],
    )
    return str(picture)


def _scale(most: int) -> Iterator[svg.Element]:
    for value in sorted({0, most}):
        y = _y(value, most)
        yield svg.Line(x1=_LEFT, x2=_RIGHT, y1=y, y2=y, class_=["grid"])
        yield svg.Text(x=_LEFT - 6, y=y + 4, text_anchor="end", text=str(value))


def _bars(n: int, week: Week, count: int, most: int) -> Iterator[svg.Element]:
    step = (_RIGHT - _LEFT) / count
    x, width = _LEFT + step * (n + _GAP / 2), step * (1 - _GAP)
    for value, name in ((week.surprises, "all"), (week.repeats, "repeat")):
        if value:
            y = _y(value, most)
            yield svg.Rect(
                x=round(x, 1),
                y=y,
                width=round(width, 1),
                height=round(_y(0, most) - y, 1),
                class_=[name],
            )
    if (count - 1 - n) % 3 == 0:
        yield svg.Text(
            x=round(x + width / 2, 1), y=HEIGHT - 6, text_anchor="middle", text=_short(week.monday)
        )


def _y(value: int, most: int) -> float:
    return round(_TOP + (HEIGHT - _TOP - _BOTTOM) * (1 - value / most), 1)


def _short(monday: str) -> str:
    """Return a day as `4 Mar`."""
    number, month, _ = day(monday).split()
    return f"{number} {month[:3]}"
