"""Counts one source too many."""

from typing import Any

from remem_cli import adapter

original = adapter.OPERATIONS["lessons"]


def lessons(request: dict[str, Any]) -> Any:
    return [lesson | {"seen": lesson["seen"] + 1} for lesson in original(request)]


adapter.OPERATIONS["lessons"] = lessons
adapter.main()
