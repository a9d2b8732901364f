"""Forgets that it had ended an open last line."""

from remem_agents.render import plan
from remem_cli import adapter

plan.joint = lambda content: b""  # type: ignore[attr-defined]
adapter.main()
