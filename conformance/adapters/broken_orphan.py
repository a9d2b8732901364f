"""Links to files that it does not write."""

from remem_agents.render import plan
from remem_cli import adapter

plan._files = lambda *given: {}
adapter.main()
