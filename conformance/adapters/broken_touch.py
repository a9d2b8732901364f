"""Strengthens whatever might have answered, returned or not, and without a limit."""

from typing import Any

import minimal
import minimal_store
from tiny_store import Store

original = Store.recall


def recall(self: Store, given: dict[str, Any]) -> list[dict[str, Any]]:
    hits = original(self, given)
    for episode in self.episodes():
        episode["strength"] += 0.1
    return hits


Store.recall = recall  # type: ignore[method-assign]
minimal_store.speak()
minimal.main()
