"""Small pictures: surprises by week, and intervals; the only place that knows the SVG library.

Colours are the page's: elements have classes. Nothing but numbers and dates goes in.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import svg

from remem_core.morning.report import Week
from remem_core.morning.words import day

WIDTH, HEIGHT = 360, 130  # a phone's width, so that its letters are not scaled down
_LEFT, _RIGHT, _TOP, _BOTTOM = 26, 354, 10, 22
_GAP = 0.28  # of a week's width between bars
_ROW = 34  # a label and its interval
_FURTHEST = 10.0  # ratios are drawn from a tenth to ten times; what lies beyond ends at the edge


@dataclass(frozen=True)
class Spread:
    """A ratio and its interval under a label of ours; None is no number, or no bound."""

    label: str
    estimate: float | None
    low: float
    high: float | None


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


def render_ratios(spreads: Sequence[Spread]) -> str:
    """Return an `<svg>` element: ratios with their intervals, side by side with 1, no difference.

    The scale is logarithmic. It says in words what it shows to who can't see it.
    """
    height = _TOP + _ROW * len(spreads) + _BOTTOM
    told = "; ".join(
        f"{s.label}: {s.low:.2f} to {'no bound' if s.high is None else f'{s.high:.2f}'}"
        for s in spreads
    )
    picture = svg.SVG(
        viewBox=svg.ViewBoxSpec(0, 0, WIDTH, height),
        class_=["plot"],
        extra={"role": "img"},
        elements=[
            svg.Title(text=f"Ratios with their 95 % intervals; 1 is no difference. {told}"),
            *_ticks(height),
            *(part for n, spread in enumerate(spreads) for part in _spread(n, spread)),
        ],
    )
    return str(picture)


def _ticks(height: int) -> Iterator[svg.Element]:
    for ratio in (0.1, 0.5, 1, 2, 10):
        x = _x(ratio)
        yield svg.Line(x1=x, x2=x, y1=_TOP, y2=height - _BOTTOM, class_=["grid"])
        anchor: Literal["start", "middle", "end"] = (
            "start" if x == _LEFT else "end" if x == _RIGHT else "middle"
        )
        yield svg.Text(x=x, y=height - 6, text_anchor=anchor, text=f"{ratio:g}×")


def _spread(n: int, spread: Spread) -> Iterator[svg.Element]:
    y = _TOP + _ROW * n + _ROW - 8
    high = _FURTHEST if spread.high is None else spread.high
    yield svg.Text(x=_LEFT, y=y - 10, text=spread.label)
    yield svg.Line(x1=_x(spread.low), x2=_x(high), y1=y, y2=y, class_=["whisker"])
    if spread.estimate is not None:
        yield svg.Circle(cx=_x(spread.estimate), cy=y, r=4, class_=["repeat"])


def _x(ratio: float) -> float:
    within = math.log10(min(max(ratio, 1 / _FURTHEST), _FURTHEST)) / math.log10(_FURTHEST)
    return round(_LEFT + (_RIGHT - _LEFT) * (within + 1) / 2, 1)


def _y(value: int, most: int) -> float:
    return round(_TOP + (HEIGHT - _TOP - _BOTTOM) * (1 - value / most), 1)


def _short(monday: str) -> str:
    """Return a day as `4 Mar`."""
    number, month, _ = day(monday).split()
    return f"{number} {month[:3]}"
