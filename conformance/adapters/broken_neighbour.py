"""Shows one project's lessons in another."""

from typing import Any

import msgspec

from remem_agents.ports import Known
from remem_cli import adapter, adapter_files, adapter_prime, serving

original = serving.known_lessons


def known_lessons(memory: Any, project: str | None = None) -> list[Known]:
    found = original(memory)
    return [Known(msgspec.structs.replace(one.lesson, project=None), one.sources) for one in found]


adapter_files.known_lessons = known_lessons  # type: ignore[attr-defined]
adapter_prime.known_lessons = known_lessons  # type: ignore[attr-defined]
adapter.main()
