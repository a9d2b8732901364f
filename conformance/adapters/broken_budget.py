"""Writes all lessons, however long the file gets."""

from remem_agents.render import plan
from remem_cli import adapter

plan._fitting = lambda place, lessons, others: list(lessons)
adapter.main()
