"""Lets secrets into predictions and reasons."""

from remem_cli import adapter
from remem_core.store import changing

changing._has_no_secret = lambda change: None
adapter.main()
