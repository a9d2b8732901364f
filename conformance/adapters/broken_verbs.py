"""Makes whatever change it is offered, under whatever verb."""

from remem_cli import adapter
from remem_core.lessons import verbs

verbs.check = lambda change, sources: None
adapter.main()
