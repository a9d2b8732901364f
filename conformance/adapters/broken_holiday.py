"""Lets a lesson weaken while nobody worked."""

from remem_cli import adapter
from remem_core.sleep.reading import View

View.worked = lambda *_: True  # type: ignore[method-assign]
adapter.main()
