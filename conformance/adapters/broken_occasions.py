"""Takes what failed twice in one session for two occasions."""

from remem_cli import adapter
from remem_core.sleep import consolidate

consolidate._occasions = len  # type: ignore[assignment]
adapter.main()
