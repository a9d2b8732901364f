"""Predictions: how many came true. One says that a thing happens again, so a lesson that helps
makes its own predictions fail; read it beside the rates, not instead of them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from remem_core.measure.given import Sitting, Span, seconds
from remem_core.measure.interval import Interval, wilson
from remem_protocol import Prediction


@dataclass(frozen=True)
class Accuracy:
    """`share` is of those that came true among `confirmed` and `failed`, with its interval.

    `idle` ones failed while no session of the project took place, `open` ones are not resolved.
    """

    confirmed: int = 0
    failed: int = 0
    idle: int = 0
    open: int = 0
    share: Interval | None = None


def accuracy(
    predictions: Iterable[Prediction], sittings: Sequence[Sitting], span: Span
) -> Accuracy:
    """Count what a lesson predicted within a time; `sittings` could have made it come true."""
    within = [p for p in predictions if span.since <= seconds(p.made) <= span.until]
    failed = [p for p in within if p.outcome == "failed"]
    idle = sum(not _worked(p, sittings) for p in failed)
    confirmed = sum(p.outcome == "confirmed" for p in within)
    return _of(confirmed, len(failed) - idle, idle, sum(p.outcome is None for p in within))


def together(parts: Iterable[Accuracy]) -> Accuracy:
    """Return the counts of several lessons as one."""
    known = list(parts)
    return _of(
        sum(p.confirmed for p in known),
        sum(p.failed for p in known),
        sum(p.idle for p in known),
        sum(p.open for p in known),
    )


def _of(confirmed: int, failed: int, idle: int, open_: int) -> Accuracy:
    return Accuracy(confirmed, failed, idle, open_, wilson(confirmed, confirmed + failed))


def _worked(prediction: Prediction, sittings: Iterable[Sitting]) -> bool:
    made, due = seconds(prediction.made), seconds(prediction.due)
    return any(s.ended >= made and s.started <= due for s in sittings)
