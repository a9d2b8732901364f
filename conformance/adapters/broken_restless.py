"""Orders the lines of a section by strengths, which fade."""

from remem_agents.render import plan
from remem_cli import adapter

plan._standing = list  # type: ignore[assignment]
adapter.main()
