"""A memory over its operations: what it keeps, gives back, lets go and hands on."""

from conformance.generate.shapes import Cases
from conformance.generate.store import (
    copies,
    finding,
    folding,
    forgetting,
    imports,
    scope,
    scoring,
    secrets,
    validity,
)


def cases() -> Cases:
    """Yield the family's cases."""
    for family in (
        folding, finding, scope, validity, secrets, forgetting, copies, imports, scoring,
    ):  # fmt: skip
        yield from family.cases()
