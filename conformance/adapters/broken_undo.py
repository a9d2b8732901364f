"""Does not say which later change is in the way."""

from remem_cli import adapter
from remem_core.store import taking_back

taking_back._is_as_it_left_them = lambda db, entry, before, after: None
adapter.main()
