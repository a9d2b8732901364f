"""Writes a lesson's words as they are."""

from remem_agents.priming import lessons_file
from remem_agents.render import lesson_file
from remem_cli import adapter

lesson_file._harmless = lambda text: text
lessons_file.harmless = lambda text: text
adapter.main()
