"""Puts a lesson before an agent at whatever length."""

from remem_agents.priming import lessons_file, moments
from remem_cli import adapter

lessons_file.LINE_CHARACTERS = moments.TEXT_CHARACTERS = 100_000
adapter.main()
