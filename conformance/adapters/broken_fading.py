"""Lets things fade in a month, not in 45 days."""

from remem_cli import adapter
from remem_core.sleep import decay

decay.HALF_LIFE_DAYS = 30.0  # type: ignore[attr-defined]
adapter.main()
