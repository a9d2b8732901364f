"""Returns what has expired, is not valid yet or was replaced."""

import minimal
import minimal_store
from tiny_store import Store

Store.validity = lambda self, event: ("", "~")  # type: ignore[method-assign]
minimal_store.speak()
minimal.main()
