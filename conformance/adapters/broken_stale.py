"""Makes a change that was decided on an older state."""

from remem_cli import adapter
from remem_core.store import changing

changing._is_fresh = lambda db, change: None
adapter.main()
