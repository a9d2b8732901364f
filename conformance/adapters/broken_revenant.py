"""Writes a lesson's file again that its owner deleted."""

from remem_agents.render import plan
from remem_cli import adapter

plan._vetoed = lambda written, present: ()
adapter.main()
