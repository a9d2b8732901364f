"""Which ids a piece of a store's own JSON mentions: ledger rows and journalled changes."""

import re

_ID = re.compile(r'"([a-z2-7]{32})"')


def ids_in(text: str | None) -> set[str]:
    """Return every content id that stands in a text as a whole JSON string."""
    return set(_ID.findall(text or ""))
