"""Ignores the project that a question is asked in."""

import minimal
import minimal_store
from tiny_store import Store

Store.in_scope = lambda self, event, project: True  # type: ignore[method-assign]
minimal_store.speak()
minimal.main()
