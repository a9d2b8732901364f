"""Nights: what they learn, predict and let fade, and what the owner has the last word on."""

from conformance.generate.shapes import Cases
from conformance.generate.sleep import (
    fading,
    hanging,
    learning,
    merging,
    predicting,
    reckoning,
    refusals,
    scope,
    undoing,
    verbs,
    vetoes,
)


def cases() -> Cases:
    """Yield the family's cases."""
    for family in (
        reckoning, fading, learning, scope, merging, predicting, verbs, refusals, undoing, vetoes,
        hanging,
    ):  # fmt: skip
        yield from family.cases()
