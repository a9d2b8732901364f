"""What is put before an agent at a moment: what any memory holds to, not how well it judges."""

from conformance.generate.prime import choosing, saying
from conformance.generate.shapes import Cases


def cases() -> Cases:
    """Yield the family's cases."""
    for family in (choosing, saying):
        yield from family.cases()
