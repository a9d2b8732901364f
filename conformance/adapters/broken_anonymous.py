"""Does not say in a lesson's file whose it is."""

from remem_agents.ports import Known
from remem_agents.render import lesson_file, plan
from remem_cli import adapter

original = lesson_file.lesson_file


def written(known: Known) -> bytes:
    return original(known).replace(b"managed: remem\n", b"")


plan.lesson_file = written  # type: ignore[attr-defined]
adapter.main()
