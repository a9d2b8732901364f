"""Sees at night what happens later."""

from remem_cli import adapter
from remem_core.sleep.reading import View
from remem_core.store.lessons import uncovered

View._fresh = lambda self, kind, project: uncovered(self._db, kind, project)  # type: ignore[method-assign]
adapter.main()
